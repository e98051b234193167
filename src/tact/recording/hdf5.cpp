#include <tact/recording/hdf5.hpp>

#include <algorithm>
#include <array>

#include <fmt/core.h>

#include <tact/recording/chunk_codec.hpp>

namespace tact::hdf5 {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t memory_increment = 4 << 20;  // B by which a file in memory grows
constexpr std::size_t chunk_limit = 8 << 20;       // B
constexpr std::size_t compact_limit = 4 << 10;     // B; below it a filter has nothing to gain
constexpr std::size_t longest_text = 64 << 20;     // B, far above any scene
constexpr std::size_t best_deflation = 1100;       // no deflated byte stands for more
constexpr unsigned open_segments = 8;              // files that links lead to and that stay open

Handle property_list(hid_t kind)
{
  return {H5Pcreate(kind), H5Pclose, "make a property list"};
}

// The oldest format, which every tool reads: of newer ones HDF5 1.10 gives an image with a wrong
// checksum (HDFGroup/hdf5 pull request 5489).
Handle file_access()
{
  Handle access = property_list(H5P_FILE_ACCESS);
  H5Pset_libver_bounds(access.id(), H5F_LIBVER_EARLIEST, H5F_LIBVER_V110);
  H5Pset_elink_file_cache_size(access.id(), open_segments);
  return access;
}

// Groups that keep the order of their links need no tree of names while they are small. Nothing
// carries the time of its making: same frames, same bytes.
void make_plain(const Handle& creation)
{
  H5Pset_link_creation_order(creation.id(), H5P_CRT_ORDER_TRACKED);
  H5Pset_obj_track_times(creation.id(), false);
}

Handle file_creation()
{
  Handle creation = property_list(H5P_FILE_CREATE);
  make_plain(creation);
  H5Pset_istore_k(creation.id(), 1);  // tables have few chunks; a wider index costs 2.6 kB each
  return creation;
}

Handle scalar_space()
{
  return {H5Screate(H5S_SCALAR), H5Sclose, "make a scalar"};
}

// Text of fixed length; HDF5 has none of length 0, so that empty text is one blank byte.
Handle text_type(std::size_t length)
{
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "make a text type");
  H5Tset_size(type.id(), std::max<std::size_t>(length, 1));
  H5Tset_strpad(type.id(), H5T_STR_NULLPAD);
  H5Tset_cset(type.id(), H5T_CSET_UTF8);
  return type;
}

std::size_t text_length(hid_t type, const std::string& name)
{
  const bool fixed = H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0;
  require(fixed && H5Tget_size(type) <= longest_text, "read " + name + " as text");
  return H5Tget_size(type);
}

void trim_padding(std::string& text)
{
  text.resize(text.find_last_not_of('\0') + 1);
}

// How many rows a chunk has; 0: the table is small enough to be stored as it is.
std::size_t rows_in_chunk(std::size_t entry_size, Shape shape)
{
  const std::size_t bytes = shape.entries() * entry_size;
  if (bytes < compact_limit) return 0;
  return std::clamp<std::size_t>(chunk_limit * shape.rows / bytes, 1, shape.rows);
}

Handle storage(Shape shape, std::size_t chunk_rows)
{
  Handle creation = property_list(H5P_DATASET_CREATE);
  H5Pset_obj_track_times(creation.id(), false);
  if (chunk_rows == 0) {
    H5Pset_layout(creation.id(), H5D_COMPACT);
    return creation;
  }
  const std::array<hsize_t, 2> chunk{chunk_rows, shape.columns};
  H5Pset_chunk(creation.id(), shape.columns == 0 ? 1 : 2, chunk.data());
  H5Pset_shuffle(creation.id());
  H5Pset_deflate(creation.id(), 1);
  return creation;
}

// What the last chunk has beyond the table is zero.
void pack_chunks(std::span<const std::byte> bytes, PackedTable& table)
{
  const std::size_t chunk_bytes = table.chunk_rows * (bytes.size() / table.shape.rows);
  ChunkCodec codec;
  for (std::size_t first = 0; first < bytes.size(); first += chunk_bytes) {
    std::span<const std::byte> chunk =
        bytes.subspan(first, std::min(chunk_bytes, bytes.size() - first));
    std::vector<std::byte> padded;
    if (chunk.size() < chunk_bytes) {
      padded.assign(chunk.begin(), chunk.end());
      padded.resize(chunk_bytes);
      chunk = padded;
    }
    const std::span<const std::byte> stream = codec.encode(chunk, table.entry_size);
    table.streams.emplace_back(stream.begin(), stream.end());
  }
}

// Whether a table is stored in chunks. The library copies the entries of others from where they
// stand, and past their end where a damaged file claims more of them.
bool is_chunked(const Handle& dataset)
{
  const Handle creation(H5Dget_create_plist(dataset.id()), H5Pclose, "look at a table");
  return H5Pget_layout(creation.id()) == H5D_CHUNKED;
}

