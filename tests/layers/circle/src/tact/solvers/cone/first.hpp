// Not compiled: with newton/second.hpp a circle that check_layers must complain about.
#pragma once
#include <tact/solvers/newton/second.hpp>
