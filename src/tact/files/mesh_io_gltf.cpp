// glTF 2.0, text (.gltf) and binary (.glb): the triangles of a scene, placed by their nodes.
//
// What changes shapes and is not read here is refused: skins, morph targets, compressed and sparse
// accessors. Materials, cameras, lights and animations are passed over, and so are points and
// lines. Positions in glTF are single precision.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include <fmt/core.h>
#include <Eigen/Geometry>

#include <tact/core/error.hpp>
#include <tact/files/mesh_io_formats.hpp>
#include <tact/files/mesh_io_gltf_data.hpp>

namespace tact {
namespace {

constexpr int separate = 4, fan = 6;  // triangles: modes of a primitive; 5 is a strip
// Many nodes may show one mesh, so that a small file can show a large scene. What is shown once
// takes at most four bytes for one of the file: an index.
constexpr std::size_t max_repeated_bytes = std::size_t{1} << 28;
constexpr int max_primitives = 1'000'000;
constexpr double unit_error = 1e-3;  // of the norm of a rotation; single precision leaves 1e-7

Vector3d vector_or(const JsonValue& node, std::string_view key, double otherwise)
{
  const auto given = node.find(key);
  return given ? Vector3d(given->vector(3)) : Vector3d::Constant(otherwise);
}

Eigen::Affine3d matrix_of(const JsonValue& matrix)
{
  const VectorXd columns = matrix.vector(16);
  Eigen::Affine3d placement;
  placement.matrix() = Eigen::Map<const Eigen::Matrix4d>(columns.data());
  if (placement.matrix().row(3) != Eigen::RowVector4d(0, 0, 0, 1))
    matrix.reject("a matrix with another last row", "0 0 0 1 in the last row");
  return placement;
}

// A matrix, or scale, then rotation, then translation.
Eigen::Affine3d placement_in_parent(const JsonValue& node)
{
  if (const auto matrix = node.find("matrix")) {
    for (const char* key : {"translation", "rotation", "scale"})
      if (node.find(key)) node.reject(fmt::format("a matrix and a {}", key), "one or the other");
    return matrix_of(*matrix);
  }
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
  if (const auto given = node.find("rotation")) {
    rotation.coeffs() = given->vector(4);  // x y z w
    if (!(std::abs(rotation.norm() - 1.0) <= unit_error)) given->reject("a unit quaternion");
    rotation.normalize();
  }
  return Eigen::Translation3d(vector_or(node, "translation", 0.0)) * rotation *
         Eigen::Scaling(vector_or(node, "scale", 1.0));
}

// Three vertices for each triangle of a strip or a fan. Strips turn back on themselves by triangles
// with a repeated vertex, which are left out.
std::vector<int> as_list(const std::vector<int>& v, int mode)
{
  std::vector<int> corners;
  for (std::size_t i = 0; i + 2 < v.size(); ++i) {
    const std::size_t odd = i % 2;
    const Triangle t = mode == fan ? Triangle{v[i + 1], v[i + 2], v[0]}
                                   : Triangle{v[i], v[i + 1 + odd], v[i + 2 - odd]};
    if (t[0] != t[1] && t[1] != t[2] && t[2] != t[0])
      corners.insert(corners.end(), t.begin(), t.end());
  }
  return corners;
}

class GltfTriangles {
 public:
  explicit GltfTriangles(GltfData& data) : data_(data) {}

  TriMesh collect()
  {
    refuse_extensions();
    const auto chosen = data_.root().find("scene");
    const JsonValue scenes = data_.root().member("scenes", "a list of scenes");
    if (scenes.array_size() == 0) scenes.reject("at least one");
    const JsonValue scene = chosen ? data_.item(*chosen, "scenes") : scenes.at(0);
    if (const auto roots = scene.find("nodes")) add_tree(*roots);
    return std::move(mesh_);
  }

 private:
  struct PlacedNode {
    JsonValue node;
    Eigen::Affine3d placement;
  };

  // Of the extensions that a reader must know, those of surfaces and lights do not change shapes.
  void refuse_extensions() const
  {
    const auto required = data_.root().find("extensionsRequired");
    for (int i = 0; required && i < required->array_size(); ++i) {
      const std::string name = required->at(i).text();
      const auto begins = [&](const char* start) { return name.starts_with(start); };
      if (!begins("KHR_materials_") && !begins("KHR_texture_") && !begins("KHR_lights_") &&
          !begins("EXT_texture_"))
        required->at(i).reject("no extension that changes shapes or how they are stored");
    }
  }

