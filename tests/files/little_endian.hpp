// Numbers as binary files store them.
#pragma once

#include <algorithm>
#include <bit>
#include <string>

namespace tact {

template <class Number>
std::string little_endian(Number x)
{
  std::string raw(reinterpret_cast<const char*>(&x), sizeof x);
  if (std::endian::native == std::endian::big) std::reverse(raw.begin(), raw.end());
  return raw;
}

}  // namespace tact
