#include <tact/bodies/soft_solid.hpp>

#include <algorithm>

#include <fmt/core.h>

#include <tact/bodies/body_input.hpp>
#include <tact/bodies/soft_elements.hpp>
#include <tact/bodies/surface_area.hpp>
#include <tact/core/error.hpp>

namespace tact {
namespace {

// Cells that a surface hardly touches have next to no matter, but they must still carry the surface
// along: this much of their stiffness stays.
constexpr double least_stiffness = 0.05;

struct SoftWorkspace final : BodyWorkspace {
  explicit SoftWorkspace(const SoftElements& elements) : sums(elements) {}
  SoftElements::Sums sums;
};

SoftElements::Sums& sums_of(BodyWorkspace* workspace)
{
  return static_cast<SoftWorkspace&>(*workspace).sums;
}

EmbeddedSurface own_surface(const TetMesh& mesh)
{
  const CompactSurface own = compact(mesh.positions, boundary_faces(mesh));
  EmbeddedSurface surface{own.mesh.triangles, {}};
  for (const int node : own.old_vertex)
    surface.vertices.push_back({{node, node, node, node}, {1.0, 0.0, 0.0, 0.0}});
  return surface;
}

std::vector<double> lumped_masses(const SoftOptions& options)
{
  std::vector<double> masses(options.mesh.positions.size(), 0.0);
  for (int t = 0; t < options.mesh.tetrahedron_count(); ++t) {
    const double fill = options.fill.empty() ? 1.0 : options.fill[t];
    const double mass = options.density * fill * volume(options.mesh.corners(t));
    for (const int node : options.mesh.tetrahedra[t]) masses[node] += 0.25 * mass;
  }
  return masses;
}

std::vector<double> stiffening(const std::vector<double>& fill)
{
  std::vector<double> factors;
  for (const double f : fill) factors.push_back(std::max(f, least_stiffness));
  return factors;
}

// The area of the surface's vertices, handed down to the nodes that carry them.
std::vector<double> node_areas(const TetMesh& mesh, const EmbeddedSurface& surface)
{
  TriMesh at_rest{{}, surface.triangles};
  for (const Barycentric& vertex : surface.vertices)
    at_rest.positions.push_back(vertex.at(mesh.positions));
  const std::vector<double> areas = vertex_areas(at_rest);
  std::vector<double> shares(mesh.positions.size(), 0.0);
  for (std::size_t i = 0; i < areas.size(); ++i)
    for (int k = 0; k < 4; ++k)
      shares[surface.vertices[i].nodes[k]] += surface.vertices[i].weights[k] * areas[i];
  return shares;
}

Vector3d place(const Barycentric& vertex, const ConstSegment& q)
{
  const auto& [nodes, w] = vertex;
  return w[0] * q.segment<3>(3 * nodes[0]) + w[1] * q.segment<3>(3 * nodes[1]) +
         w[2] * q.segment<3>(3 * nodes[2]) + w[3] * q.segment<3>(3 * nodes[3]);
}

class SoftSolid final : public Body {
 public:
  SoftSolid(std::string name, SoftOptions options);

  BodyKind kind() const override { return BodyKind::soft; }
  int q_size() const override { return 3 * node_count(); }
  int node_count() const override { return static_cast<int>(masses_.size()); }
  void start(Segment q, Segment v) const override;

  int vertex_count() const override { return static_cast<int>(surface_.vertices.size()); }
  std::span<const Triangle> triangles() const override { return surface_.triangles; }
  bool self_collision() const override { return options_.self_collision; }
  void place_surface(double t, ConstSegment q, std::span<Vector3d> vertices) const override;
  Vector3d position(double t, ConstSegment q, const BodyPoint& point) const override;
  PointMap map(ConstSegment q, const BodyPoint& point) const override;

  void add_couples(int first_node, std::vector<std::array<int, 2>>& couples) const override;
  void bind(const BlockPattern& pattern, int first_node) override
  {
    elements_.bind(pattern, first_node);
  }
  std::unique_ptr<BodyWorkspace> make_workspace() const override
  {
    return std::make_unique<SoftWorkspace>(elements_);
  }
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
  double elastic_energy(ConstSegment q) const override { return elements_.energy(q.data()); }
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

