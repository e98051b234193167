#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <files/temporary_folder.hpp>
#include <tact/core/error.hpp>
#include <tact/core/memory_limit.hpp>
#include <tact/core/printable.hpp>

namespace fs = std::filesystem;
using namespace tact;

namespace {

constexpr std::uint64_t mebi = std::uint64_t{1} << 20, gibi = mebi << 10;

// A machine as the kernel tells of it: 16 GiB, of which 10 are available.
class Machine {
 public:
  explicit Machine(const std::string& groups)
  {
    put("proc/meminfo",
        "MemTotal:       16777216 kB\nMemFree:   1 kB\nMemAvailable: 10485760 kB\n");
    put("proc/self/cgroup", groups);
  }
  void put(const std::string& name, const std::string& text) const
  {
    const fs::path file = folder_.path() / name;
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  MachineMemory memory() const { return machine_memory(folder_.path()); }

 private:
  TemporaryFolder folder_;
};

// Written to, or the kernel need not give it.
void take(std::uint64_t bytes)
{
  std::vector<char> memory(bytes, 'x');
  CHECK(memory.back() == 'x');
}

}  // namespace

TEST_CASE("without a container, what the machine has is there to be taken")
{
  const Machine machine("0::/\n");
  CHECK(machine.memory().available == 10 * gibi);
  CHECK(machine.memory().total == 16 * gibi);
  const Machine unlimited("0::/user\n");
  unlimited.put("sys/fs/cgroup/user/memory.max", "max\n");
  CHECK(unlimited.memory().available == 10 * gibi);
  CHECK(machine_memory("/nowhere").available == 0);  // not Linux: nothing is known
}

TEST_CASE("a container is held to its own limit and to those of all that it is in")
{
  const Machine machine("0::/outer/inner\n");
  machine.put("sys/fs/cgroup/outer/inner/memory.max", std::to_string(4 * gibi));
  machine.put("sys/fs/cgroup/outer/inner/memory.current", std::to_string(3 * gibi));
  CHECK(machine.memory().available == 1 * gibi);
  CHECK(machine.memory().total == 4 * gibi);
  // Files that were read count as used, and can be given back.
  machine.put("sys/fs/cgroup/outer/inner/memory.stat",
              "anon 1\nactive_file 5\ninactive_file " + std::to_string(2 * gibi) + "\n");
  CHECK(machine.memory().available == 3 * gibi);
  machine.put("sys/fs/cgroup/outer/memory.max", std::to_string(2 * gibi));
  CHECK(machine.memory().available == 2 * gibi);
  CHECK(machine.memory().total == 2 * gibi);
}

TEST_CASE("control groups of version 1 limit as well, where no limit is a large number")
{
  const Machine machine("5:cpu:/a\n4:memory:/a\n");
  machine.put("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "9223372036854771712\n");
  CHECK(machine.memory().available == 10 * gibi);
  machine.put("sys/fs/cgroup/memory/memory.limit_in_bytes", std::to_string(gibi));
  machine.put("sys/fs/cgroup/memory/memory.usage_in_bytes", std::to_string(gibi / 2));
  CHECK(machine.memory().available == gibi / 2);
}

TEST_CASE("sizes are bytes or powers of 1024, within what the machine has")
{
  const auto parse = [](const std::string& text) { return parse_memory_limit(text, 16 * gibi); };
  CHECK(parse("100000000") == 100'000'000);
  CHECK(parse("64M") == 64 * mebi);
  CHECK(parse("2.5G") == 5 * gibi / 2);
  CHECK(parse("4GiB") == 4 * gibi);
  CHECK(parse("16G") == 16 * gibi);
  CHECK(parse("1048576KiB") == gibi);
  for (const char* wrong : {"", "G", "0", "-1G", "63M", "17G", "1T", "1e400", "nan", "inf", "2 G",
                            "2g", "80%", "2.5Gi", "0x10000000", "2G2"})
    CHECK_THROWS_AS(parse(wrong), Error);
  CHECK_THROWS_WITH_AS(parse("1T"),
                       "--memory: found \"1T\", expected bytes or a size as 800M or 2.5G, "
                       "from 64 MiB to 16 GiB, which the machine has",
                       Error);
  CHECK(parse_memory_limit("900T", 0) == 900 * 1024 * gibi);  // of an unknown machine
}

TEST_CASE("beyond the limit there is no memory, and it is told who wanted it")
{
  const MemoryLimit limit(600 * mebi);
  if (MemoryLimit::bytes() == 0) return;  // under sanitizers
  with_memory_for("little", [] { take(100 * mebi); });
  std::string message;
  try {
    with_memory_for("the whole", [] { with_memory_for("a part", [] { take(700 * mebi); }); });
  } catch (const std::exception& error) {
    message = told(error);
    CHECK(wants_memory(error));
  }
  CHECK(message == "out of memory for a part: it needs more than the 600 MiB of --memory");
  {
    const BeyondMemoryLimit outer;
    const BeyondMemoryLimit inner;
    take(700 * mebi);  // what is finished may be brought in safety
  }
  CHECK_THROWS_AS(take(700 * mebi), std::bad_alloc);
}

TEST_CASE("the limit is told also where it has ended")
{
  std::string message = "under sanitizers";
  try {
    const MemoryLimit limit(600 * mebi);
    if (MemoryLimit::bytes() == 0) return;
    with_memory_for("much", [] { take(700 * mebi); });
  } catch (const std::exception& error) {
    message = told(error);
  }
  CHECK(message == "out of memory for much: it needs more than the 600 MiB of --memory");
}

TEST_CASE("a limit ends with what made it, and other failures are none of memory")
{
  {
    const MemoryLimit limit(600 * mebi);
  }
  take(700 * mebi);
  CHECK(MemoryLimit::bytes() == 0);
  CHECK_THROWS_AS(with_memory_for("a step", [] { throw Error("wrong"); }), Error);
  CHECK_FALSE(wants_memory(Error("wrong")));
  CHECK(wants_memory(std::runtime_error("pthread_create has failed: Resource unavailable")));
}
