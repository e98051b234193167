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
#include <type_traits>

#include <fmt/core.h>

#include <tact/core/error.hpp>
#include <tact/recording/atomic_file.hpp>

namespace tact {
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

// ---- out ----------------------------------------------------------------------------------------

template <class T>
void put(std::string& bytes, const T& value)
{
  static_assert(std::is_trivially_copyable_v<T>);
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

template <class T>
void put_list(std::string& bytes, const T* entries, std::size_t count)
{
  put<std::uint64_t>(bytes, count);
  if (count > 0) bytes.append(reinterpret_cast<const char*>(entries), count * sizeof(T));
}

std::string to_bytes(const Checkpoint& checkpoint)
{
  std::string bytes;
  put<std::int64_t>(bytes, checkpoint.step);
  put<double>(bytes, checkpoint.t);
  put<std::int32_t>(bytes, checkpoint.frames);
  put_list(bytes, checkpoint.q.data(), static_cast<std::size_t>(checkpoint.q.size()));
  put_list(bytes, checkpoint.v.data(), static_cast<std::size_t>(checkpoint.v.size()));
  put_list(bytes, checkpoint.scene_json.data(), checkpoint.scene_json.size());
  put<std::uint64_t>(bytes, checkpoint.extra.size());
  for (const NamedArray& array : checkpoint.extra) {
    put_list(bytes, array.name.data(), array.name.size());
    put_list(bytes, array.doubles.data(), array.doubles.size());
    put_list(bytes, array.bytes.data(), array.bytes.size());
  }
  return bytes;
}

// ---- in -----------------------------------------------------------------------------------------

// Takes values off the front of the bytes; none are left over or missing in a good file, and the
// checksum has told already that it is one. Lengths are looked at all the same before memory is
// made.
class Parser {
 public:
  explicit Parser(std::string_view bytes) : rest_(bytes) {}

  template <class T>
  T take()
  {
    T value{};
    std::memcpy(&value, next(sizeof(T)), sizeof(T));
    return value;
  }

  template <class T, class List>
  List take_list()
  {
    const auto count = take<std::uint64_t>();
    if (count > rest_.size() / sizeof(T)) throw Error("a list in it is longer than the file");
    List list(static_cast<std::size_t>(count), T{});
    const char* from = next(count * sizeof(T));
    if (count > 0) std::memcpy(list.data(), from, count * sizeof(T));
    return list;
  }

  bool at_end() const { return rest_.empty(); }

 private:
  const char* next(std::size_t count)
  {
    if (count > rest_.size()) throw Error("it ends too early");
    const char* from = rest_.data();
    rest_.remove_prefix(count);
    return from;
  }

  std::string_view rest_;
};

VectorXd take_vector(Parser& parser)
{
  const auto list = parser.take_list<double, std::vector<double>>();
  return Eigen::Map<const VectorXd>(list.data(), static_cast<Eigen::Index>(list.size()));
}

Checkpoint from_bytes(std::string_view bytes)
{
  Parser parser(bytes);
  Checkpoint checkpoint;
  checkpoint.step = parser.take<std::int64_t>();
  checkpoint.t = parser.take<double>();
  checkpoint.frames = parser.take<std::int32_t>();
  checkpoint.q = take_vector(parser);
  checkpoint.v = take_vector(parser);
  checkpoint.scene_json = parser.take_list<char, std::string>();
  const auto arrays = parser.take<std::uint64_t>();
  for (std::uint64_t i = 0; i < arrays; ++i) {
    NamedArray array;
    array.name = parser.take_list<char, std::string>();
    array.doubles = parser.take_list<double, std::vector<double>>();
    array.bytes = parser.take_list<std::uint8_t, std::vector<std::uint8_t>>();
    checkpoint.extra.push_back(std::move(array));
  }
  if (!parser.at_end()) throw Error("it goes on after its end");
  return checkpoint;
}

Checkpoint read_one(const fs::path& file)
{
  std::ifstream in(file, std::ios::binary);
  if (!in) throw Error("there is no such file");
  const std::string bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  Preamble preamble{};
  if (bytes.size() < sizeof(preamble)) throw Error("it is torn or no checkpoint");
  std::memcpy(&preamble, bytes.data(), sizeof(preamble));
  if (preamble.magic != magic) throw Error("it is no checkpoint of tact");
  if (preamble.version != checkpoint_version)
    throw Error(fmt::format("found checkpoint format {}, expected {}", preamble.version,
                            checkpoint_version));
  const std::string_view rest = std::string_view(bytes).substr(sizeof(preamble));
  if (rest.size() != preamble.length)
    throw Error(
        fmt::format("it is torn: found {} bytes, expected {}", rest.size(), preamble.length));
  if (checksum_of(rest) != preamble.checksum) throw Error("it is damaged: its checksum differs");
  return from_bytes(rest);
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

void write_checkpoint(const fs::path& folder, const Checkpoint& checkpoint)
{
  make_folder(folder);
  const std::string bytes = to_bytes(checkpoint);
  const Preamble preamble{magic, checkpoint_version, checksum_of(bytes), bytes.size()};
  const fs::path fresh = folder / "checkpoint.new.bin";
  AtomicFile out(fresh, Durability::synced);
  out.write(std::as_bytes(std::span(&preamble, 1)));
  out.write(bytes);
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
