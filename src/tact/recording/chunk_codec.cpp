#include <tact/recording/chunk_codec.hpp>

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include <tact/core/error.hpp>

namespace tact {
namespace {

// How a plane is written, as zlib's level and strategy.
struct Coding {
  int level = 1;  // higher ones gain 1 %
  int strategy = Z_DEFAULT_STRATEGY;

  bool operator==(const Coding&) const = default;
};

constexpr Coding strings{};                                           // seeks what repeats
constexpr Coding letters{.level = 1, .strategy = Z_HUFFMAN_ONLY};     // short codes for some bytes
constexpr Coding stored{.level = 0, .strategy = Z_DEFAULT_STRATEGY};  // as it is

// planes[k n + i] is byte k of entry i, of n entries. Blocks of entries stay in the cache while
// their bytes are dealt out.
void shuffle(std::span<const std::byte> bytes, std::size_t entry_size,
             std::vector<std::byte>& planes)
{
  planes.resize(bytes.size());
  const std::size_t n = bytes.size() / entry_size;
  constexpr std::size_t block = 64;
  for (std::size_t first = 0; first < n; first += block) {
    const std::size_t last = std::min(n, first + block);
    for (std::size_t k = 0; k < entry_size; ++k) {
      const std::byte* from = bytes.data() + first * entry_size + k;
      std::byte* to = planes.data() + k * n + first;
      for (std::size_t i = first; i < last; ++i, from += entry_size) *to++ = *from;
    }
  }
}

// By how often bytes of a plane are equal, seen in a sample: the share of equal pairs is 1/256 for
// noise, and 1/n where n values are equally frequent. Strings are sought where few values are, as
// that is slow where there are none to be found.
Coding coding_of(std::span<const std::byte> plane)
{
  constexpr std::size_t too_few = 256;  // to tell, and to be worth the header of a block
  constexpr std::size_t sample = 2048;
  if (plane.size() < too_few) return strings;
  const std::size_t stride = std::max<std::size_t>(1, plane.size() / sample);
  std::array<std::uint32_t, 256> counts{};
  std::uint32_t seen = 0;
  for (std::size_t i = 0; i < plane.size(); i += stride, ++seen)
    ++counts[std::to_integer<std::size_t>(plane[i])];
  double pairs = 0.0;
  for (const std::uint32_t count : counts) pairs += static_cast<double>(count) * (count - 1.0);
  const double values = static_cast<double>(seen) * (seen - 1.0) / std::max(1.0, pairs);
  return values > 170.0 ? stored : values > 8.0 ? letters : strings;
}

class Deflater {
 public:
  explicit Deflater(std::vector<std::byte>& out) : out_(out)
  {
    if (deflateInit(&z_, strings.level) != Z_OK) throw Error("recording: zlib cannot be started");
  }
  ~Deflater() { deflateEnd(&z_); }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;

  // Room for `size` bytes even where nothing shrinks, with the block headers of every change of
  // coding.
  void begin(std::size_t size, std::size_t changes)
  {
    out_.resize(deflateBound(&z_, size) + size / 1000 + 16 * (changes + 1) + 64);
    z_.next_out = reinterpret_cast<Bytef*>(out_.data());
    z_.avail_out = static_cast<uInt>(out_.size());
  }

  void add(std::span<const std::byte> bytes, Coding coding)
  {
    if (coding != coding_ && deflateParams(&z_, coding.level, coding.strategy) != Z_OK) fail();
    coding_ = coding;
    z_.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(bytes.data()));
    z_.avail_in = static_cast<uInt>(bytes.size());
    if (deflate(&z_, Z_NO_FLUSH) != Z_OK || z_.avail_in != 0) fail();
  }

  std::size_t finish()
  {
    if (deflate(&z_, Z_FINISH) != Z_STREAM_END) fail();
    return z_.total_out;
  }

 private:
  [[noreturn]] static void fail() { throw Error("recording: zlib cannot compress a table"); }

  std::vector<std::byte>& out_;
  z_stream z_{};
  Coding coding_ = strings;
};

}  // namespace

std::span<const std::byte> ChunkCodec::encode(std::span<const std::byte> bytes,
                                              std::size_t entry_size)
{
  shuffle(bytes, entry_size, planes_);
  const std::size_t n = bytes.size() / entry_size;
  Deflater deflater(stream_);
  deflater.begin(bytes.size(), entry_size);
  for (std::size_t k = 0; k < entry_size; ++k) {
    const std::span<const std::byte> plane = std::span(planes_).subspan(k * n, n);
    deflater.add(plane, coding_of(plane));
  }
  return std::span(stream_).first(deflater.finish());
}

}  // namespace tact
