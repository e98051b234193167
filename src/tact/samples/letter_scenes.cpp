// Scenes of soft letters.
#include <map>
#include <numbers>

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
constexpr double tilt = 0.2;        // rad: how far from level a letter may start

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

// Lying on its back, leaning a little, turned about the vertical.
Eigen::Isometry3d lying_at(const Vector3d& position, Random& random)
{
  const double turn = random.uniform(0.0, 2.0 * pi), lean = random.uniform(-tilt, tilt);
  return Eigen::Translation3d(position) * Eigen::AngleAxisd(turn, Vector3d::UnitY()) *
         Eigen::AngleAxisd(lean - 0.5 * pi, Vector3d::UnitX());
}

// Four walls around a box of this inner size that stands on the ground. The walls along x are
// fixed; those along z fit between them and come in by `push`.
void add_walls(SceneDescription& scene, double x, double z, double height, const Letters& options)
{
  constexpr double thickness = 0.1;
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

}  // namespace

SceneDescription letters(const Letters& options)
{
  if (!(options.push_end > options.push_start))
    throw Error(fmt::format("/push_end: found {} s, expected more than /push_start, {} s",
                            options.push_end, options.push_start));
  SceneDescription scene;
  scene.run = {.dt = 0.03, .time = 40.0, .seed = options.seed};
  const double cell = 1.8 * options.height;  // room for the widest, a W, to turn in
  const double layer_height = options.depth + options.height * tilt + 0.3 * options.height;
  const int per_layer = options.columns * options.rows;
  const int layers = (options.count + per_layer - 1) / per_layer;
  scene.bodies.push_back(ground_body(3.0 * cell * std::max(options.columns, options.rows)));
  const double width = cell * (options.columns + 0.2), breadth = cell * (options.rows + 0.2);
  scene.run.camera = {.from = {0.5 * width, 1.2 * width, 1.4 * breadth}, .to = Vector3d::Zero()};
  add_walls(scene, width, breadth, (layers + 1) * layer_height, options);

  Random random(options.seed);
  Alphabet alphabet(look(options.height, options.depth, options.tetrahedra));
  for (int i = 0; i < options.count; ++i) {
    const int layer = i / per_layer, place = i % per_layer;
    const int row = place / options.columns;
    const char32_t letter = U'A' + static_cast<char32_t>(random.below(26));
    const Vector3d position(cell * (place % options.columns - 0.5 * (options.columns - 1)),
                            (layer + 0.7) * layer_height, cell * (row - 0.5 * (options.rows - 1)));
    SoftOptions body = soft_letter(alphabet[letter], lying_at(position, random));
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
