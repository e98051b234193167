// Feeds bytes to the mesh readers: the first tells the format, the rest is the file. Whatever they
// are, they must give a mesh that holds together or one line of complaint.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <tact/core/error.hpp>
#include <tact/files/mesh_io_formats.hpp>
#include <tact/geometry/mesh_findings.hpp>

namespace {

constexpr std::size_t small = 4096;  // bytes; what is larger is read, but not checked in full

template <class Mesh>
void use(const Mesh& mesh, std::size_t size)
{
  tact::validate(mesh);  // its complaint does not begin with the name, and so aborts below
  if (size <= small) (void)tact::findings(tact::check(mesh));
}

void read(std::uint8_t format, std::string_view content)
{
  constexpr std::string_view name = "fuzz";
  switch (format % 6) {
    case 0: return use(tact::parse_obj(name, content), content.size());
    case 1: return use(tact::parse_ply(name, content), content.size());
    case 2: return use(tact::parse_stl(name, content), content.size());
    case 3: return use(tact::parse_msh(name, content), content.size());
    case 4: return use(tact::parse_vtk(name, content), content.size());
    case 5: return use(tact::parse_gltf(name, content), content.size());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
  if (size == 0) return 0;
  const std::string_view content(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    read(data[0], content);
  } catch (const tact::Error& error) {
    const std::string_view message = error.what();
    const bool by_reader = message.starts_with("fuzz: ");
    if (!by_reader || message.find('\n') != std::string_view::npos) std::abort();
  }
  return 0;
}
