#include <tact/scene/scene_patch.hpp>

#include <charconv>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tact/core/error.hpp>
#include <tact/files/text_file.hpp>

namespace tact {
namespace {

using nlohmann::json;

[[noreturn]] void reject(std::string_view place, std::string_view found, std::string_view expected)
{
  throw Error(fmt::format("--set {}: found {}, expected {}", place, found, expected));
}

// RFC 6901: "~1" stands for "/", "~0" for "~".
std::string unescaped(std::string_view step)
{
  std::string text;
  for (std::size_t i = 0; i < step.size(); ++i) {
    const bool escape = step[i] == '~' && i + 1 < step.size();
    if (escape && (step[i + 1] == '0' || step[i + 1] == '1'))
      text.push_back(step[++i] == '1' ? '/' : '~');
    else
      text.push_back(step[i]);
  }
  return text;
}

std::vector<std::string> steps_of(std::string_view pointer)
{
  std::vector<std::string> steps;
  while (!pointer.empty()) {
    const std::size_t next = pointer.find('/', 1);
    steps.push_back(unescaped(pointer.substr(1, next == pointer.npos ? next : next - 1)));
    pointer = next == pointer.npos ? "" : pointer.substr(next);
  }
  return steps;
}

json parse_value(const std::string& text)
{
  json value = json::parse(text, nullptr, false, true);
  return value.is_discarded() ? json(text) : value;
}

json& element(json& array, const std::string& step, std::string_view pointer)
{
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(step.data(), step.data() + step.size(), index);
  const bool whole = error == std::errc{} && end == step.data() + step.size();
  if (!whole || index >= array.size())
    reject(pointer, fmt::format("the index {}", excerpt(step)),
           array.empty() ? "none, as the array is empty"
                         : fmt::format("one from 0 to {}", array.size() - 1));
  return array[index];
}

json& enter(json& parent, const std::string& step, std::string_view pointer)
{
  if (parent.is_null()) parent = json::object();  // made on the way
  if (parent.is_array()) return element(parent, step, pointer);
  if (!parent.is_object())
    reject(pointer, fmt::format("{} where {} should be", parent.dump(), excerpt(step)),
           "an object or an array");
  return parent[step];
}

// json::dump throws for text that is no UTF-8, here where the message can say so.
void require_utf8(const std::string& text)
{
  try {
    (void)json(text).dump();
  } catch (const json::exception&) {
    throw Error("--set: found bytes that are no UTF-8, expected /json/pointer=value");
  }
}

}  // namespace

void apply_patch(json& document, const std::string& patch)
{
  require_utf8(patch);
  const std::size_t equals = patch.find('=');
  if (!patch.starts_with('/') || equals == std::string::npos)
    reject("", excerpt(patch), "/json/pointer=value, as in /mu=0.5 or /bodies/0/mass=2");
  const std::string pointer = patch.substr(0, equals);
  json* target = &document;
  for (const std::string& step : steps_of(pointer)) target = &enter(*target, step, pointer);
  *target = parse_value(patch.substr(equals + 1));
}

}  // namespace tact
