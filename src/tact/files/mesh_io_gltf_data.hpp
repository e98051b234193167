// What a glTF file holds: JSON that describes it, and numbers in buffers that the JSON points into.
//
// Every length is compared with the bytes that are there before anything of that length is made, so
// that reading takes a few times the memory of the file and those that it names.
#pragma once

#include <cstddef>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include <tact/core/types.hpp>
#include <tact/files/json_reader.hpp>

namespace tact {

class GltfData {
 public:
  // The content of a .gltf or .glb file; it and the path outlive this. Throws Error.
  GltfData(const std::filesystem::path& file, std::string_view content);
  GltfData(const GltfData&) = delete;
  GltfData& operator=(const GltfData&) = delete;

  JsonValue root() const { return {file_, "", json_}; }

  std::size_t bytes_read() const { return content_bytes_ + file_bytes_; }

  // The item of the top-level list that an index points to: item(node.member("mesh"), "meshes").
  JsonValue item(const JsonValue& index, std::string_view list) const;

  // The numbers of the accessor that an index points to.
  std::vector<Vector3d> positions(const JsonValue& index);
  std::vector<int> vertex_numbers(const JsonValue& index, int vertex_count);

 private:
  struct Elements {
    std::string_view bytes;  // from the first element on
    std::size_t stride;      // bytes
    int component;           // what one number is: glTF's number for it
    int count;
  };

  void split_glb(std::string_view content);
  Elements elements(const JsonValue& accessor, std::string_view type,
                    std::initializer_list<int> components);
  std::string_view view_bytes(const JsonValue& view);
  std::string_view buffer_bytes(const JsonValue& index);
  std::string_view loaded(const JsonValue& uri);

  const std::filesystem::path& file_;
  std::string_view json_text_;
  std::string_view binary_chunk_;
  nlohmann::json json_;
  std::map<std::string, std::string> loaded_;  // bytes of buffers, by the pointer to their uri
  std::size_t content_bytes_;                  // of the file itself
  std::size_t file_bytes_ = 0;                 // of files read for buffers
};

}  // namespace tact
