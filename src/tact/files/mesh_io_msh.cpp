// Gmsh, versions 4.1 and 2.2, text. Of the elements, those of type 4 (tetrahedra with four nodes)
// are used; points, lines and triangles, which describe the boundary, are passed over.
#include <limits>
#include <unordered_map>

#include <fmt/core.h>

#include <tact/files/mesh_io_formats.hpp>
#include <tact/files/mesh_io_text.hpp>

namespace tact {
namespace {

constexpr long max_msh_count = std::numeric_limits<int>::max();
constexpr long max_tag = std::numeric_limits<long>::max();

enum MshElement : long { msh_line = 1, msh_triangle = 2, msh_tetrahedron = 4, msh_point = 15 };

class MshReader {
 public:
  MshReader(std::string_view name, std::string_view text) : text_(name, text) {}

  TetMesh read()
  {
    read_format();
    while (text_.next_line()) {
      const std::string_view section = text_.word();
      if (section == "$Nodes")
        version_ == 4 ? read_nodes_4() : read_nodes_2();
      else if (section == "$Elements")
        version_ == 4 ? read_elements_4() : read_elements_2();
      else if (section.starts_with('$'))
        skip_section(section);
      else
        text_.reject(section, "a section that begins with \"$\"");
    }
    if (mesh_.tetrahedra.empty())
      text_.complain("no tetrahedron", "at least one element of type 4");
    return std::move(mesh_);
  }

 private:
  void require_line(std::string_view what)
  {
    if (!text_.next_line()) text_.reject({}, what);
  }

  void require_end(std::string_view section)
  {
    require_line(section);
    if (text_.line() != section) text_.reject(text_.line(), section);
  }

  void skip_section(std::string_view section)
  {
    const std::string end = fmt::format("$End{}", section.substr(1));
    do require_line(end);
    while (text_.line() != end);
  }

  long count(std::string_view what) { return text_.integer(text_.word(), 0, max_msh_count, what); }

  long tag(std::string_view what)
  {
    return text_.integer(text_.word(), std::numeric_limits<long>::min(), max_tag, what);
  }

  void read_format()
  {
    if (!text_.next_line() || text_.line() != "$MeshFormat")
      text_.reject(text_.line(), "\"$MeshFormat\"");
    require_line("a version");
    const std::string_view version = text_.word();
    if (version == "4.1")
      version_ = 4;
    else if (version == "2.2" || version == "2.1" || version == "2")
      version_ = 2;
    else
      text_.reject(version, "version 4.1 or 2.2 (Gmsh: save as \"Version 4 ASCII\")");
    if (const std::string_view kind = text_.word(); kind != "0")
      text_.reject(kind, "0 for a text file (Gmsh: save as \"Version 4 ASCII\")");
    require_end("$EndMeshFormat");
  }

  void add_node(long node_tag)
  {
    Vector3d p;
    for (double& x : p) x = text_.finite(text_.word());
    if (!number_.try_emplace(node_tag, mesh_.vertex_count()).second)
      text_.complain(fmt::format("node {} a second time", node_tag), "each node once");
    mesh_.positions.push_back(p);
  }

  // blocks nodes smallest-tag largest-tag; then for each block its head, all tags, all positions.
  void read_nodes_4()
  {
    require_line("a number of blocks");
    const long blocks = count("a number of blocks");
    std::vector<long> tags;
    for (long b = 0; b < blocks; ++b) {
      require_line("a block of nodes");
      for (int k = 0; k < 3; ++k) tag("three numbers of an entity");
      const long nodes = count("a number of nodes");
      tags.clear();
      for (long i = 0; i < nodes; ++i) {
        require_line("the tag of a node");
        tags.push_back(tag("the tag of a node"));
      }
      for (const long node_tag : tags) {
        require_line("the position of a node");
        add_node(node_tag);
      }
    }
    require_end("$EndNodes");
  }

  void read_nodes_2()
  {
    require_line("a number of nodes");
    const long nodes = count("a number of nodes");
    for (long i = 0; i < nodes; ++i) {
      require_line("a node");
      add_node(tag("the tag of a node"));
    }
    require_end("$EndNodes");
  }

  // What stands after the tag of an element: its nodes, when it is one that we use.
  void read_corners(long type)
  {
    if (type == msh_line || type == msh_triangle || type == msh_point) return;
    if (type != msh_tetrahedron)
      text_.complain(fmt::format("an element of type {}", type),
                     "tetrahedra with four nodes (type 4) and their boundary (types 1, 2, 15)");
    Tetrahedron corners;
    for (int& corner : corners) {
      const std::string_view word = text_.word();
      const auto found = number_.find(text_.integer(word, 0, max_tag, "a node"));
      if (found == number_.end()) text_.reject(word, "the tag of a node in $Nodes");
      corner = found->second;
    }
    mesh_.tetrahedra.push_back(corners);
  }

  // blocks elements smallest-tag largest-tag; then for each block its head and elements.
  void read_elements_4()
  {
    require_line("a number of blocks");
    const long blocks = count("a number of blocks");
    for (long b = 0; b < blocks; ++b) {
      require_line("a block of elements");
      for (int k = 0; k < 2; ++k) tag("two numbers of an entity");
      const long type = count("a type of element");
      const long elements = count("a number of elements");
      for (long i = 0; i < elements; ++i) {
        require_line("an element");
        tag("the tag of an element");
        read_corners(type);
      }
    }
    require_end("$EndElements");
  }

  // tag type number-of-tags tags... nodes...
  void read_elements_2()
  {
    require_line("a number of elements");
    const long elements = count("a number of elements");
    for (long i = 0; i < elements; ++i) {
      require_line("an element");
      tag("the tag of an element");
      const long type = count("a type of element");
      const long tags = text_.integer(text_.word(), 0, 1000, "a number of tags");
      for (long k = 0; k < tags; ++k) tag("a tag");
      read_corners(type);
    }
    require_end("$EndElements");
  }

  MeshText text_;
  int version_ = 4;
  TetMesh mesh_;
  std::unordered_map<long, int> number_;  // tag of a node -> vertex
};

}  // namespace

TetMesh parse_msh(std::string_view name, std::string_view text)
{
  return MshReader(name, text).read();
}

}  // namespace tact
