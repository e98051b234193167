// What benches make of their measurements.
#pragma once

#include <vector>

namespace tact {

double percentile(std::vector<double> values,
                  double share);  // share in [0, 1]; linear between ranks
double median(std::vector<double> values);

// The exponent p of y = c x^p, by least squares on the logarithms; NaN for fewer than two points.
double growth_exponent(const std::vector<double>& x, const std::vector<double>& y);

}  // namespace tact
