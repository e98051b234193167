// The little of HDF5's C interface that recordings need, with handles that close themselves and
// failures that throw. Inside this layer only.
#pragma once

#include <hdf5.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <tact/core/error.hpp>

namespace tact::hdf5 {

// A call of the library failed; what() says what it was to do. Whoever knows the file turns it into
// an Error that names it.
class Failure : public Error {
 public:
  using Error::Error;
};

// While one of these lives the library keeps its own complaints off stderr.
class Quiet {
 public:
  Quiet();
  ~Quiet();
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

 private:
  H5E_auto2_t report_ = nullptr;
  void* data_ = nullptr;
};

// For good: a library that met its limits complains even at the end of the program.
void silence();

class Handle {
 public:
  using Close = herr_t (*)(hid_t);

  Handle() = default;
  Handle(hid_t id, Close close, const std::string& what) : id_(id), close_(close)
  {
    if (id < 0) throw Failure("cannot " + what);
  }
  ~Handle() { reset(); }
  Handle(Handle&& other) noexcept
      : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_)
  {
  }
  Handle& operator=(Handle&& other) noexcept
  {
    reset();
    id_ = std::exchange(other.id_, H5I_INVALID_HID);
    close_ = other.close_;
    return *this;
  }

  hid_t id() const { return id_; }
  bool valid() const { return id_ >= 0; }
  void reset()
  {
    if (id_ >= 0) close_(std::exchange(id_, H5I_INVALID_HID));
  }

 private:
  hid_t id_ = H5I_INVALID_HID;
  Close close_ = nullptr;
};

inline void require(bool worked, const std::string& what)
{
  if (!worked) throw Failure("cannot " + what);
}

// ---- files --------------------------------------------------------------------------------------

// A file that lives in memory. `name` tells it from others that are open; nothing of that name is
// made. Its bytes are those that the file would have on disk.
Handle create_in_memory(const std::filesystem::path& name);
std::vector<std::byte> image(const Handle& file);

Handle open_to_read(const std::filesystem::path& file);
Handle open_to_extend(const std::filesystem::path& file);

// ---- groups and links ---------------------------------------------------------------------------

Handle create_group(const Handle& location, const std::string& name);
Handle open_group(const Handle& location, const std::string& name);
bool exists(const Handle& location, const std::string& name);
void link_to_file(const Handle& location, const std::string& name, const std::string& file,
                  const std::string& path_in_file);

// The object of that name with all it holds; compressed data stays as it is.
void copy(const Handle& source, const Handle& target, const std::string& name);

// ---- numbers and text ---------------------------------------------------------------------------

template <class T>
hid_t native_type();
template <>
hid_t native_type<double>();
template <>
hid_t native_type<std::int32_t>();
template <>
hid_t native_type<std::int64_t>();
template <>
hid_t native_type<std::uint64_t>();

void write_attribute(const Handle& object, const std::string& name, hid_t type, const void* value);
void read_attribute(const Handle& object, const std::string& name, hid_t type, void* value);
bool has_attribute(const Handle& object, const std::string& name);

template <class T>
void write_attribute(const Handle& object, const std::string& name, T value)
{
  write_attribute(object, name, native_type<T>(), &value);
}
template <class T>
T read_attribute(const Handle& object, const std::string& name)
{
  T value{};
  read_attribute(object, name, native_type<T>(), &value);
  return value;
}
void write_text_attribute(const Handle& object, const std::string& name, const std::string& text);
std::string read_text_attribute(const Handle& object, const std::string& name);

// ---- tables -------------------------------------------------------------------------------------

// `columns` 0 makes a plain list of `rows` entries. Tables above 4 KiB are stored in chunks,
// shuffled and deflated (level 1: higher ones gain 1 % on coordinates).
struct Shape {
  std::size_t rows = 0;
  std::size_t columns = 0;

  std::size_t entries() const { return rows * (columns == 0 ? 1 : columns); }
};

// A table as it will lie in the file. To make one calls nothing of the library, which must not be
// called on two threads at once, and takes most of the time of writing.
struct PackedTable {
  std::size_t entry_size = 0;  // B
  Shape shape;
  std::size_t chunk_rows = 0;  // 0: stored as it is
  std::vector<std::vector<std::byte>>
      streams;  // one a chunk; the table itself where there are none
};
PackedTable pack(std::size_t entry_size, Shape shape, const void* entries);

void write_table(const Handle& location, const std::string& name, hid_t type,
                 const PackedTable& table);
void write_table(const Handle& location, const std::string& name, hid_t type, Shape shape,
                 const void* entries);

// A table opened to be read; its shape must be looked at before memory is made for its entries.
class Table {
 public:
  Table(const Handle& location, const std::string& name);
  Shape shape() const { return shape_; }
  void read(hid_t type, void* entries) const;

 private:
  std::string name_;
  Handle dataset_;
  Shape shape_;
};

template <class T>
void write_list(const Handle& location, const std::string& name, std::span<const T> entries)
{
  write_table(location, name, native_type<T>(), {entries.size()}, entries.data());
}
template <class T>
std::vector<T> read_list(const Handle& location, const std::string& name)
{
  const Table table(location, name);
  std::vector<T> entries(table.shape().entries());
  table.read(native_type<T>(), entries.data());
  return entries;
}

// Text of any length; an attribute holds at most 64 KiB.
void write_long_text(const Handle& location, const std::string& name, const std::string& text);
std::string read_long_text(const Handle& location, const std::string& name);

}  // namespace tact::hdf5
