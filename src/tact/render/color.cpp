#include <tact/render/color.hpp>

#include <algorithm>
#include <cmath>

namespace tact {

float srgb_to_linear(float encoded)
{
  return encoded <= 0.04045f ? encoded / 12.92f : std::pow((encoded + 0.055f) / 1.055f, 2.4f);
}

float linear_to_srgb(float linear)
{
  return linear <= 0.0031308f ? 12.92f * linear : 1.055f * std::pow(linear, 1.0f / 2.4f) - 0.055f;
}

Color from_srgb(int red, int green, int blue)
{
  const Color encoded = Color(red, green, blue) / 255.0f;
  return encoded.unaryExpr(&srgb_to_linear);
}

Color from_hsv(double hue, double saturation, double value)
{
  const auto channel = [&](double shift) {
    const double k = std::fmod(shift + 6.0 * (hue - std::floor(hue)), 6.0);
    const double part = std::clamp(std::min(k, 4.0 - k), 0.0, 1.0);
    return srgb_to_linear(static_cast<float>(value - value * saturation * part));
  };
  return {channel(5.0), channel(3.0), channel(1.0)};
}

}  // namespace tact
