// Feeds bytes to the reader of checkpoints, as what stands behind a preamble that fits them: length
// and checksum are right, so that the damage is seen by what reads further.
#include <unistd.h>
#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include <tact/core/error.hpp>
#include <tact/recording/checkpoint.hpp>

namespace {

namespace fs = std::filesystem;

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

template <class Number>
void put(std::ostream& out, Number number)
{
  out.write(reinterpret_cast<const char*>(&number), sizeof number);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
  {
    std::ofstream out(folder() / "checkpoint.bin", std::ios::binary);
    out << "TACTCKPT";
    put(out, std::uint32_t{1});
    put(out, static_cast<std::uint32_t>(::crc32_z(0, data, size)));
    put(out, std::uint64_t{size});
    out.write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  }
  try {
    const tact::Checkpoint checkpoint = tact::read_checkpoint(folder());
    (void)tact::array(checkpoint, "totals");
  } catch (const tact::Error& error) {
    const std::string_view message = error.what();
    if (message.empty() || message.find('\n') != message.npos) std::abort();
  }
  return 0;
}
