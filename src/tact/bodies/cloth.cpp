#include <tact/bodies/cloth.hpp>

#include <algorithm>

#include <fmt/core.h>

#include <tact/bodies/body_input.hpp>
#include <tact/bodies/spring_rows.hpp>
#include <tact/bodies/surface_area.hpp>
#include <tact/linalg/parallel.hpp>

namespace tact {
namespace {

// Rows come in ranges of fixed size, so that bits do not depend on the number of threads. With some
// 12 springs a vertex one takes about 30 us.
constexpr int rows_per_task = 256;

template <class Work>  // work(SpringRows::Range)
void for_rows(int vertex_count, const Work& work)
{
  for_chunks(vertex_count, rows_per_task, [&](int, int first, int last) {
    work(SpringRows::Range{first, last});
  });
}

class Cloth final : public Body {
 public:
  Cloth(std::string name, ClothOptions options);

  BodyKind kind() const override { return BodyKind::cloth; }
  int q_size() const override { return 3 * vertex_count(); }
  int node_count() const override { return vertex_count(); }
  void start(Segment q, Segment v) const override;

  int vertex_count() const override { return options_.surface.vertex_count(); }
  std::span<const Triangle> triangles() const override { return options_.surface.triangles; }
  bool self_collision() const override { return options_.self_collision; }
  void place_surface(double t, ConstSegment q, std::span<Vector3d> vertices) const override;
  Vector3d position(double t, ConstSegment q, const BodyPoint& point) const override;
  PointMap map(ConstSegment q, const BodyPoint& point) const override;

  void add_couples(int first_node, std::vector<std::array<int, 2>>& couples) const override;
  void bind(const BlockPattern& pattern, int first_node) override;
  void linearise(const StepInput& input, ConstSegment q, ConstSegment v, BodyWorkspace* workspace,
                 BlockMatrix& A, Segment b) const override;
  void forces(const StepInput& input, ConstSegment q, ConstSegment v, BodyWorkspace* workspace,
              Segment f) const override;
  void lump(const StepInput& input, ConstSegment q, ConstSegment v, BodyWorkspace* workspace,
            std::span<Matrix3d> M, Segment b) const override
  {
    forces(input, q, v, workspace, b);
    lump_mass_points(masses_, input.dt, v, M, b);
  }
  void advance(const StepInput& input, ConstSegment q0, ConstSegment v0, ConstSegment v, Segment q1,
               Segment v1) const override;

  double mass() const override { return mass_; }
  std::vector<double> node_masses() const override { return masses_; }
  Vector3d centre_of_mass(ConstSegment q) const override;
  double kinetic_energy(ConstSegment q, ConstSegment v) const override;
  double elastic_energy(ConstSegment q) const override;
  Momentum momentum(ConstSegment q, ConstSegment v) const override;
  bool is_isolated() const override
  {
    return options_.drag == 0.0 && options_.mass_damping == 0.0 && options_.force.isZero(0.0);
  }
  double given_work(const StepInput& input, ConstSegment q, ConstSegment v) const override;

 private:
  Vector3d steady_acceleration(const StepInput& input) const
  {
    return input.gravity + options_.force / mass_;
  }