  // Parents before their children, in the order of the file. No node may be reached twice, so that
  // circles end and what is shown does not grow beyond the list of nodes.
  void add_tree(const JsonValue& roots)
  {
    std::vector<PlacedNode> waiting;
    const auto wait = [&](const JsonValue& indices, const Eigen::Affine3d& parent) {
      for (int i = indices.array_size() - 1; i >= 0; --i) {
        const JsonValue node = data_.item(indices.at(i), "nodes");
        const int number = indices.at(i).integer_in(0, std::numeric_limits<int>::max());
        reached_.resize(std::max<std::size_t>(reached_.size(), number + 1));
        if (reached_[number])
          indices.at(i).reject(fmt::format("node {} a second time", number),
                               "a tree, in which every node has one parent");
        reached_[number] = true;
        waiting.push_back({node, parent * placement_in_parent(node)});
      }
    };
    wait(roots, Eigen::Affine3d::Identity());
    while (!waiting.empty()) {
      const PlacedNode next = std::move(waiting.back());
      waiting.pop_back();
      add_node(next);
      if (const auto children = next.node.find("children")) wait(*children, next.placement);
    }
  }

  void add_node(const PlacedNode& placed)
  {
    const auto index = placed.node.find("mesh");
    if (!index) return;
    if (const auto skin = placed.node.find("skin"))
      skin->reject("a skin", "a mesh that bones do not bend");
    const JsonValue mesh = data_.item(*index, "meshes");
    const JsonValue primitives = mesh.member("primitives", "a list of primitives");
    for (int i = 0; i < primitives.array_size(); ++i)
      add_primitive(primitives.at(i), placed.placement);
  }

  void add_primitive(const JsonValue& primitive, const Eigen::Affine3d& placement)
  {
    if (++primitives_ > max_primitives)
      primitive.reject(fmt::format("{} primitives up to here", primitives_),
                       fmt::format("at most {}", max_primitives));
    const auto given = primitive.find("mode");
    const int mode = given ? given->integer_in(0, fan) : separate;
    if (mode < separate) return;  // points and lines
    if (const auto targets = primitive.find("targets"))
      targets->reject("morph targets", "a mesh of one shape");
    if (const auto extensions = primitive.find("extensions"))
      if (const auto draco = extensions->find("KHR_draco_mesh_compression"))
        draco->reject("Draco compression", "plain accessors");
    const std::vector<Vector3d> points = data_.positions(
        primitive.member("attributes", "an object with POSITION").member("POSITION", "positions"));
    std::vector<int> corners = vertices_in_order(primitive, static_cast<int>(points.size()));
    require_room(primitive, points.size(), corners.size());
    if (mode != separate) corners = as_list(corners, mode);
    if (corners.size() % 3 != 0)
      primitive.reject(fmt::format("{} corners of triangles", corners.size()),
                       "a multiple of three");
    add(points, corners, placement);
  }

  std::vector<int> vertices_in_order(const JsonValue& primitive, int vertex_count)
  {
    if (const auto indices = primitive.find("indices"))
      return data_.vertex_numbers(*indices, vertex_count);
    std::vector<int> numbers(static_cast<std::size_t>(vertex_count));
    std::iota(numbers.begin(), numbers.end(), 0);
    return numbers;
  }

  void require_room(const JsonValue& primitive, std::size_t vertices, std::size_t corners)
  {
    mesh_bytes_ += vertices * sizeof(Vector3d) + corners * sizeof(int);
    const std::size_t most = max_repeated_bytes + 4 * data_.bytes_read();
    if (mesh_bytes_ > most)
      primitive.reject(fmt::format("{} bytes of triangles up to here", mesh_bytes_),
                       fmt::format("at most {} for a file of this size", most));
  }

  // A placement that mirrors turns the order of corners back (glTF 2.0, 3.7.4).
  void add(const std::vector<Vector3d>& points, const std::vector<int>& corners,
           const Eigen::Affine3d& placement)
  {
    const int first = mesh_.vertex_count();
    const bool mirrors = placement.linear().determinant() < 0.0;
    for (const Vector3d& p : points) mesh_.positions.push_back(placement * p);
    for (std::size_t i = 0; i + 2 < corners.size(); i += 3) {
      const int a = first + corners[i], b = first + corners[i + 1], c = first + corners[i + 2];
      mesh_.triangles.push_back(mirrors ? Triangle{a, c, b} : Triangle{a, b, c});
    }
  }

  GltfData& data_;
  TriMesh mesh_;
  std::size_t mesh_bytes_ = 0;
  int primitives_ = 0;
  std::vector<bool> reached_;
};

[[noreturn]] void refuse_mesh(const std::filesystem::path& file, std::string_view found)
{
  throw Error(
      fmt::format("{}: found {}, expected a glTF file with triangles", file.string(), found));
}

}  // namespace

TriMesh parse_gltf(const std::filesystem::path& file, std::string_view content)
{
  GltfData data(file, content);
  const TriMesh mesh = GltfTriangles(data).collect();
  if (mesh.triangles.empty()) refuse_mesh(file, "no triangle");
  try {
    validate(mesh);  // placements may exceed double precision
  } catch (const Error& error) {
    refuse_mesh(file, fmt::format("a bad {}", error.what()));
  }
  return welded(mesh);
}

}  // namespace tact
