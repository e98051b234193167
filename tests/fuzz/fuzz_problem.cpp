// Feeds bytes to the reader of problem files: the JSON, and behind zero bytes, if there are any,
// the Matrix Market files m.mtx and q.mtx beside it. Whatever they are, they must give a problem
// that holds together or one line of complaint.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>

#include <tact/core/error.hpp>
#include <tact/files/problem.hpp>

namespace {

namespace fs = std::filesystem;

// In memory where there is such a folder. One a process: several may run.
const fs::path& folder()
{
  static const fs::path made = [] {
    const fs::path above = fs::exists("/dev/shm") ? "/dev/shm" : fs::temp_directory_path();
    const fs::path path = above / ("tact-fuzz-" + std::to_string(::getpid()));
    fs::create_directories(path);
    std::atexit([] { fs::remove_all(folder()); });
    return path;
  }();
  return made;
}

void put(const char* name, std::string_view bytes)
{
  std::ofstream(folder() / name, std::ios::binary) << bytes;
}

// Up to the next zero byte, which is taken away with it.
std::string_view next_part(std::string_view& bytes)
{
  const std::size_t zero = bytes.find('\0');
  const std::string_view part = bytes.substr(0, zero);
  bytes.remove_prefix(zero == bytes.npos ? bytes.size() : zero + 1);
  return part;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
  std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::string_view json = next_part(bytes);
  if (json.starts_with("\x89HDF")) return 0;  // another library, in another process
  put("p.json", json);
  put("m.mtx", next_part(bytes));
  put("q.mtx", next_part(bytes));
  try {
    const tact::Problem problem = tact::read_problem(folder() / "p.json");
    if (problem.size() < 0 || problem.contacts() > problem.size()) std::abort();
  } catch (const tact::Error& error) {
    const std::string_view message = error.what();
    if (message.empty() || message.find('\n') != message.npos) std::abort();
  }
  return 0;
}
