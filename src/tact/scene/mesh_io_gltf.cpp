// glTF and GLB, through assimp, in a process of its own.
//
// assimp reads these formats well but was not made for hostile files: some make it crash, hang or
// ask for all memory. The child process may do all that; its parent gets either triangles, which it
// checks, or an Error. (A fork copies the calling thread only; the C library sees to it that memory
// can be allocated in the child all the same.) Positions in glTF are single precision, as assimp's
// are, so nothing is lost.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>

#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <fmt/core.h>
#include <Eigen/Geometry>
#include <assimp/Importer.hpp>

#include <tact/core/error.hpp>
#include <tact/scene/mesh_io_bytes.hpp>
#include <tact/scene/mesh_io_formats.hpp>

namespace tact {
namespace {

constexpr unsigned time_limit = 60;                       // s of wall time for one file
constexpr std::size_t max_answer = std::size_t{1} << 30;  // bytes
constexpr rlim_t memory_limit = rlim_t{8} << 30;          // bytes, the parent's copy included
#if defined(__SANITIZE_ADDRESS__) || (defined(__clang__) && __has_feature(address_sanitizer))
constexpr bool address_sanitizer = true;  // reserves terabytes of addresses for its shadow
#else
constexpr bool address_sanitizer = false;
#endif
constexpr int max_node_depth = 1000;  // of nodes within nodes

// What the child sends begins with one of these: two counts, positions and corners follow, or words.
constexpr char triangles = 'T';
constexpr char complaint = 'C';

// ---- In the child -----------------------------------------------------------------------------

template <class Number>
void put(std::string& bytes, Number x)
{
  bytes.append(reinterpret_cast<const char*>(&x), sizeof x);
}

class SceneCollector {
 public:
  explicit SceneCollector(const aiScene& scene) : scene_(scene) {}

  void add(const aiNode& node, const Eigen::Affine3d& parent, int depth)
  {
    if (depth > max_node_depth) throw Error("nodes nested more than 1000 deep");
    const aiMatrix4x4& m = node.mTransformation;
    Eigen::Affine3d local;
    local.matrix() << m.a1, m.a2, m.a3, m.a4, m.b1, m.b2, m.b3, m.b4, m.c1, m.c2, m.c3, m.c4, 0, 0,
        0, 1;
    const Eigen::Affine3d placement = parent * local;
    for (unsigned k = 0; k < node.mNumMeshes; ++k) add(*scene_.mMeshes[node.mMeshes[k]], placement);
    for (unsigned k = 0; k < node.mNumChildren; ++k) add(*node.mChildren[k], placement, depth + 1);
  }

  const TriMesh& mesh() const { return mesh_; }

 private:
  void add(const aiMesh& part, const Eigen::Affine3d& placement)
  {
    const int first = mesh_.vertex_count();
    for (unsigned i = 0; i < part.mNumVertices; ++i) {
      const aiVector3D& p = part.mVertices[i];
      mesh_.positions.push_back(placement * Vector3d(p.x, p.y, p.z));
    }
    for (unsigned f = 0; f < part.mNumFaces; ++f) {
      const aiFace& face = part.mFaces[f];
      if (face.mNumIndices != 3) continue;  // points and lines
      Triangle corners;
      for (int k = 0; k < 3; ++k) corners[k] = first + static_cast<int>(face.mIndices[k]);
      mesh_.triangles.push_back(corners);
    }
  }

