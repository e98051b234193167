// Not compiled: what check_layers.cmake must complain about.
#pragma once
#include <tact/contact/contact_problem.hpp>
