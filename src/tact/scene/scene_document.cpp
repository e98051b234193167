#include <tact/scene/scene_document.hpp>

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <tact/core/error.hpp>
#include <tact/files/text_file.hpp>
#include <tact/scene/scene_tables.hpp>

namespace tact {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr std::size_t max_include_depth = 16;  // of includes within includes
constexpr int max_files = 1000;  // in all; more is a slip, as files that include others twice

constexpr std::array list_names = {"bodies", "springs", "pins", "joints", "friction"};

std::vector<SceneItem>& list(SceneDocument& document, std::string_view name)
{
  if (name == "bodies") return document.bodies;
  if (name == "springs") return document.springs;
  if (name == "pins") return document.pins;
  if (name == "joints") return document.joints;
  return document.friction;
}

class DocumentReader {  // NOLINT(bugprone-exception-escape): as with Key
 public:
  SceneDocument read(const fs::path& file, const json& root)
  {
    document_.file = file;
    document_.settings = json::object();
    add(file, root);
    const KeyTable settings{.name = "settings", .title = "the settings", .keys = settings_keys()};
    complete(document_.settings, settings, file.parent_path());
    return std::move(document_);
  }

 private:
  void add(const fs::path& file, const json& root)
  {
    const JsonValue view(file, "", root);
    if (!root.is_object()) view.reject("a JSON object");
    check_object(view, scene_file_table());
    chain_.push_back(file);
    if (const auto includes = view.find("include"))
      for (int i = 0; i < includes->array_size(); ++i) include(includes->at(i));
    chain_.pop_back();
    add_settings(root);
    for (const char* name : list_names) add_list(file, root, name);
  }

  void include(const JsonValue& name)
  {
    const fs::path file = name.file().parent_path() / name.text();
    if (!fs::is_regular_file(file))
      name.reject(excerpt(name.text()) + ", which is no file", "a scene file");
    for (const fs::path& open : chain_)
      if (fs::exists(open) && fs::equivalent(open, file))
        name.reject(fmt::format("a file that includes itself: {}", chain_to(file)),
                    "files without a circle");
    if (chain_.size() > max_include_depth)
      name.reject(fmt::format("includes {} deep", chain_.size()),
                  fmt::format("at most {}", max_include_depth));
    if (++files_ > max_files)
      name.reject("one file more", fmt::format("at most {} includes in all", max_files));
    const json root = parse_json(file, read_text(file), Comments::accepted);
    if (root.is_object() && root.contains("scene"))
      name.reject(fmt::format("{}, which is a built-in scene", excerpt(name.text())),
                  "a file with bodies of its own");
    add(file, root);
  }

  std::string chain_to(const fs::path& last) const
  {
    std::string text;
    for (const fs::path& open : chain_) text += open.filename().string() + " -> ";
    return text + last.filename().string();
  }

  void add_settings(const json& root)
  {
    for (const Key& key : settings_keys())
      if (const auto it = root.find(key.name); it != root.end())
        document_.settings.merge_patch({{key.name, *it}});
  }

  void add_list(const fs::path& file, const json& root, const char* name)
  {
    const auto it = root.find(name);
    if (it == root.end()) return;
    json whole = {{name, *it}};
    complete(whole, scene_file_table(), file.parent_path());
    int index = 0;
    for (json& value : whole[name])
      list(document_, name)
          .push_back({file, fmt::format("/{}/{}", name, index++), std::move(value)});
  }

  SceneDocument document_;
  std::vector<fs::path> chain_;
  int files_ = 0;
};

}  // namespace

SceneDocument read_document(const fs::path& file, const json& root)
{
  return DocumentReader().read(file, root);
}

}  // namespace tact
