// VTK XML unstructured grids, one a frame, and a PVD index that gives them their times. Arrays are
// appended raw, in zlib-compressed blocks. What does not change from frame to frame is compressed
// once.
//
// A vertex' velocity is the difference to the frame before it over the time between them: with a
// frame a step this is the velocity of the implicit Euler step itself. The first frame takes the
// difference to the next one.
#include <zlib.h>

#include <cstdint>
#include <iterator>

#include <fmt/format.h>

#include <tact/recording/atomic_file.hpp>
#include <tact/recording/export_formats.hpp>

namespace tact {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t block_size = 256 << 10;  // B before compression
constexpr std::uint8_t vtk_triangle = 5;

std::string xml_text(const std::string& text)
{
  std::string result;
  for (const char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '-')
      result += "&#45;";  // two of them may not stand in a comment
    else
      result += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return result;
}

std::string deflate(std::string_view block)
{
  uLongf size = ::compressBound(block.size());
  std::string compressed(size, '\0');
  ::compress2(reinterpret_cast<Bytef*>(compressed.data()), &size,
              reinterpret_cast<const Bytef*>(block.data()), block.size(), Z_BEST_SPEED);
  compressed.resize(size);
  return compressed;
}

// An array as VTK appends it: the number of blocks, the size of a block, the size of the last one
// (0 where it is whole), the compressed sizes, the blocks.
std::string compressed(std::string_view bytes)
{
  std::vector<std::string> blocks;
  for (std::size_t at = 0; at < bytes.size(); at += block_size)
    blocks.push_back(deflate(bytes.substr(at, block_size)));
  std::string result;
  append_bytes<std::uint64_t>(result, blocks.size());
  append_bytes<std::uint64_t>(result, block_size);
  append_bytes<std::uint64_t>(result, bytes.size() % block_size);
  for (const std::string& block : blocks) append_bytes<std::uint64_t>(result, block.size());
  for (const std::string& block : blocks) result += block;
  return result;
}

template <class T>
std::string compressed(const std::vector<T>& entries)
{
  return compressed(
      std::string_view(reinterpret_cast<const char*>(entries.data()), entries.size() * sizeof(T)));
}

// The arrays that are the same in every frame.
struct Topology {
  std::size_t triangles = 0;
  std::string connectivity, offsets, types, vertex_body, triangle_body, triangle_kind;
};

Topology make_topology(const RecordingHeader& header)
{
  std::vector<std::int32_t> connectivity, offsets, vertex_body, triangle_body, triangle_kind;
  std::int32_t number = 0;
  for (const RecordedBody& body : header.bodies) {
    for (const Triangle& triangle : body.triangles) {
      for (const int corner : triangle) connectivity.push_back(body.first_vertex + corner);
      offsets.push_back(static_cast<std::int32_t>(connectivity.size()));
    }
    vertex_body.resize(vertex_body.size() + static_cast<std::size_t>(body.vertex_count), number);
    triangle_body.resize(offsets.size(), number);
    triangle_kind.resize(offsets.size(), kind_number(body));
    ++number;
  }
  const std::vector<std::uint8_t> types(offsets.size(), vtk_triangle);
  return {offsets.size(),           compressed(connectivity), compressed(offsets),
          compressed(types),        compressed(vertex_body),  compressed(triangle_body),
          compressed(triangle_kind)};
}

// Collects arrays and where they will stand after the XML.
class Appended {
 public:
  std::string array(const char* type, const char* name, int components, const std::string& data)
  {
    const std::string element = fmt::format(
        "        <DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" "
        "offset=\"{}\"/>\n",
        type, name, components, bytes_.size());
    bytes_ += data;
    return element;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

std::string vtu_text(const RecordingHeader& header, const Topology& topology, double t,
                     const std::vector<Vector3d>& vertices, const std::vector<Vector3d>& velocities)
{
  Appended data;
  std::string xml = fmt::format(
      "<?xml version=\"1.0\"?>\n<!-- {} -->\n"
      "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" "
      "header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\">\n  <UnstructuredGrid>\n"
      "    <FieldData>\n      <DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
      "format=\"ascii\">{}</DataArray>\n    </FieldData>\n"
      "    <Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n",
      xml_text(origin(header)), t, vertices.size(), topology.triangles);
  xml += "      <PointData Vectors=\"velocity\">\n";
  xml += data.array("Float64", "velocity", 3, compressed(velocities));
  xml += data.array("Int32", "body", 1, topology.vertex_body);
  xml += "      </PointData>\n      <CellData Scalars=\"body\">\n";
  xml += data.array("Int32", "body", 1, topology.triangle_body);
  xml += data.array("Int32", "kind", 1, topology.triangle_kind);
  xml += "      </CellData>\n      <Points>\n";
  xml += data.array("Float64", "Points", 3, compressed(vertices));
  xml += "      </Points>\n      <Cells>\n";
  xml += data.array("Int32", "connectivity", 1, topology.connectivity);
  xml += data.array("Int32", "offsets", 1, topology.offsets);
  xml += data.array("UInt8", "types", 1, topology.types);
  xml +=
      "      </Cells>\n    </Piece>\n  </UnstructuredGrid>\n  <AppendedData encoding=\"raw\">\n_";
  return xml + data.bytes() + "\n  </AppendedData>\n</VTKFile>\n";
}

// Frames are asked for in ascending order; each is read once where none is left out.
class Velocities {
 public:
  explicit Velocities(const Recording& recording) : recording_(recording) {}

  // Of frame k, whose vertices are given.
  std::vector<Vector3d> at(int k, const std::vector<Vector3d>& vertices)
  {
    std::vector<Vector3d> velocities(vertices.size(), Vector3d::Zero());
    if (recording_.frame_count() > 1) {
      const int other = k > 0 ? k - 1 : 1;
      if (last_ != other) last_vertices_ = recording_.vertices(other);
      const double seconds = recording_.times()[k] - recording_.times()[other];
      for (std::size_t i = 0; i < vertices.size(); ++i)
        velocities[i] = (vertices[i] - last_vertices_[i]) / seconds;
    }
    last_ = k;
    last_vertices_ = vertices;
    return velocities;
  }

 private:
  const Recording& recording_;
  int last_ = -1;
  std::vector<Vector3d> last_vertices_;
};

void write_index(const fs::path& file, const ExportJob& job, const ExportedFiles& frames)
{
  std::string xml =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" "
      "byte_order=\"LittleEndian\">\n  <Collection>\n";
  for (std::size_t i = 0; i < frames.size(); ++i)
    xml += fmt::format("    <DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n",
                       job.recording.times()[job.frames[i]], frames[i].filename().string());
  AtomicFile out(file);
  out.write(xml + "  </Collection>\n</VTKFile>\n");
  out.commit();
}

}  // namespace

ExportedFiles export_vtu(const ExportJob& job)
{
  const RecordingHeader& header = job.recording.header();
  const Topology topology = make_topology(header);
  make_folder(job.folder);
  Velocities velocities(job.recording);
  ExportedFiles files;
  for (const int k : job.frames) {
    job.begin_frame(k);
    const std::vector<Vector3d> vertices = job.recording.vertices(k);
    AtomicFile file(frame_file(job, k, "vtu"));
    file.write(
        vtu_text(header, topology, job.recording.times()[k], vertices, velocities.at(k, vertices)));
    file.commit();
    files.push_back(frame_file(job, k, "vtu"));
  }
  const fs::path index = job.folder / "recording.pvd";
  write_index(index, job, files);
  files.push_back(index);
  return files;
}

}  // namespace tact
