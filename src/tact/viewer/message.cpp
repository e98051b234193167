#include <tact/viewer/message.hpp>

#include <bit>
#include <cstring>

#include <fmt/format.h>

#include <tact/core/error.hpp>

namespace tact {

static_assert(std::endian::native == std::endian::little);

namespace {

constexpr std::size_t alignment = 4;

template <class T>
constexpr const char* number_type = "";
template <>
constexpr const char* number_type<float> = "f32";
template <>
constexpr const char* number_type<std::uint32_t> = "u32";
template <>
constexpr const char* number_type<std::int32_t> = "i32";
template <>
constexpr const char* number_type<std::uint16_t> = "u16";
template <>
constexpr const char* number_type<std::uint8_t> = "u8";

std::size_t padded(std::size_t size)
{
  return (size + alignment - 1) / alignment * alignment;
}

}  // namespace

void MessageWriter::add(std::string_view name, const char* type, std::span<const std::byte> bytes,
                        std::size_t count)
{
  arrays_[std::string(name)] = {type, payload_.size(), count};
  payload_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  payload_.resize(padded(payload_.size()), '\0');
}

void MessageWriter::add(std::string_view name, std::span<const float> numbers)
{
  add(name, number_type<float>, std::as_bytes(numbers), numbers.size());
}

void MessageWriter::add(std::string_view name, std::span<const std::uint32_t> numbers)
{
  add(name, number_type<std::uint32_t>, std::as_bytes(numbers), numbers.size());
}

void MessageWriter::add(std::string_view name, std::span<const std::int32_t> numbers)
{
  add(name, number_type<std::int32_t>, std::as_bytes(numbers), numbers.size());
}

void MessageWriter::add(std::string_view name, std::span<const std::uint16_t> numbers)
{
  add(name, number_type<std::uint16_t>, std::as_bytes(numbers), numbers.size());
}

void MessageWriter::add(std::string_view name, std::span<const std::uint8_t> numbers)
{
  add(name, number_type<std::uint8_t>, std::as_bytes(numbers), numbers.size());
}

std::string MessageWriter::finish(nlohmann::json head) const
{
  head["arrays"] = arrays_;
  // Names come from files: what is no UTF-8 is shown as such, not refused.
  std::string text = head.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  text.resize(padded(text.size()), ' ');
  const auto size = static_cast<std::uint32_t>(text.size());
  std::string message;
  message.reserve(sizeof size + text.size() + payload_.size());
  message.append(reinterpret_cast<const char*>(&size), sizeof size);
  message += text;
  message += payload_;
  return message;
}

ReadMessage read_message(std::string_view message)
{
  std::uint32_t size = 0;
  if (message.size() < sizeof size) throw Error("message: found less than a head");
  std::memcpy(&size, message.data(), sizeof size);
  if (message.size() < sizeof size + size) throw Error("message: found half a head");
  return {nlohmann::json::parse(message.substr(sizeof size, size)),
          message.substr(sizeof size + size)};
}

template <class T>
std::vector<T> ReadMessage::array(const std::string& name) const
{
  const nlohmann::json& arrays = head.at("arrays");
  if (!arrays.contains(name) || arrays[name][0] != number_type<T>)
    throw Error(fmt::format("message: found no array \"{}\" of {}", name, number_type<T>));
  const auto offset = arrays[name][1].get<std::size_t>(),
             count = arrays[name][2].get<std::size_t>();
  if (offset + count * sizeof(T) > payload.size())
    throw Error(fmt::format("message: array \"{}\" reaches behind the end", name));
  std::vector<T> numbers(count);
  std::memcpy(numbers.data(), payload.data() + offset, count * sizeof(T));
  return numbers;
}

template std::vector<float> ReadMessage::array(const std::string&) const;
template std::vector<std::uint32_t> ReadMessage::array(const std::string&) const;
template std::vector<std::int32_t> ReadMessage::array(const std::string&) const;
template std::vector<std::uint16_t> ReadMessage::array(const std::string&) const;
template std::vector<std::uint8_t> ReadMessage::array(const std::string&) const;

}  // namespace tact