  ClothOptions options_;
  SpringRows springs_;
  std::vector<double> areas_;   // m^2, one a vertex as the masses
  std::vector<double> masses_;  // kg
  double mass_ = 0.0;
};

Cloth::Cloth(std::string name, ClothOptions options)
    : Body(std::move(name)),
      options_(std::move(options)),
      springs_(options_.surface.vertex_count(), options_.springs, options_.damping),
      areas_(vertex_areas(options_.surface))
{
  for (const double area : areas_) {
    masses_.push_back(options_.area_density * area);
    mass_ += masses_.back();
  }
}

void Cloth::start(Segment q, Segment v) const
{
  for (int i = 0; i < vertex_count(); ++i) {
    q.segment<3>(3 * i) = options_.surface.positions[i];
    v.segment<3>(3 * i) = options_.velocity;
  }
}

void Cloth::place_surface(double, ConstSegment q, std::span<Vector3d> vertices) const
{
  for (int i = 0; i < vertex_count(); ++i) vertices[i] = q.segment<3>(3 * i);
}

Vector3d Cloth::position(double, ConstSegment q, const BodyPoint& point) const
{
  return q.segment<3>(3 * point.vertex);
}

PointMap Cloth::map(ConstSegment, const BodyPoint& point) const
{
  return {1, {point.vertex}, {Matrix3d::Identity()}};
}

void Cloth::add_couples(int first_node, std::vector<std::array<int, 2>>& couples) const
{
  springs_.add_couples(first_node, couples);
}

void Cloth::bind(const BlockPattern& pattern, int first_node)
{
  springs_.bind(pattern, first_node);
}

// Damping and drag are linear in v: in b = h F + (M - h dF/dv) v they leave the pull of the wind.
void Cloth::linearise(const StepInput& input, ConstSegment q, ConstSegment v, BodyWorkspace*,
                      BlockMatrix& A, Segment b) const
{
  const double h = input.dt;
  const Vector3d gain = h * steady_acceleration(input);
  const Vector3d gust = h * options_.drag * input.wind;
  for_rows(vertex_count(), [&](SpringRows::Range rows) {
    for (int i = rows.first_vertex; i < rows.last_vertex; ++i) {
      A.blocks[springs_.diagonal_slot(i)].diagonal().array() +=
          masses_[i] * (1.0 + h * options_.mass_damping) + h * options_.drag * areas_[i];
      b.segment<3>(3 * i) += masses_[i] * (v.segment<3>(3 * i) + gain) + areas_[i] * gust;
    }
    springs_.add_linearised(rows, h, q.data(), A, b.data());
  });
}

void Cloth::forces(const StepInput& input, ConstSegment q, ConstSegment v, BodyWorkspace*,
                   Segment f) const
{
  const Vector3d steady = steady_acceleration(input);
  for_rows(vertex_count(), [&](SpringRows::Range rows) {
    for (int i = rows.first_vertex; i < rows.last_vertex; ++i) {
      const Vector3d v_i = v.segment<3>(3 * i);
      f.segment<3>(3 * i) = masses_[i] * (steady - options_.mass_damping * v_i) +
                            (options_.drag * areas_[i]) * (input.wind - v_i);
    }
    springs_.add_forces(rows, q.data(), v.data(), f.data());
  });
}

void Cloth::advance(const StepInput& input, ConstSegment q0, ConstSegment, ConstSegment v,
                    Segment q1, Segment v1) const
{
  q1 = q0 + input.dt * v;
  v1 = v;
}

Vector3d Cloth::centre_of_mass(ConstSegment q) const
{
  Vector3d sum = Vector3d::Zero();
  for (int i = 0; i < vertex_count(); ++i) sum += masses_[i] * q.segment<3>(3 * i);
  return sum / mass_;
}

double Cloth::kinetic_energy(ConstSegment, ConstSegment v) const
{
  double energy = 0.0;
  for (int i = 0; i < vertex_count(); ++i)
    energy += 0.5 * masses_[i] * v.segment<3>(3 * i).squaredNorm();
  return energy;
}

double Cloth::elastic_energy(ConstSegment q) const
{
  double energy = 0.0;
  for (const ClothSpring& spring : options_.springs) {
    const double length = (q.segment<3>(3 * spring.b) - q.segment<3>(3 * spring.a)).norm();
    const double stretch = length - spring.rest_length;
    energy += 0.5 * spring.stiffness * stretch * stretch;
  }
  return energy;
}

Momentum Cloth::momentum(ConstSegment q, ConstSegment v) const
{
  Momentum sum;
  for (int i = 0; i < vertex_count(); ++i) {
    const Vector3d x_i = q.segment<3>(3 * i), p_i = masses_[i] * v.segment<3>(3 * i);
    sum.linear += p_i;
    sum.angular += x_i.cross(p_i);
  }
  return sum;
}

double Cloth::given_work(const StepInput& input, ConstSegment, ConstSegment v) const
{
  const Vector3d acceleration = options_.force / mass_;
  if (acceleration.isZero(0.0) && (options_.drag == 0.0 || input.wind.isZero(0.0))) return 0.0;
  double power = 0.0;  // W
  for (int i = 0; i < vertex_count(); ++i)
    power += (masses_[i] * acceleration + (options_.drag * areas_[i]) * input.wind)
                 .dot(v.segment<3>(3 * i));
  return input.dt * power;
}

void require_springs(const BodyInput& input, const ClothOptions& options)
{
  const int vertex_count = options.surface.vertex_count();
  const auto exists = [&](int vertex) { return vertex >= 0 && vertex < vertex_count; };
  for (std::size_t s = 0; s < options.springs.size(); ++s) {
    const ClothSpring& spring = options.springs[s];
    if (!exists(spring.a) || !exists(spring.b) || spring.a == spring.b)
      input.complain(fmt::format("spring {} joins the vertices {} and {}, expected two of 0 to {}",
                                 s, spring.a, spring.b, vertex_count - 1));
    input.not_negative(fmt::format("spring {}: stiffness", s), spring.stiffness, "N/m");
    input.not_negative(fmt::format("spring {}: rest length", s), spring.rest_length, "m");
  }
}

void require_mass_everywhere(const BodyInput& input, const TriMesh& surface)
{
  const std::vector<double> areas = vertex_areas(surface);
  for (std::size_t i = 0; i < areas.size(); ++i)
    if (!(areas[i] > 0.0))
      input.complain(
          fmt::format("vertex {} has triangles of {} m^2 in all, expected an area > 0: "
                      "it would have no mass",
                      i, areas[i]));
}

}  // namespace

std::unique_ptr<Body> make_cloth_body(std::string name, ClothOptions options)
{
  const BodyInput input(BodyKind::cloth, name);
  input.surface(options.surface);
  require_mass_everywhere(input, options.surface);
  require_springs(input, options);
  input.positive("area density", options.area_density, "kg/m^2");
  input.not_negative("damping", options.damping, "s");
  input.not_negative("mass damping", options.mass_damping, "1/s");
  input.finite("velocity", options.velocity, "m/s");
  input.finite("force", options.force, "N");
  input.not_negative("drag", options.drag, "N s/m^3");
  return std::make_unique<Cloth>(std::move(name), std::move(options));
}

}  // namespace tact
