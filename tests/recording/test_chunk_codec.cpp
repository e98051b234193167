#include <zlib.h>

#include <cmath>
#include <cstddef>
#include <cstring>
#include <vector>

#include <doctest/doctest.h>

#include <tact/core/random.hpp>
#include <tact/recording/chunk_codec.hpp>
#include <tact/recording/hdf5.hpp>

using namespace tact;

namespace {

std::span<const std::byte> raw_bytes(const std::vector<double>& numbers)
{
  return std::as_bytes(std::span(numbers));
}

// By zlib's own decoder and the definition of shuffling.
std::vector<std::byte> decoded(std::span<const std::byte> stream, std::size_t size,
                               std::size_t entry_size)
{
  std::vector<std::byte> planes(size), entries(size);
  uLongf length = size;
  REQUIRE(uncompress(reinterpret_cast<Bytef*>(planes.data()), &length,
                     reinterpret_cast<const Bytef*>(stream.data()), stream.size()) == Z_OK);
  REQUIRE(length == size);
  const std::size_t n = size / entry_size;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < entry_size; ++k) entries[i * entry_size + k] = planes[k * n + i];
  return entries;
}

std::vector<double> random_numbers(int count)
{
  Random random(5);
  std::vector<double> numbers;
  for (int i = 0; i < count; ++i) numbers.push_back(random.uniform(1.0, 2.0));
  return numbers;
}

}  // namespace

TEST_CASE("zlib reads what the chunk codec writes, whatever the entries are")
{
  ChunkCodec codec;
  for (const int count : {1, 255, 256, 4096, 54321}) {
    CAPTURE(count);
    std::vector<double> waves;
    for (int i = 0; i < count; ++i) waves.push_back(std::sin(1e-3 * i));
    for (const std::vector<double>& numbers :
         {random_numbers(count), std::vector<double>(static_cast<std::size_t>(count), 0.1), waves})
      for (const std::size_t entry_size : {std::size_t{1}, std::size_t{8}}) {
        const std::span<const std::byte> bytes = raw_bytes(numbers);
        const auto back = decoded(codec.encode(bytes, entry_size), bytes.size(), entry_size);
        CHECK(std::memcmp(back.data(), bytes.data(), bytes.size()) == 0);
      }
  }
}

TEST_CASE("numbers of equal exponent shrink by it and all equal ones to nearly nothing")
{
  ChunkCodec codec;
  const std::vector<double> noise = random_numbers(20000);
  const std::size_t size = 8 * noise.size();
  // Sign and exponent are 12 of 64 bits; the first four bits of the mantissa share a byte with it.
  CHECK(codec.encode(raw_bytes(noise), 8).size() < size * 0.88);
  CHECK(codec.encode(raw_bytes(noise), 8).size() > size * 52 / 64);
  CHECK(codec.encode(raw_bytes(std::vector<double>(20000, 0.1)), 8).size() < size / 100);
}

TEST_CASE("a table of several chunks comes back by the filters of HDF5")
{
  // 8 MiB a chunk: the third one is a small part of it.
  const std::vector<double> numbers = random_numbers(2 * (1 << 20) + 3);
  const hdf5::Handle file = hdf5::create_in_memory("chunks.h5");
  hdf5::write_list<double>(file, "list", numbers);
  hdf5::write_table(file, "rows", hdf5::native_type<double>(), {numbers.size() / 3, 3},
                    numbers.data());
  CHECK((hdf5::read_list<double>(file, "list") == numbers));
  const hdf5::Table rows(file, "rows");
  REQUIRE(rows.shape().columns == 3);
  std::vector<double> back(rows.shape().entries());
  rows.read(hdf5::native_type<double>(), back.data());
  CHECK((std::memcmp(back.data(), numbers.data(), 8 * back.size()) == 0));
}
