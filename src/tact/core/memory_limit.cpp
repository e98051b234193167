#include <tact/core/memory_limit.hpp>

#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <limits>
#include <string_view>

#include <fmt/core.h>

#include <tact/core/error.hpp>

namespace tact {
namespace {

namespace fs = std::filesystem;

constexpr double share = 0.8;                             // of what is there, without --memory
constexpr std::uint64_t least = std::uint64_t{64} << 20;  // B: the program with a small scene
constexpr std::array<std::string_view, 5> units{"B", "KiB", "MiB", "GiB", "TiB"};

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;
#elif defined(__has_feature)
constexpr bool sanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool sanitized = false;
#endif

// The number behind a name in lines of "name number", as in /proc/meminfo; 0 where it is missing.
std::uint64_t number_of(const fs::path& file, std::string_view name)
{
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with(name)) continue;
    const char* first = line.data() + name.size();
    const char* end = line.data() + line.size();
    while (first != end && *first == ' ') ++first;
    std::uint64_t number = 0;
    std::from_chars(first, end, number);
    return number;
  }
  return 0;
}

// The files of a memory control group; those of version 1 have other names.
struct GroupFiles {
  const char *limit, *used, *cache;
};
constexpr GroupFiles version_2{"memory.max", "memory.current", "inactive_file "};
constexpr GroupFiles version_1{"memory.limit_in_bytes", "memory.usage_in_bytes",
                               "total_inactive_file "};

void restrict_to_group(const fs::path& folder, const GroupFiles& files, MachineMemory& memory)
{
  const std::uint64_t limit = number_of(folder / files.limit, "");  // "max" reads as 0
  if (limit == 0) return;
  const std::uint64_t used = number_of(folder / files.used, "");
  // Files that were read and can be read again count as used, and are given back when asked for.
  const std::uint64_t cache = number_of(folder / "memory.stat", files.cache);
  const std::uint64_t held = used - std::min(used, cache);
  memory.total = std::min(memory.total, limit);
  memory.available = std::min(memory.available, limit - std::min(limit, held));
}

// A group is held to the limits of those that it is in. Where the names of another mount are told,
// as in containers, the group of this process is the topmost that is seen.
void restrict_to_groups(const fs::path& top, fs::path group, const GroupFiles& files,
                        MachineMemory& memory)
{
  group = group.relative_path();
  while (!group.empty()) {
    restrict_to_group(top / group, files, memory);
    group = group.parent_path();
  }
  restrict_to_group(top, files, memory);
}

}  // namespace

MachineMemory machine_memory(const fs::path& root)
{
  constexpr std::uint64_t kilobyte = 1024;
  const fs::path info = root / "proc/meminfo";
  MachineMemory memory{.available = kilobyte * number_of(info, "MemAvailable:"),
                       .total = kilobyte * number_of(info, "MemTotal:")};
  std::ifstream groups(root / "proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string kinds = line.substr(first + 1, second - first - 1);
    const fs::path group = line.substr(second + 1);
    if (kinds.empty())
      restrict_to_groups(root / "sys/fs/cgroup", group, version_2, memory);
    else if (kinds == "memory")
      restrict_to_groups(root / "sys/fs/cgroup/memory", group, version_1, memory);
  }
  return memory;
}

std::uint64_t default_memory_limit()
{
  const MachineMemory memory = machine_memory();
  if (memory.available == 0) return 0;
  const double bytes = share * static_cast<double>(memory.available);
  return std::max(least, static_cast<std::uint64_t>(bytes));
}

std::uint64_t parse_memory_limit(const std::string& text, std::uint64_t total)
{
  double number = 0.0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  std::string_view unit(stop, static_cast<std::size_t>(end - stop));
  if (unit.empty()) unit = "B";
  double scale = 1.0;
  const auto known = std::find_if(units.begin(), units.end(), [&](std::string_view name) {
    const bool met = unit == name || (name.size() > 1 && unit == name.substr(0, 1));
    if (!met) scale *= 1024.0;
    return met;
  });
  const std::uint64_t most = total > 0 ? total : std::numeric_limits<std::uint64_t>::max();
  const double bytes = scale * number;
  if (error != std::errc() || known == units.end() || !(bytes >= static_cast<double>(least)) ||
      !(bytes <= static_cast<double>(most)))
    throw Error(fmt::format(
        "--memory: found \"{}\", expected bytes or a size as 800M or 2.5G, from {} to {}", text,
        told_bytes(least), total > 0 ? told_bytes(total) + ", which the machine has" : "any"));
  return static_cast<std::uint64_t>(bytes);
}

std::string told_bytes(std::uint64_t bytes)
{
  double number = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; number >= 1024.0 && unit + 1 < units.size(); ++unit) number /= 1024.0;
  return fmt::format("{:.3g} {}", number, units[unit]);
}

namespace {

// The soft limit is the process's, and so is what is known of it.
struct Limited {
  rlim_t former = 0;
  std::uint64_t bytes = 0;  // 0: not limited by us
  bool holds = false;
};

Limited& limited()
{
  static Limited state;
  return state;
}

bool set_soft_limit(rlim_t bytes)
{
  rlimit limit{};
  if (::getrlimit(RLIMIT_DATA, &limit) != 0) return false;
  limit.rlim_cur = std::min(bytes, limit.rlim_max);
  return ::setrlimit(RLIMIT_DATA, &limit) == 0;
}

}  // namespace

MemoryLimit::MemoryLimit(std::uint64_t bytes)
{
  rlimit limit{};
  if (bytes == 0 || sanitized || ::getrlimit(RLIMIT_DATA, &limit) != 0) return;
  if (limit.rlim_cur <= bytes) return;  // `ulimit -d` asks for less
  if (set_soft_limit(bytes)) limited() = {limit.rlim_cur, bytes, true};
}

MemoryLimit::~MemoryLimit()
{
  if (limited().holds) set_soft_limit(limited().former);
  limited() = {};
}

std::uint64_t MemoryLimit::bytes()
{
  return limited().bytes;
}

BeyondMemoryLimit::BeyondMemoryLimit()
    : lifted_(limited().holds && set_soft_limit(limited().former))
{
  if (lifted_) limited().holds = false;
}

BeyondMemoryLimit::~BeyondMemoryLimit()
{
  if (lifted_) limited().holds = set_soft_limit(limited().bytes);
}

bool wants_memory(const std::exception& error)
{
  return dynamic_cast<const std::bad_alloc*>(&error) ||
         std::string_view(error.what()).starts_with("pthread_create has failed");  // oneTBB
}

}  // namespace tact
