// What a program may take of a machine's memory, so that it is told before the machine has none
// left: the kernel would end this program or another one, without a word.
#pragma once

#include <cstdint>
#include <exception>
#include <filesystem>
#include <new>
#include <string>
#include <string_view>
#include <utility>

namespace tact {

// ---- how much there is --------------------------------------------------------------------------

struct MachineMemory {
  std::uint64_t available = 0;  // B, that can be taken without pushing others out
  std::uint64_t total = 0;      // B
};

// Of the machine, or of the container (control group, versions 1 and 2) where that allows less;
// zeros where neither tells. `root` is where /proc and /sys are looked for.
MachineMemory machine_memory(const std::filesystem::path& root = "/");

// 80 % of what is available; 0 where that is not known.
std::uint64_t default_memory_limit();

// The number of bytes in "1500000000", "800M", "2.5G", "4GiB": powers of 1024. Throws Error for
// anything else, and for less than the program itself needs or more than the machine has.
std::uint64_t parse_memory_limit(const std::string& text, std::uint64_t total);

std::string told_bytes(std::uint64_t bytes);  // "1.5 GiB"

// ---- the limit ----------------------------------------------------------------------------------

// While it lives, this process and those that it starts get at most so many bytes each
// (RLIMIT_DATA: what is written to, code and shared memory aside), and std::bad_alloc beyond. 0: no
// limit. There is none under sanitizers either, whose own tables are larger than any machine. One
// at a time.
class MemoryLimit {
 public:
  explicit MemoryLimit(std::uint64_t bytes);
  ~MemoryLimit();
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;

  static std::uint64_t bytes();  // of the one that lives; 0: none
};

// While it lives, what is finished may be brought in safety beyond the limit, which leaves room for
// that. It is work that may not begin without memory, not work that may be lost.
class BeyondMemoryLimit {
 public:
  BeyondMemoryLimit();
  ~BeyondMemoryLimit();
  BeyondMemoryLimit(const BeyondMemoryLimit&) = delete;
  BeyondMemoryLimit& operator=(const BeyondMemoryLimit&) = delete;

 private:
  bool lifted_ = false;  // by this one
};

// ---- who wanted more ----------------------------------------------------------------------------

// There was no memory for something; what() says for what: "the broad phase". The limit that then
// was is kept, as whoever tells of it may stand outside of it.
class OutOfMemory : public std::bad_alloc {
 public:
  explicit OutOfMemory(std::string wanted_by)
      : wanted_by_(std::move(wanted_by)), limit_(MemoryLimit::bytes())
  {
  }
  const char* what() const noexcept override { return wanted_by_.c_str(); }
  std::uint64_t limit() const { return limit_; }  // B; 0: none

 private:
  std::string wanted_by_;
  std::uint64_t limit_;
};

// Does the work; where there is no memory for it, says so by its name, unless a part of it did.
template <class Work>
decltype(auto) with_memory_for(std::string_view name, Work&& work)
{
  try {
    return std::forward<Work>(work)();
  } catch (const OutOfMemory&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw OutOfMemory(std::string(name));
  }
}

// Whether it was thrown for want of memory: also by what starts threads, each with its stack.
bool wants_memory(const std::exception& error);

}  // namespace tact
