// The file: 8 bytes "TACTCKPT", format version (u32), CRC-32 of the rest (u32), its length (u64),
// and then step, t, frames, q, v, scene_json, the extra arrays. Numbers are little endian as they
// lie in memory; lists and texts have their length (u64) before them.
#include <tact/recording/checkpoint.hpp>

#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <system_error>

#include <fmt/core.h>

#include <tact/core/error.hpp>
#include <tact/recording/atomic_file.hpp>
#include <tact/recording/byte_archive.hpp>

namespace tact {

template <class Archive>
void exchange(Archive& archive, NamedArray& array)
{
  archive(array.name, array.doubles, array.bytes);
}

template <class Archive>
void exchange(Archive& archive, Checkpoint& checkpoint)
{
  archive(checkpoint.step, checkpoint.t, checkpoint.frames, checkpoint.q, checkpoint.v,
          checkpoint.scene_json, checkpoint.extra);
}

namespace {

namespace fs = std::filesystem;

static_assert(std::endian::native == std::endian::little);

constexpr std::array<char, 8> magic{'T', 'A', 'C', 'T', 'C', 'K', 'P', 'T'};
constexpr std::uint32_t checkpoint_version = 1;

struct Preamble {
  std::array<char, 8> magic;
  std::uint32_t version;
  std::uint32_t checksum;
  std::uint64_t length;
};
static_assert(sizeof(Preamble) == 24);

fs::path newest(const fs::path& folder)
{
  return folder / "checkpoint.bin";
}

fs::path previous(const fs::path& folder)
{
  return folder / "checkpoint.old.bin";
}

std::uint32_t checksum_of(std::string_view bytes)
{
  return static_cast<std::uint32_t>(
      ::crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

Checkpoint read_one(const fs::path& file)
{
  std::error_code error;
  const bool regular = fs::is_regular_file(file, error);  // a pipe would keep us waiting
  std::ifstream in;
  if (regular) in.open(file, std::ios::binary);
  if (!regular || !in) throw Error("there is no such file");
  const std::string bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  return checkpoint_from(bytes);
}

}  // namespace

const NamedArray& array(const Checkpoint& checkpoint, std::string_view name)
{
  const auto found = std::find_if(checkpoint.extra.begin(), checkpoint.extra.end(),
                                  [name](const NamedArray& a) { return a.name == name; });
  if (found == checkpoint.extra.end())
    throw Error(
        fmt::format("checkpoint: found no array \"{}\"; another version of tact wrote it", name));
  return *found;
}

std::string to_bytes(const Checkpoint& checkpoint)
{
  ByteWriter writer;
  writer(checkpoint);
  const std::string rest = writer.take();
  const Preamble preamble{magic, checkpoint_version, checksum_of(rest), rest.size()};
  std::string bytes(reinterpret_cast<const char*>(&preamble), sizeof(preamble));
  return bytes += rest;
}

Checkpoint checkpoint_from(std::string_view bytes)
{
  Preamble preamble{};
  if (bytes.size() < sizeof(preamble)) throw Error("it is torn or no checkpoint");
  std::memcpy(&preamble, bytes.data(), sizeof(preamble));
  if (preamble.magic != magic) throw Error("it is no checkpoint of tact");
  if (preamble.version != checkpoint_version)
    throw Error(fmt::format("found checkpoint format {}, expected {}", preamble.version,
                            checkpoint_version));
  const std::string_view rest = bytes.substr(sizeof(preamble));
  if (rest.size() != preamble.length)
    throw Error(
        fmt::format("it is torn: found {} bytes, expected {}", rest.size(), preamble.length));
  if (checksum_of(rest) != preamble.checksum) throw Error("it is damaged: its checksum differs");
  Checkpoint checkpoint;
  ByteReader reading(rest);
  reading(checkpoint);
  if (!reading.at_end()) throw Error("it goes on after its end");
  return checkpoint;
}

void write_checkpoint(const fs::path& folder, const Checkpoint& checkpoint)
{
  make_folder(folder);
  const fs::path fresh = folder / "checkpoint.new.bin";
  AtomicFile out(fresh, Durability::synced);
  out.write(to_bytes(checkpoint));
  out.commit();
  // A kill between the two renames leaves the previous one, which read_checkpoint() finds.
  std::error_code error;
  if (fs::exists(newest(folder), error)) rename_synced(newest(folder), previous(folder));
  rename_synced(fresh, newest(folder));
}

bool has_checkpoint(const fs::path& folder)
{
  std::error_code error;
  return fs::exists(newest(folder), error) || fs::exists(previous(folder), error);
}

Checkpoint read_checkpoint(const fs::path& folder)
{
  if (!has_checkpoint(folder))
    throw Error(fmt::format("{}: holds no checkpoint to resume from", folder.string()));
  std::string complaint;
  for (const fs::path& file : {newest(folder), previous(folder)}) {
    try {
      return read_one(file);
    } catch (const Error& error) {
      complaint +=
          fmt::format("{}{}: {}", complaint.empty() ? "" : "; ", file.string(), error.what());
    }
  }
  throw Error(complaint);
}

void remove_checkpoints(const fs::path& folder)
{
  for (const fs::path& file : {newest(folder), previous(folder)}) {
    std::error_code error;
    fs::remove(file, error);
    if (error) throw_write_error(file, error.value());
  }
}

}  // namespace tact
