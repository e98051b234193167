// Values as bytes and back: between two processes of one program, and in checkpoints. Numbers lie
// as they do in memory; lists and texts have their length (u64) before them.
// A struct has one function exchange(archive, value) for both ways, found by its argument:
//   template <class Archive> void exchange(Archive& archive, Point& p) { archive(p.name, p.x); }
#pragma once

#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <tact/core/error.hpp>
#include <tact/core/types.hpp>

namespace tact {

// Whether a copy of its bytes is a copy of the value. Structs of fixed vectors say so themselves.
template <class T>
inline constexpr bool copied_as_bytes = std::is_trivially_copyable_v<T>;
template <>
inline constexpr bool copied_as_bytes<Vector3d> = true;

class ByteWriter {
 public:
  static constexpr bool reads = false;

  template <class... T>
  void operator()(const T&... values)
  {
    (put(values), ...);
  }
  std::string take() { return std::move(bytes_); }

 private:
  void raw(const void* data, std::size_t size)
  {
    bytes_.append(static_cast<const char*>(data), size);
  }
  template <class T>
  void put_all(const T* entries, std::size_t count)
  {
    raw(&count, sizeof count);
    if (count > 0) raw(entries, count * sizeof(T));
  }

  template <class T>
  void put(const T& value)
  {
    if constexpr (copied_as_bytes<T>)
      raw(&value, sizeof(T));
    else
      exchange(*this, const_cast<T&>(value));  // which changes what is read only
  }
  void put(const std::string& text) { put_all(text.data(), text.size()); }
  void put(const VectorXd& x) { put_all(x.data(), static_cast<std::size_t>(x.size())); }
  template <class T>
  void put(const std::vector<T>& list)
  {
    if constexpr (copied_as_bytes<T>) {
      put_all(list.data(), list.size());
    } else {
      put(list.size());
      for (const T& entry : list) put(entry);
    }
  }

  std::string bytes_;
};

// Throws Error where the bytes end too soon.
class ByteReader {
 public:
  static constexpr bool reads = true;

  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

  template <class... T>
  void operator()(T&... values)
  {
    (get(values), ...);
  }
  bool at_end() const { return bytes_.empty(); }

 private:
  const char* raw(std::size_t size)
  {
    if (size > bytes_.size()) throw Error("it ends too early");
    const char* data = bytes_.data();
    bytes_.remove_prefix(size);
    return data;
  }
  // Their number, once it is sure that as many can follow.
  std::size_t count_of(std::size_t entry_size)
  {
    std::size_t count = 0;
    get(count);
    if (count > bytes_.size() / entry_size) throw Error("it ends too early");
    return count;
  }
  template <class List>
  void get_all(List& list)
  {
    using T = std::remove_reference_t<decltype(*list.data())>;
    const std::size_t count = count_of(sizeof(T));
    list.resize(static_cast<decltype(list.size())>(count));
    if (count > 0)
      std::memcpy(static_cast<void*>(list.data()), raw(count * sizeof(T)), count * sizeof(T));
  }

  template <class T>
  void get(T& value)
  {
    if constexpr (copied_as_bytes<T>)
      std::memcpy(static_cast<void*>(&value), raw(sizeof(T)), sizeof(T));
    else
      exchange(*this, value);
  }
  void get(std::string& text) { get_all(text); }
  void get(VectorXd& x) { get_all(x); }
  template <class T>
  void get(std::vector<T>& list)
  {
    if constexpr (copied_as_bytes<T>) {
      get_all(list);
    } else {
      list.resize(count_of(1));  // each has at least a byte
      for (T& entry : list) get(entry);
    }
  }

  std::string_view bytes_;
};

}  // namespace tact
