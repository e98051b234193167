#include <cmath>
#include <string>

#include <doctest/doctest.h>

#include <tact/core/error.hpp>
#include <tact/geometry/mesh_check.hpp>
#include <tact/samples/glyph_outline.hpp>
#include <tact/samples/glyphs.hpp>

namespace tact {
namespace {

const std::u32string capitals = U"ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const std::u32string others = U"abcdefghijklmnopqrstuvwxyz0123456789&@#%$?!+";

void check_closed(const TriMesh& letter)
{
  const SurfaceCheck found = check(letter);
  CHECK(found.closed());
  CHECK(found.manifold());
  CHECK(found.oriented());
  CHECK(found.duplicate_vertices.count == 0);
  CHECK(found.triangles_without_area.count == 0);
  CHECK(found.unused_vertices.count == 0);
  CHECK(found.intersections.pairs.empty());
  CHECK(found.volume > 0.0);
}

TEST_CASE("Letters, digits and signs are closed manifolds without crossings")
{
  for (const char32_t letter : capitals + others) {
    CAPTURE(static_cast<int>(letter));
    const TriMesh mesh = make_letter(letter);
    check_closed(mesh);
    const Aabb box = bounding_box(mesh.positions);
    CHECK(box.centre().norm() < 1e-12);
    CHECK(box.extent()[2] == doctest::Approx(0.02).epsilon(1e-12));
  }
}

TEST_CASE("Letters have as many handles as holes: none in I, one in O, two in B and 8")
{
  for (const auto& [letter, holes, pieces] : {std::tuple{U'I', 0, 1},
                                              {U'O', 1, 1},
                                              {U'A', 1, 1},
                                              {U'B', 2, 1},
                                              {U'8', 2, 1},
                                              {U'i', 0, 2}}) {
    const SurfaceCheck found = check(make_letter(letter));
    CHECK(found.components == pieces);
    CHECK(found.euler == 2 * pieces - 2 * holes);
  }
}

TEST_CASE("The H is as high as asked for, and volume goes with the square of height times depth")
{
  const TriMesh small = make_letter(U'H', {.height = 0.1, .depth = 0.02});
  const TriMesh large = make_letter(U'H', {.height = 0.3, .depth = 0.01});
  CHECK(bounding_box(small.positions).extent()[1] == doctest::Approx(0.1).epsilon(1e-12));
  // An H has straight sides only, so that its volume does not depend on the fineness.
  CHECK(volume(large) == doctest::Approx(volume(small) * 9 / 2).epsilon(1e-12));
}

TEST_CASE("A letter has about as many triangles and tetrahedra as asked for")
{
  double triangles = 0.0, tetrahedra = 0.0;
  for (const char32_t letter : capitals) {
    CAPTURE(static_cast<int>(letter));
    const Lattice soft = make_soft_letter(letter);
    const auto count = static_cast<double>(soft.surface.triangles.size());
    CHECK(count == doctest::Approx(280).epsilon(0.25));
    // One layer of cells or two: an L has 96 or 192 tetrahedra, and nothing in between.
    CHECK(soft.solid.tetrahedron_count() == doctest::Approx(140).epsilon(0.4));
    triangles += count / 26.0;
    tetrahedra += soft.solid.tetrahedron_count() / 26.0;
    CHECK(check(soft.solid).surface.components == 1);
    double filled = 0.0;
    for (int t = 0; t < soft.solid.tetrahedron_count(); ++t)
      filled += soft.fill[t] * volume(soft.solid.corners(t));
    CHECK(filled == doctest::Approx(volume(make_letter(letter))).epsilon(0.02));
  }
  CHECK(triangles == doctest::Approx(46000.0 / 164).epsilon(0.05));  // [Otaduy09] fig. 7
  CHECK(tetrahedra == doctest::Approx(23000.0 / 164).epsilon(0.05));
}

TEST_CASE("A finer letter is nearer to the curves: the area of an O grows to that of its outline")
{
  double last = 0.0;
  for (const int triangles : {200, 800, 3200}) {
    const double filled = volume(make_letter(U'O', {.triangles = triangles})) / 0.02;
    if (last > 0.0) CHECK(filled == doctest::Approx(last).epsilon(0.1));
    last = filled;
  }
  const GlyphOutline outline = read_glyph(find_letter_font(), U'O', 0.1);
  double exact = 0.0;  // chords of a hundredth of a millimetre
  for (const Contour& contour : outline.flattened(1e-5))
    for (std::size_t k = 0; k < contour.size(); ++k) {
      const Vector2d &a = contour[k], &b = contour[(k + 1) % contour.size()];
      exact += 0.5 * (a[0] * b[1] - a[1] * b[0]);
    }
  CHECK(last == doctest::Approx(std::abs(exact)).epsilon(2e-3));
}

TEST_CASE("Missing fonts, letters and outlines are told with what was looked for")
{
  const std::string font = find_letter_font().string();
  CHECK_THROWS_WITH_AS(make_letter(U' '),
                       (font + ": U+0020 is blank, expected a letter with an outline").c_str(),
                       Error);
  CHECK_THROWS_WITH_AS(make_letter(U'\U0010FFFD'),
                       (font + ": the font has no letter U+10FFFD").c_str(), Error);
  CHECK_THROWS_WITH_AS(make_letter(U'A', {.font = "no-such.ttf"}),
                       "no-such.ttf: found no font that FreeType can read, expected a TrueType or "
                       "OpenType file",
                       Error);
  CHECK_THROWS_WITH_AS(make_letter(U'A', {.height = -1.0}),
                       "make_letter: height is -1 m, expected a positive length", Error);
}

}  // namespace
}  // namespace tact
