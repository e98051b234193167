// Colours. The renderer computes with linear light in single precision, where 1 is the white of the
// screen: pixels are many, eight bits come out, and eight floats fit a register.
#pragma once

#include <Eigen/Core>

namespace tact {

using Color = Eigen::Vector3f;  // red, green, blue; linear light

// The transfer curve of sRGB (IEC 61966-2-1), numbers in [0, 1].
float srgb_to_linear(float encoded);
float linear_to_srgb(float linear);

// From the numbers a colour picker shows, 0 to 255.
Color from_srgb(int red, int green, int blue);

// Hue in turns (0 red, 1/3 green, 2/3 blue), saturation and value in [0, 1], as sRGB knows them.
Color from_hsv(double hue, double saturation, double value);

}  // namespace tact