  const aiScene& scene_;
  TriMesh mesh_;
};

std::string encoded(const TriMesh& mesh)
{
  std::string bytes(1, triangles);
  put(bytes, static_cast<std::uint64_t>(mesh.positions.size()));
  put(bytes, static_cast<std::uint64_t>(mesh.triangles.size()));
  for (const Vector3d& p : mesh.positions)
    for (const double x : p) put(bytes, x);
  for (const Triangle& t : mesh.triangles)
    for (const int corner : t) put(bytes, static_cast<std::int32_t>(corner));
  return bytes;
}

std::string import(const std::filesystem::path& file)
{
  try {
    Assimp::Importer importer;
    const aiScene* scene = importer.ReadFile(file.string(), aiProcess_Triangulate);
    if (!scene || !scene->mRootNode) return complaint + std::string(importer.GetErrorString());
    SceneCollector collector(*scene);
    collector.add(*scene->mRootNode, Eigen::Affine3d::Identity(), 0);
    return encoded(collector.mesh());
  } catch (const std::exception& error) {
    return complaint + std::string(error.what());
  }
}

[[noreturn]] void run_child(const std::filesystem::path& file, int pipe_end)
{
  const rlimit memory{memory_limit, memory_limit}, no_core{0, 0};
  if (!address_sanitizer) ::setrlimit(RLIMIT_AS, &memory);
  ::setrlimit(RLIMIT_CORE, &no_core);
  ::alarm(time_limit);
  const std::string bytes = import(file);
  for (std::size_t sent = 0; sent < bytes.size();) {
    const ssize_t step = ::write(pipe_end, bytes.data() + sent, bytes.size() - sent);
    if (step <= 0) ::_exit(1);
    sent += static_cast<std::size_t>(step);
  }
  ::_exit(0);
}

// ---- In the parent ----------------------------------------------------------------------------

[[noreturn]] void fail(const std::filesystem::path& file, std::string_view what)
{
  throw Error(fmt::format("{}: {}, expected a glTF file with triangles", file.string(), what));
}

std::string in_one_line(std::string words)
{
  constexpr std::size_t most = 200;
  std::replace_if(
      words.begin(), words.end(), [](unsigned char c) { return c < ' ' || c == 0x7f; }, ' ');
  if (words.ends_with('.')) words.pop_back();
  return words.size() <= most ? words : words.substr(0, most) + "...";
}

std::string receive(int pipe_end)
{
  std::string bytes;
  std::array<char, 65536> block;
  for (;;) {
    const ssize_t step = ::read(pipe_end, block.data(), block.size());
    if (step < 0 && errno == EINTR) continue;
    if (step <= 0 || bytes.size() > max_answer) return bytes;
    bytes.append(block.data(), static_cast<std::size_t>(step));
  }
}

struct ChildResult {
  std::string bytes;
  int status = 0;  // as of waitpid
};

ChildResult import_in_child(const std::filesystem::path& file)
{
  std::array<int, 2> ends;
  if (::pipe(ends.data()) != 0) fail(file, fmt::format("no pipe: {}", std::strerror(errno)));
  const pid_t child = ::fork();
  if (child < 0) fail(file, fmt::format("no process to read it: {}", std::strerror(errno)));
  if (child == 0) {
    ::close(ends[0]);
    run_child(file, ends[1]);
  }
  ::close(ends[1]);
  ChildResult result;
  result.bytes = receive(ends[0]);
  ::close(ends[0]);
  while (::waitpid(child, &result.status, 0) < 0 && errno == EINTR) {
  }
  return result;
}

std::string why_it_died(int status)
{
  if (!WIFSIGNALED(status) || WTERMSIG(status) == SIGPIPE)
    return fmt::format("found more than {} bytes of triangles", max_answer);
  if (WTERMSIG(status) == SIGALRM) return fmt::format("found nothing within {} s", time_limit);
  return fmt::format("found data on which assimp fails ({})", ::strsignal(WTERMSIG(status)));
}

TriMesh decoded(const std::filesystem::path& file, std::string_view content)
{
  const std::string name = file.string();
  MeshBytes bytes(name, content, std::endian::native);
  bytes.skip(1);
  const auto vertices = bytes.take<std::uint64_t>("a count");
  const auto faces = bytes.take<std::uint64_t>("a count");
  const std::size_t most = bytes.bytes_left() / 4;  // a hostile file may have spoilt the child
  if (vertices > most || faces > most || bytes.bytes_left() != 24 * vertices + 12 * faces)
    fail(file, "found data on which assimp fails");
  TriMesh mesh;
  mesh.positions.resize(vertices);
  mesh.triangles.resize(faces);
  for (Vector3d& p : mesh.positions)
    for (double& x : p) x = bytes.take<double>("a coordinate");
  for (Triangle& t : mesh.triangles)
    for (int& corner : t) corner = bytes.take<std::int32_t>("a corner");
  return mesh;
}

}  // namespace

TriMesh read_gltf(const std::filesystem::path& file)
{
  const ChildResult result = import_in_child(file);
  if (result.status != 0 || result.bytes.empty()) fail(file, why_it_died(result.status));
  if (result.bytes[0] == complaint)
    fail(file, fmt::format("assimp: {}", in_one_line(result.bytes.substr(1))));
  const TriMesh mesh = decoded(file, result.bytes);
  if (mesh.triangles.empty()) fail(file, "found no triangle");
  try {
    validate(mesh);
  } catch (const Error& error) {
    fail(file, fmt::format("found a bad {}", error.what()));
  }
  return welded(mesh);
}

}  // namespace tact
