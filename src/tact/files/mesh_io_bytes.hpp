// Numbers in binary mesh files, with complaints that name the byte.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include <fmt/core.h>

#include <tact/core/error.hpp>

namespace tact {

class MeshBytes {
 public:
  // Both outlive the reader.
  MeshBytes(std::string_view name, std::string_view bytes, std::endian order)
      : name_(name), bytes_(bytes), order_(order)
  {
  }

  template <class Number>
  Number take(std::string_view what)
  {
    std::array<char, sizeof(Number)> raw;
    if (bytes_left() < raw.size())
      complain("the end of the file", fmt::format("{} of {} bytes", what, raw.size()));
    std::copy_n(bytes_.data() + at_, raw.size(), raw.begin());
    at_ += raw.size();
    if (order_ != std::endian::native) std::reverse(raw.begin(), raw.end());
    return std::bit_cast<Number>(raw);
  }

  std::size_t bytes_left() const { return bytes_.size() - at_; }

  void skip(std::size_t count) { at_ += std::min(count, bytes_left()); }

  // Throws Error: "NAME: byte 84: found ..., expected ...".
  [[noreturn]] void complain(std::string_view found, std::string_view expected) const
  {
    throw Error(fmt::format("{}: byte {}: found {}, expected {}", name_, at_, found, expected));
  }

 private:
  std::string_view name_;
  std::string_view bytes_;
  std::endian order_;
  std::size_t at_ = 0;
};

}  // namespace tact
