// Indices in 16 bits each as long as they are below 65,536, and in 32 from then on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tact {

class CompactIndices {
 public:
  void clear()
  {
    lower_.clear();
    upper_.clear();
  }

  void push_back(int index)
  {
    lower_.push_back(static_cast<std::uint16_t>(index % range));
    if (index < range && upper_.empty()) return;
    upper_.resize(lower_.size(), 0);  // of earlier ones too
    upper_.back() = static_cast<std::uint16_t>(index / range);
  }

  int operator[](int k) const { return upper_.empty() ? lower_[k] : lower_[k] + range * upper_[k]; }

  std::size_t bytes() const { return sizeof(std::uint16_t) * (lower_.size() + upper_.size()); }

 private:
  static constexpr int range = 1 << 16;

  std::vector<std::uint16_t> lower_, upper_;
};

}  // namespace tact
