#include <bench/statistics.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tact {

double percentile(std::vector<double> values, double share)
{
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::sort(values.begin(), values.end());
  const double rank = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(rank);
  if (below + 1 >= values.size()) return values.back();
  return values[below] + (rank - static_cast<double>(below)) * (values[below + 1] - values[below]);
}

double median(std::vector<double> values)
{
  return percentile(std::move(values), 0.5);
}

double growth_exponent(const std::vector<double>& x, const std::vector<double>& y)
{
  const auto n = static_cast<double>(x.size());
  double sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double a = std::log(x[i]), b = std::log(y[i]);
    sx += a;
    sy += b;
    sxx += a * a;
    sxy += a * b;
  }
  const double spread = n * sxx - sx * sx;
  return spread > 0.0 ? (n * sxy - sx * sy) / spread : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace tact