std::size_t stored_entries(const Handle& dataset)
{
  const Handle type(H5Dget_type(dataset.id()), H5Tclose, "look at a table");
  const std::size_t entry = H5Tget_size(type.id());
  return entry > 0 ? H5Dget_storage_size(dataset.id()) / entry : 0;
}

}  // namespace

Quiet::Quiet()
{
  H5Eget_auto2(H5E_DEFAULT, &report_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Quiet::~Quiet()
{
  H5Eset_auto2(H5E_DEFAULT, report_, data_);
}

void silence()
{
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Handle create_in_memory(const fs::path& name)
{
  const Handle access = file_access();
  H5Pset_fapl_core(access.id(), memory_increment, false);
  return {H5Fcreate(name.c_str(), H5F_ACC_TRUNC, file_creation().id(), access.id()), H5Fclose,
          "make a file in memory"};
}

std::vector<std::byte> image(const Handle& file)
{
  require(H5Fflush(file.id(), H5F_SCOPE_GLOBAL) >= 0, "flush a file in memory");
  const ssize_t size = H5Fget_file_image(file.id(), nullptr, 0);
  require(size >= 0, "copy a file from memory");
  std::vector<std::byte> bytes(static_cast<std::size_t>(size));
  require(H5Fget_file_image(file.id(), bytes.data(), bytes.size()) == size,
          "copy a file from memory");
  return bytes;
}

Handle open_to_read(const fs::path& file)
{
  return {H5Fopen(file.c_str(), H5F_ACC_RDONLY, file_access().id()), H5Fclose,
          "open it as an HDF5 file"};
}

Handle open_to_extend(const fs::path& file)
{
  return {H5Fopen(file.c_str(), H5F_ACC_RDWR, file_access().id()), H5Fclose, "extend the file"};
}

Handle create_group(const Handle& location, const std::string& name)
{
  const Handle creation = property_list(H5P_GROUP_CREATE);
  make_plain(creation);
  return {H5Gcreate2(location.id(), name.c_str(), H5P_DEFAULT, creation.id(), H5P_DEFAULT),
          H5Gclose, "make the group " + name};
}

Handle open_group(const Handle& location, const std::string& name)
{
  return {H5Gopen2(location.id(), name.c_str(), H5P_DEFAULT), H5Gclose, "read the group " + name};
}

bool exists(const Handle& location, const std::string& name)
{
  return H5Lexists(location.id(), name.c_str(), H5P_DEFAULT) > 0;
}

void link_to_file(const Handle& location, const std::string& name, const std::string& file,
                  const std::string& path_in_file)
{
  require(H5Lcreate_external(file.c_str(), path_in_file.c_str(), location.id(), name.c_str(),
                             H5P_DEFAULT, H5P_DEFAULT) >= 0,
          "make the link " + name);
}

void copy(const Handle& source, const Handle& target, const std::string& name)
{
  require(
      H5Ocopy(source.id(), name.c_str(), target.id(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT) >= 0,
      "copy " + name);
}

template <>
hid_t native_type<double>()
{
  return H5T_NATIVE_DOUBLE;
}
template <>
hid_t native_type<std::int32_t>()
{
  return H5T_NATIVE_INT32;
}
template <>
hid_t native_type<std::int64_t>()
{
  return H5T_NATIVE_INT64;
}
template <>
hid_t native_type<std::uint64_t>()
{
  return H5T_NATIVE_UINT64;
}

void write_attribute(const Handle& object, const std::string& name, hid_t type, const void* value)
{
  const std::string what = "write the attribute " + name;
  const Handle attribute(
      H5Acreate2(object.id(), name.c_str(), type, scalar_space().id(), H5P_DEFAULT, H5P_DEFAULT),
      H5Aclose, what);
  require(H5Awrite(attribute.id(), type, value) >= 0, what);
}

void read_attribute(const Handle& object, const std::string& name, hid_t type, void* value)
{
  const std::string what = "read the attribute " + name;
  const Handle attribute(H5Aopen(object.id(), name.c_str(), H5P_DEFAULT), H5Aclose, what);
  const Handle space(H5Aget_space(attribute.id()), H5Sclose, what);
  require(H5Sget_simple_extent_npoints(space.id()) == 1, what);
  require(H5Aread(attribute.id(), type, value) >= 0, what);
}

bool has_attribute(const Handle& object, const std::string& name)
{
  return H5Aexists(object.id(), name.c_str()) > 0;
}

void write_text_attribute(const Handle& object, const std::string& name, const std::string& text)
{
  // c_str() of empty text has the one byte that its type wants.
  write_attribute(object, name, text_type(text.size()).id(), text.c_str());
}

std::string read_text_attribute(const Handle& object, const std::string& name)
{
  const std::string what = "read the attribute " + name;
  const Handle attribute(H5Aopen(object.id(), name.c_str(), H5P_DEFAULT), H5Aclose, what);
  const Handle type(H5Aget_type(attribute.id()), H5Tclose, what);
  const Handle space(H5Aget_space(attribute.id()), H5Sclose, what);
  require(H5Sget_simple_extent_npoints(space.id()) == 1, what);
  std::string text(text_length(type.id(), name), '\0');
  require(H5Aread(attribute.id(), type.id(), text.data()) >= 0, what);
  trim_padding(text);
  return text;
}

PackedTable pack(std::size_t entry_size, Shape shape, const void* entries)
{
  PackedTable table{.entry_size = entry_size,
                    .shape = shape,
                    .chunk_rows = rows_in_chunk(entry_size, shape),
                    .streams = {}};
  if (shape.entries() == 0) return table;
  const std::span bytes(static_cast<const std::byte*>(entries), shape.entries() * entry_size);
  if (table.chunk_rows > 0) {
    pack_chunks(bytes, table);
  } else {
    table.streams.emplace_back(bytes.begin(), bytes.end());
  }
  return table;
}

// Chunks go past the filters of the library: ChunkCodec did their work.
void write_table(const Handle& location, const std::string& name, hid_t type,
                 const PackedTable& table)
{
  const std::string what = "write " + name;
  require(H5Tget_size(type) == table.entry_size, what);
  const Shape& shape = table.shape;
  const std::array<hsize_t, 2> size{shape.rows, shape.columns};
  const Handle space(H5Screate_simple(shape.columns == 0 ? 1 : 2, size.data(), nullptr), H5Sclose,
                     what);
  const Handle dataset(H5Dcreate2(location.id(), name.c_str(), type, space.id(), H5P_DEFAULT,
                                  storage(shape, table.chunk_rows).id(), H5P_DEFAULT),
                       H5Dclose, what);
  hsize_t row = 0;
  for (const std::vector<std::byte>& stream : table.streams) {
    const std::array<hsize_t, 2> place{row, 0};
    const herr_t written =
        table.chunk_rows > 0
            ? H5Dwrite_chunk(dataset.id(), H5P_DEFAULT, 0, place.data(), stream.size(),
                             stream.data())
            : H5Dwrite(dataset.id(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, stream.data());
    require(written >= 0, what);
    row += table.chunk_rows;
  }
}

void write_table(const Handle& location, const std::string& name, hid_t type, Shape shape,
                 const void* entries)
{
  write_table(location, name, type, pack(H5Tget_size(type), shape, entries));
}

Table::Table(const Handle& location, const std::string& name)
    : name_(name),
      dataset_(H5Dopen2(location.id(), name.c_str(), H5P_DEFAULT), H5Dclose, "read " + name)
{
  const Handle space(H5Dget_space(dataset_.id()), H5Sclose, "read " + name);
  const int rank = H5Sget_simple_extent_ndims(space.id());
  require(rank == 1 || rank == 2, "read " + name + " as a table");
  std::array<hsize_t, 2> size{};
  H5Sget_simple_extent_dims(space.id(), size.data(), nullptr);
  shape_ = {static_cast<std::size_t>(size[0]), rank == 1 ? 0 : static_cast<std::size_t>(size[1])};
  // A damaged file may claim any size; no memory is made for what it cannot hold.
  const std::size_t most = best_deflation * H5Dget_storage_size(dataset_.id());
  require(shape_.entries() == 0 ||
              (shape_.rows <= most && shape_.columns <= most && shape_.entries() <= most),
          "find as many entries of " + name + " as the file claims");
  require(is_chunked(dataset_) || shape_.entries() <= stored_entries(dataset_),
          "find as many entries of " + name + " as the file claims");
}

void Table::read(hid_t type, void* entries) const
{
  if (shape_.entries() == 0) return;
  require(H5Dread(dataset_.id(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, entries) >= 0,
          "read " + name_);
}

void write_long_text(const Handle& location, const std::string& name, const std::string& text)
{
  const std::string what = "write " + name;
  const Handle type = text_type(text.size());
  const Handle creation = property_list(H5P_DATASET_CREATE);
  H5Pset_obj_track_times(creation.id(), false);
  const Handle dataset(H5Dcreate2(location.id(), name.c_str(), type.id(), scalar_space().id(),
                                  H5P_DEFAULT, creation.id(), H5P_DEFAULT),
                       H5Dclose, what);
  require(H5Dwrite(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.c_str()) >= 0,
          what);
}

std::string read_long_text(const Handle& location, const std::string& name)
{
  const std::string what = "read " + name;
  const Handle dataset(H5Dopen2(location.id(), name.c_str(), H5P_DEFAULT), H5Dclose, what);
  const Handle type(H5Dget_type(dataset.id()), H5Tclose, what);
  const Handle space(H5Dget_space(dataset.id()), H5Sclose, what);
  require(H5Sget_simple_extent_npoints(space.id()) == 1, what);
  std::string text(text_length(type.id(), name), '\0');
  require(H5Dread(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()) >= 0, what);
  trim_padding(text);
  return text;
}

}  // namespace tact::hdf5
