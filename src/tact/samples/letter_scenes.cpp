// Scenes of soft letters.
#include <algorithm>
#include <map>
#include <numbers>
#include <vector>

#include <fmt/format.h>

#include <tact/core/error.hpp>
#include <tact/core/random.hpp>
#include <tact/geometry/embedding.hpp>
#include <tact/geometry/shapes.hpp>
#include <tact/samples/glyphs.hpp>
#include <tact/samples/scene_parts.hpp>
#include <tact/samples/soft_scenes.hpp>

namespace tact {
namespace {

using std::numbers::pi;

constexpr double wall_gap = 0.002;  // m, from walls to the ground and to each other
constexpr double tilt = 0.1;        // rad: how far from level a letter may start
// Of the height of a letter: the place of one in its layer, which a W fits in, and the free room
// about it. Letters are turned as far as their place allows, so that the box is not wider than the
// pile.
constexpr double place_width = 1.5, place_breadth = 1.33, room = 0.04;

// Letters as they are made, upright and centred on the origin; each is made once.
class Alphabet {
 public:
  explicit Alphabet(LetterOptions look) : look_(std::move(look)) {}

  const Lattice& operator[](char32_t letter)
  {
    auto known = letters_.find(letter);
    if (known == letters_.end())
      known = letters_.emplace(letter, checked_soft_letter(letter, look_)).first;
    return known->second;
  }

