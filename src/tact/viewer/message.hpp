// What goes to the page in one piece: a JSON head and named arrays of numbers.
//
//   bytes 0..3   n, the length of the head
//   n bytes      the head: JSON, padded by spaces so that 4 + n is a multiple of 4. Its key
//                "arrays" tells of each array the type, where it starts and how long it is:
//                {"positions": ["u16", 128, 7500]}
//   the arrays   little endian, each at a multiple of 4 from the end of the head
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace tact {

// Shared by all who still have to send it.
using Message = std::shared_ptr<const std::string>;

class MessageWriter {
 public:
  void add(std::string_view name, std::span<const float> numbers);
  void add(std::string_view name, std::span<const std::uint32_t> numbers);
  void add(std::string_view name, std::span<const std::int32_t> numbers);
  void add(std::string_view name, std::span<const std::uint16_t> numbers);
  void add(std::string_view name, std::span<const std::uint8_t> numbers);

  // `head` is an object without the key "arrays".
  std::string finish(nlohmann::json head) const;

 private:
  void add(std::string_view name, const char* type, std::span<const std::byte> bytes,
           std::size_t count);

  nlohmann::json arrays_ = nlohmann::json::object();
  std::string payload_;
};

// The other way, as the page does it: for tests.
struct ReadMessage {
  nlohmann::json head;
  std::string_view payload;  // views into the message

  // Throws Error when there is no array of that name, or one of another type.
  template <class T>
  std::vector<T> array(const std::string& name) const;
};

// Throws Error for what is no message.
ReadMessage read_message(std::string_view message);

}  // namespace tact
