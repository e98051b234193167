// Not compiled: with cone/first.hpp a circle that check_layers must complain about.
#pragma once
#include <tact/solvers/cone/first.hpp>