 private:
  LetterOptions look_;
  std::map<char32_t, Lattice> letters_;
};

LetterOptions look(double height, double depth, int tetrahedra)
{
  LetterOptions options;
  options.height = height;
  options.depth = depth;
  options.tetrahedra = tetrahedra;
  return options;
}

SoftOptions soft_letter(const Lattice& letter, const Eigen::Isometry3d& pose)
{
  SoftOptions options;
  options.mesh = letter.solid;
  for (Vector3d& p : options.mesh.positions) p = pose * p;
  options.surface = letter.surface;
  options.fill = letter.fill;
  return options;
}

// Lying on its back, leaning a little, turned about the vertical; its middle at the origin.
Eigen::Isometry3d lying(double turn, double lean)
{
  return Eigen::Isometry3d::Identity() * Eigen::AngleAxisd(turn, Vector3d::UnitY()) *
         Eigen::AngleAxisd(lean - 0.5 * pi, Vector3d::UnitX());
}

// Turned at random, but so that it does not leave its place, `width` x `breadth`.
Eigen::Isometry3d lying_within(const Lattice& letter, double width, double breadth, Random& random)
{
  constexpr int tries = 60;
  const double lean = random.uniform(-tilt, tilt);
  const TriMesh surface = start_surface(soft_letter(letter, Eigen::Isometry3d::Identity()));
  for (int i = 0; i < tries; ++i) {
    const Eigen::Isometry3d pose = lying(random.uniform(0.0, 2.0 * pi), lean);
    Aabb box;
    for (const Vector3d& p : surface.positions) box.add(pose * p);
    if (box.extent().x() <= width && box.extent().z() <= breadth)
      return Eigen::Translation3d(-box.centre()) * pose;
  }
  return lying(random.below(2) * pi, lean);  // a very wide letter
}

// Four walls around a box of this inner size that stands on the ground. The walls along x are
// fixed; those along z fit between them and come in by `push`.
void add_walls(SceneDescription& scene, double x, double z, double height, const Letters& options)
{
  constexpr double thickness = 0.03;
  const double y = 0.5 * height + wall_gap;
  const Vector3d long_wall(x + 4.0 * thickness, height, thickness);
  const Vector3d short_wall(thickness, height, z - 2.0 * wall_gap);
  for (const double side : {-1.0, 1.0}) {
    scene.bodies.push_back(obstacle_box(side < 0 ? "wall-back" : "wall-front", long_wall,
                                        {0.0, y, side * 0.5 * (z + thickness)}));
    const Vector3d start(side * 0.5 * (x + thickness), y, 0.0);
    const Vector3d end = start - side * 0.5 * options.push * x * Vector3d::UnitX();
    scene.bodies.push_back(moving_obstacle(
        side < 0 ? "wall-left" : "wall-right", make_box(short_wall),
        {{.t = options.push_start, .position = start}, {.t = options.push_end, .position = end}}));
  }
}

// The middles of the letters at the start, a cell of this size each. Every other layer lies above
// the corners of the cells below, so that letters come to lie across each other, not in towers.
std::vector<Vector3d> falling_places(const Letters& options, const Vector3d& cell)
{
  std::vector<Vector3d> places;
  const bool shifts = options.columns > 1 && options.rows > 1;
  for (int layer = 0; static_cast<int>(places.size()) < options.count; ++layer) {
    const int less = shifts && layer % 2 == 1 ? 1 : 0;
    const int columns = options.columns - less, rows = options.rows - less;
    for (int k = 0; k < columns * rows && static_cast<int>(places.size()) < options.count; ++k) {
      const int column = k % columns, row = k / columns;
      places.push_back({cell.x() * (column - 0.5 * (columns - 1)), cell.y() * (layer + 0.7),
                        cell.z() * (row - 0.5 * (rows - 1))});
    }
  }
  return places;
}

}  // namespace

SceneDescription letters(const Letters& options)
{
  if (!(options.push_end > options.push_start))
    throw Error(fmt::format("/push_end: found {} s, expected more than /push_start, {} s",
                            options.push_end, options.push_start));
  SceneDescription scene;
  scene.run = {.dt = 0.03, .time = 40.0, .seed = options.seed};
  const double h = options.height, across = place_width * h, along = place_breadth * h;
  const double layer_height = options.depth + (place_breadth * tilt + room) * h;
  const double width = across * options.columns, breadth = along * options.rows;
  const std::vector<Vector3d> places = falling_places(options, {across, layer_height, along});
  scene.bodies.push_back(ground_body(3.0 * std::max(width, breadth)));
  scene.run.camera = {.from = {0.3 * width, 3.6 * width, 0.8 * width},
                      .to = {0.0, 0.6 * width, 0.0}};
  // Letters come straight down between the walls, which hold the pile, also when it is pressed.
  add_walls(scene, width, breadth, 0.6 * (places.back().y() + layer_height), options);

  Random random(options.seed);
  Alphabet alphabet(look(options.height, options.depth, options.tetrahedra));
  for (int i = 0; i < options.count; ++i) {
    const char32_t letter = U'A' + static_cast<char32_t>(random.below(26));
    const Lattice& shape = alphabet[letter];
    const Eigen::Isometry3d turned =
        lying_within(shape, across - room * h, along - room * h, random);
    SoftOptions body = soft_letter(shape, Eigen::Translation3d(places[i]) * turned);
    body.young = options.young;
    body.density = options.density;
    body.stiffness_damping = options.damping;
    scene.bodies.push_back(
        {fmt::format("{}-{}", static_cast<char>(letter), i), std::move(body), {}});
  }
  return scene;
}

SceneDescription drop_letters(const DropLetters& options)
{
  SceneDescription scene;
  scene.run = {.dt = 0.01, .time = 2.0};
  scene.bodies.push_back(
      ground_body(4.0 * options.height * static_cast<double>(options.text.size())));
  Alphabet alphabet(look(options.height, options.depth, options.tetrahedra));
  double x = 0.0;
  for (std::size_t i = 0; i < options.text.size(); ++i) {
    const char letter = options.text[i];
    if (letter == ' ') {
      x += 0.5 * options.height;
      continue;
    }
    if (letter < '!' || letter > '~')
      throw Error(
          fmt::format("/text: found byte {} beyond ASCII, expected letters, digits and signs", i));
    const Lattice& lattice = alphabet[static_cast<char32_t>(letter)];
    SoftOptions body = soft_letter(lattice, Eigen::Isometry3d::Identity());
    const Aabb box = bounding_box(start_surface(body).positions);
    BodyOptions placed = body;
    auto& soft = std::get<SoftOptions>(placed);
    soft.young = options.young;
    soft.density = options.density;
    soft.stiffness_damping = 0.01;
    translate(placed, {x - box.low.x(), options.drop - box.low.y(), 0.0});
    x += box.extent().x() + 0.1 * options.height;
    scene.bodies.push_back({fmt::format("{}-{}", letter, i), std::move(placed), {}});
  }
  return scene;
}

}  // namespace tact