  SoftOptions options_;
  EmbeddedSurface surface_;
  SoftElements elements_;
  std::vector<double> masses_;  // kg, one a node
  std::vector<double> drags_;   // N s/m, one a node
  double mass_ = 0.0;
};

SoftSolid::SoftSolid(std::string name, SoftOptions options)
    : Body(std::move(name)),
      options_(std::move(options)),
      surface_(options_.surface ? *options_.surface : own_surface(options_.mesh)),
      elements_(options_.mesh, lame_moduli(options_.young, options_.poisson),
                stiffening(options_.fill)),
      masses_(lumped_masses(options_)),
      drags_(node_areas(options_.mesh, surface_))
{
  for (const double m : masses_) mass_ += m;
  for (double& drag : drags_) drag *= options_.drag;
}

void SoftSolid::start(Segment q, Segment v) const
{
  for (int i = 0; i < node_count(); ++i) {
    q.segment<3>(3 * i) = options_.mesh.positions[i];
    v.segment<3>(3 * i) = options_.velocity;
  }
}

void SoftSolid::place_surface(double, ConstSegment q, std::span<Vector3d> vertices) const
{
  for (int i = 0; i < vertex_count(); ++i) vertices[i] = place(surface_.vertices[i], q);
}

Vector3d SoftSolid::position(double, ConstSegment q, const BodyPoint& point) const
{
  return place(surface_.vertices[point.vertex], q);
}

PointMap SoftSolid::map(ConstSegment, const BodyPoint& point) const
{
  const Barycentric& vertex = surface_.vertices[point.vertex];
  PointMap map;
  for (int k = 0; k < 4; ++k) {
    if (vertex.weights[k] == 0.0) continue;
    map.node[map.count] = vertex.nodes[k];
    map.block[map.count++] = vertex.weights[k] * Matrix3d::Identity();
  }
  return map;
}

void SoftSolid::add_couples(int first_node, std::vector<std::array<int, 2>>& couples) const
{
  for (const Edge& edge : elements_.edges())
    couples.push_back({first_node + edge[0], first_node + edge[1]});
}

// Damping and drag are linear in v: in b = h F + (M - h dF/dv) v they cancel, but for the wind.
void SoftSolid::linearise(const StepInput& input, ConstSegment q, ConstSegment v,
                          BodyWorkspace* workspace, BlockMatrix& A, Segment b) const
{
  const double h = input.dt;
  const double stiffness = h * (options_.stiffness_damping + h);
  elements_.add_linearised(q.data(), {.stiffness = stiffness, .force = h}, sums_of(workspace), A,
                           b.data());
  const double inertia = 1.0 + h * options_.mass_damping;
  const Vector3d gain = h * steady_acceleration(input);
  const Vector3d gust = h * input.wind;
  for (int i = 0; i < node_count(); ++i) {
    A.blocks[elements_.node_slot(i)].diagonal().array() += masses_[i] * inertia + h * drags_[i];
    b.segment<3>(3 * i) += masses_[i] * (v.segment<3>(3 * i) + gain) + drags_[i] * gust;
  }
}

void SoftSolid::forces(const StepInput& input, ConstSegment q, ConstSegment v,
                       BodyWorkspace* workspace, Segment f) const
{
  const Vector3d steady = steady_acceleration(input);
  for (int i = 0; i < node_count(); ++i) {
    const Vector3d v_i = v.segment<3>(3 * i);
    f.segment<3>(3 * i) =
        masses_[i] * (steady - options_.mass_damping * v_i) + drags_[i] * (input.wind - v_i);
  }
  elements_.add_forces(q.data(), v.data(), options_.stiffness_damping, sums_of(workspace),
                       f.data());
}

void SoftSolid::advance(const StepInput& input, ConstSegment q0, ConstSegment, ConstSegment v,
                        Segment q1, Segment v1) const
{
  q1 = q0 + input.dt * v;
  v1 = v;
}

Vector3d SoftSolid::centre_of_mass(ConstSegment q) const
{
  Vector3d sum = Vector3d::Zero();
  for (int i = 0; i < node_count(); ++i) sum += masses_[i] * q.segment<3>(3 * i);
  return sum / mass_;
}

double SoftSolid::kinetic_energy(ConstSegment, ConstSegment v) const
{
  double energy = 0.0;
  for (int i = 0; i < node_count(); ++i)
    energy += 0.5 * masses_[i] * v.segment<3>(3 * i).squaredNorm();
  return energy;
}

Momentum SoftSolid::momentum(ConstSegment q, ConstSegment v) const
{
  Momentum sum;
  for (int i = 0; i < node_count(); ++i) {
    const Vector3d x_i = q.segment<3>(3 * i), p_i = masses_[i] * v.segment<3>(3 * i);
    sum.linear += p_i;
    sum.angular += x_i.cross(p_i);
  }
  return sum;
}

double SoftSolid::given_work(const StepInput& input, ConstSegment, ConstSegment v) const
{
  const Vector3d acceleration = options_.force / mass_;
  if (acceleration.isZero(0.0) && (options_.drag == 0.0 || input.wind.isZero(0.0))) return 0.0;
  double power = 0.0;  // W
  for (int i = 0; i < node_count(); ++i)
    power += (masses_[i] * acceleration + drags_[i] * input.wind).dot(v.segment<3>(3 * i));
  return input.dt * power;
}

void require_mesh(const BodyInput& input, const TetMesh& mesh)
{
  if (mesh.tetrahedra.empty()) input.complain("the mesh has 0 tetrahedra, expected at least 1");
  try {
    validate(mesh);
  } catch (const Error& error) {
    input.complain(error.what());
  }
  const std::vector<int> inverted = inverted_tetrahedra(mesh);
  if (!inverted.empty())
    input.complain(fmt::format(
        "{} of {} tetrahedra are inverted or flat, the first is {} with a "
        "volume of {:g} m^3; expected volumes > 0",
        inverted.size(), mesh.tetrahedron_count(), inverted[0], volume(mesh.corners(inverted[0]))));
  std::vector<bool> used(mesh.positions.size(), false);
  for (const Tetrahedron& t : mesh.tetrahedra)
    for (const int node : t) used[node] = true;
  const auto loose = std::find(used.begin(), used.end(), false);
  if (loose != used.end())
    input.complain(
        fmt::format("node {} is of no tetrahedron: it would have no mass", loose - used.begin()));
}

void require_fill(const BodyInput& input, const SoftOptions& options)
{
  if (options.fill.empty()) return;
  if (options.fill.size() != options.mesh.tetrahedra.size())
    input.complain(fmt::format("fill has {} entries, expected one for each of {} tetrahedra",
                               options.fill.size(), options.mesh.tetrahedron_count()));
  for (std::size_t t = 0; t < options.fill.size(); ++t)
    if (!(options.fill[t] > 0.0 && options.fill[t] <= 1.0))
      input.complain(fmt::format("fill of tetrahedron {} is {}, expected a share > 0 and <= 1", t,
                                 options.fill[t]));
}

void require_surface(const BodyInput& input, const EmbeddedSurface& surface, const TetMesh& mesh)
{
  TriMesh at_rest{{}, surface.triangles};
  for (std::size_t i = 0; i < surface.vertices.size(); ++i) {
    for (const int node : surface.vertices[i].nodes)
      if (node < 0 || node >= mesh.vertex_count())
        input.complain(fmt::format("vertex {} of the surface rides on node {}, expected 0 to {}", i,
                                   node, mesh.vertex_count() - 1));
    at_rest.positions.push_back(surface.vertices[i].at(mesh.positions));
  }
  input.surface(at_rest);
}

}  // namespace

std::unique_ptr<Body> make_soft_body(std::string name, SoftOptions options)
{
  const BodyInput input(BodyKind::soft, name);
  require_mesh(input, options.mesh);
  require_fill(input, options);
  if (options.surface) require_surface(input, *options.surface, options.mesh);
  input.positive("Young's modulus", options.young, "Pa");
  if (!(options.poisson > -1.0 && options.poisson < 0.5))
    input.complain(
        fmt::format("Poisson's ratio is {}, expected a number > -1 and < 0.5", options.poisson));
  input.positive("density", options.density, "kg/m^3");
  input.not_negative("mass damping", options.mass_damping, "1/s");
  input.not_negative("stiffness damping", options.stiffness_damping, "s");
  input.finite("velocity", options.velocity, "m/s");
  input.finite("force", options.force, "N");
  input.not_negative("drag", options.drag, "N s/m^3");
  return std::make_unique<SoftSolid>(std::move(name), std::move(options));
}

}  // namespace tact
