// VTK legacy files, text, with an unstructured grid. Of the cells, tetrahedra (type 10) are used;
// vertices, lines and triangles are passed over. Both layouts of cells are understood: that of
// versions up to 4 (each with its length) and that of version 5 (offsets and connectivity).
#include <algorithm>
#include <limits>

#include <fmt/core.h>

#include <tact/files/mesh_io_formats.hpp>
#include <tact/files/mesh_io_text.hpp>

namespace tact {
namespace {

enum VtkCell : long {
  vtk_vertex = 1,
  vtk_poly_vertex = 2,
  vtk_line = 3,
  vtk_poly_line = 4,
  vtk_triangle = 5,
  vtk_tetra = 10
};

class VtkReader {
 public:
  VtkReader(std::string_view name, std::string_view text) : text_(name, text) {}

  TetMesh read()
  {
    read_head();
    for (bool more = true; more;) {
      const std::string_view keyword = text_.word_anywhere();
      if (keyword == "POINTS")
        read_points();
      else if (keyword == "CELLS")
        read_cells();
      else if (keyword == "CELL_TYPES")
        read_cell_types();
      else if (keyword == "METADATA")
        skip_metadata();
      else if (keyword.empty() || keyword == "POINT_DATA" || keyword == "CELL_DATA")
        more = false;  // what follows are fields on the mesh
      else
        text_.reject(keyword, "POINTS, CELLS, CELL_TYPES, POINT_DATA or CELL_DATA");
    }
    return assemble();
  }

 private:
  static constexpr long max_count = std::numeric_limits<int>::max();

  long count(std::string_view what)
  {
    return text_.integer(text_.word_anywhere(), 0, max_count, what);
  }

  // "# vtk DataFile Version x.y", a title, ASCII, DATASET UNSTRUCTURED_GRID
  void read_head()
  {
    if (!text_.next_line() || !text_.line().starts_with("# vtk DataFile Version"))
      text_.reject(text_.line(), "\"# vtk DataFile Version\"");
    text_.any_line();  // the title, which may be blank
    if (!text_.next_line() || text_.word() != "ASCII")
      text_.reject(text_.line(), "ASCII (binary files are not read)");
    for (const std::string_view wanted : {"DATASET", "UNSTRUCTURED_GRID"})
      if (const auto word = text_.word_anywhere(); word != wanted) text_.reject(word, wanted);
  }

  // Blocks of metadata end with a blank line.
  void skip_metadata()
  {
    while (text_.any_line() && !text_.line().empty()) {
    }
  }

  void read_points()
  {
    const long points = count("a number of points");
    text_.word();  // their type: all are read as double
    for (long i = 0; i < points; ++i) {
      Vector3d p;
      for (double& x : p) x = text_.finite(text_.word_anywhere());
      mesh_.positions.push_back(p);
    }
  }

  // CELLS n size, then n times: length, points. Or CELLS n + 1 size with OFFSETS and CONNECTIVITY.
  void read_cells()
  {
    const long first = count("a number of cells");
    const long second = count("a number of integers");
    MeshText ahead = text_;
    if (ahead.word_anywhere() == "OFFSETS") return read_offsets(first, second);
    for (long i = 0; i < first; ++i) {
      starts_.push_back(static_cast<long>(points_.size()));
      const long length = count("the length of a cell");
      for (long k = 0; k < length; ++k) points_.push_back(count("a point"));
    }
    starts_.push_back(static_cast<long>(points_.size()));
  }

  void read_offsets(long offsets, long size)
  {
    text_.word_anywhere();  // OFFSETS
    text_.word();           // their type
    for (long i = 0; i < offsets; ++i) starts_.push_back(count("an offset"));
    if (const auto word = text_.word_anywhere(); word != "CONNECTIVITY")
      text_.reject(word, "CONNECTIVITY");
    text_.word();
    for (long i = 0; i < size; ++i) points_.push_back(count("a point"));
    const bool ascending = std::is_sorted(starts_.begin(), starts_.end());
    if (!ascending || (!starts_.empty() && starts_.back() > static_cast<long>(points_.size())))
      text_.complain("offsets that point outside of the connectivity", "ascending ones within it");
  }

  void read_cell_types()
  {
    const long cells = count("a number of cells");
    for (long i = 0; i < cells; ++i) types_.push_back(count("a type of cell"));
  }

  bool is_ignored(long type) const
  {
    return type == vtk_vertex || type == vtk_poly_vertex || type == vtk_line ||
           type == vtk_poly_line || type == vtk_triangle;
  }

  TetMesh assemble()
  {
    const std::size_t cells = starts_.empty() ? 0 : starts_.size() - 1;
    if (types_.size() != cells)
      text_.complain(fmt::format("{} types for {} cells", types_.size(), cells), "one each");
    for (std::size_t i = 0; i < cells; ++i) {
      if (is_ignored(types_[i])) continue;
      if (types_[i] != vtk_tetra)
        text_.complain(fmt::format("cell {} of type {}", i, types_[i]), "tetrahedra (type 10)");
      if (starts_[i + 1] - starts_[i] != 4)
        text_.complain(fmt::format("cell {} with {} points", i, starts_[i + 1] - starts_[i]),
                       "4 for a tetrahedron");
      Tetrahedron corners;
      for (int k = 0; k < 4; ++k) {
        const long point = points_[static_cast<std::size_t>(starts_[i] + k)];
        if (point >= mesh_.vertex_count())
          text_.complain(fmt::format("point {} in cell {}", point, i),
                         fmt::format("0 to {}", mesh_.vertex_count() - 1));
        corners[static_cast<std::size_t>(k)] = static_cast<int>(point);
      }
      mesh_.tetrahedra.push_back(corners);
    }
    if (mesh_.tetrahedra.empty()) text_.complain("no tetrahedron", "at least one cell of type 10");
    return std::move(mesh_);
  }

  MeshText text_;
  TetMesh mesh_;
  std::vector<long> starts_;  // of the cells in points_, and the end of the last
  std::vector<long> points_;
  std::vector<long> types_;
};

}  // namespace

TetMesh parse_vtk(std::string_view name, std::string_view text)
{
  return VtkReader(name, text).read();
}

}  // namespace tact
