#include <tact/sim/contact_rows.hpp>

#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

#include <tact/sim/impulse_memory.hpp>
#include <tact/sim/linear_dynamics.hpp>

namespace tact {
namespace {

constexpr double approaches = 1e-6;  // m/s: slower is at rest

// The point of one side. On the planes of corners it may lie beyond its triangle.
Vector3d side_point(const KeyedContact& contact, bool first, std::span<const Vector3d> x)
{
  Vector3d point = Vector3d::Zero();
  for (int k = 0; k < 4 && contact.key.vertices[k] >= 0; ++k)
    if ((k < contact.key.first_side) == first)
      point += (first ? contact.weights[k] : -contact.weights[k]) * x[contact.key.vertices[k]];
  return point;
}

}  // namespace

Matrix3d contact_frame(const Vector3d& normal)
{
  const Vector3d axis = std::abs(normal.x()) < 0.6 ? Vector3d::UnitX() : Vector3d::UnitY();
  Matrix3d frame;
  frame.col(0) = normal;
  frame.col(1) = (axis - normal * normal.dot(axis)).normalized();
  frame.col(2) = normal.cross(frame.col(1));
  return frame;
}

ContactRowBuilder::ContactRowBuilder(const World& world, const WorldSurfaces& surfaces)
    : world_(&world),
      surfaces_(&surfaces),
      is_prescribed_(world.node_count(), 0),
      prescribed_velocity_(VectorXd::Zero(world.v_size()))
{
  for (const PrescribedNode& node : world.prescribed()) is_prescribed_[node.node] = 1;
}

void ContactRowBuilder::begin(const StepView& view, const ContactRowOptions& options)
{
  view_ = view;
  options_ = options;
  pushed_.assign(world_->body_count(), 0);
  if (options.last != nullptr)
    options.last->for_each_key([&](const ContactKey& key) {
      for (const int vertex : {key.vertices[0], key.vertices[key.first_side]})
        pushed_[surfaces_->body_of[vertex]] = 1;
    });
  for (const PrescribedNode& node : world_->prescribed())
    prescribed_velocity_.segment<3>(3 * node.node) =
        prescribed_velocity(*world_, *view.start, node, view.dt);
}

bool ContactRowBuilder::append(const KeyedContact& contact, ContactProblem& problem,
                               std::vector<ContactRecord>& records, GapRule rule)
{
  ContactRecord record;
  record.contact = contact;
  record.frame = contact_frame(contact.normal);
  record.body_a = surfaces_->body_of[contact.key.vertices[0]];
  record.body_b = surfaces_->body_of[contact.key.vertices[contact.key.first_side]];
  record.point = common_point(contact, record.body_a, record.body_b);
  to_frame_ = record.frame.transpose();
  known_.setZero();
  ContactRows rows;
  rows.first = static_cast<int>(problem.blocks.size());
  add_side(contact, record.body_a, true, record.point, problem, rows);
  add_side(contact, record.body_b, false, record.point, problem, rows);
  if (rows.count == 0) return false;

  record.gap = contact.normal.dot(apart(contact.key, contact.weights, view_.x0));
  record.target = options_.targets == nullptr
                      ? options_.delta
                      : options_.targets->target(body_pair(record.body_a, record.body_b));
  const ContactLaw& law = world_->law(record.body_a, record.body_b);
  rows.bias = known_;
  rows.mu = options_.mu.value_or(law.mu);
  double before = known_[0], free = known_[0];  // normal velocity at the start, and without contact
  for (int k = 0; k < rows.count; ++k) {
    const RowBlock& block = problem.blocks[rows.first + k];
    before += block.J.row(0).dot(view_.start->v.segment<3>(3 * block.node));
    free += block.J.row(0).dot(view_.v_star->segment<3>(3 * block.node));
  }
  const bool as_it_is = rule == GapRule::as_it_is;
  const double rate = as_it_is ? (record.gap - options_.delta) / view_.dt : rate_of(record, free);
  const bool bounces =
      !as_it_is && law.restitution > 0.0 && before < -options_.bounce_from && free + rate < 0.0;
  if (bounces) {
    rows.restitution = law.restitution;
    rows.approach = before;
  } else {
    rows.bias[0] += rate;
  }
  record.known = known_;
  record.rate = rate;
  record.base_bias = rows.bias;
  problem.contacts.push_back(rows);
  records.push_back(record);
  return true;
}

void ContactRowBuilder::retarget(ContactRecord& record, const ContactRows& rows) const
{
  record.target = options_.targets->target(body_pair(record.body_a, record.body_b));
  const double before = record.rate;
  record.rate = rate_of(record, 0.0);
  const bool bounces = rows.restitution > 0.0 && rows.approach < 0.0;
  if (!bounces) record.base_bias[0] += record.rate - before;
}

// The linearised end gap over dt. A pair that is nearer than its target is parted at a limited
// speed. If even n.(p_a - p_b) < 0, the normal has turned away from where the pair is now (it was
// taken at a time of impact), and no speed is asked for. Nor of what deforms where nothing presses
// now nor pushed in the last step: no error brings it nearer, and what is parted springs back.
double ContactRowBuilder::rate_of(const ContactRecord& record, double free) const
{
  const double rate = (record.gap - record.target) / view_.dt;
  if (rate >= 0.0) return rate;
  if (record.gap < 0.0) return 0.0;
  const bool soft = world_->body(record.body_a).deforms() || world_->body(record.body_b).deforms();
  if (!soft) return std::max(rate, -options_.push_out);
  const bool quiet = pushed_[record.body_a] == 0 && pushed_[record.body_b] == 0;
  return quiet && free >= -approaches ? 0.0 : std::max(rate, -options_.push_out_soft);
}

Vector3d ContactRowBuilder::common_point(const KeyedContact& contact, int body_a, int body_b) const
{
  const bool a_deforms = world_->body(body_a).deforms(), b_deforms = world_->body(body_b).deforms();
  const auto is_held = [&](int body) { return world_->body(body).node_count() == 0; };
  const std::span<const Vector3d> start = view_.x0;
  if (is_held(body_b) || (b_deforms && !a_deforms)) return side_point(contact, true, start);
  if (is_held(body_a) || (a_deforms && !b_deforms)) return side_point(contact, false, start);
  return 0.5 * (side_point(contact, true, start) + side_point(contact, false, start));
}

void ContactRowBuilder::add_side(const KeyedContact& contact, int body, bool first,
                                 const Vector3d& point, ContactProblem& problem, ContactRows& rows)
{
  if (const auto map = world_->body(body).map_at(world_->q(*view_.start, body), point)) {
    const double sign = first ? 1.0 : -1.0;
    for (int k = 0; k < map->count; ++k)
      add_block(world_->place(body).node + map->node[k], sign * (to_frame_ * map->block[k]),
                problem, rows);
    return;
  }
  for (int k = 0; k < 4 && contact.key.vertices[k] >= 0; ++k)
    if ((k < contact.key.first_side) == first)
      add_vertex(contact.key.vertices[k], contact.weights[k], problem, rows);
}

void ContactRowBuilder::add_vertex(int vertex, double weight, ContactProblem& problem,
                                   ContactRows& rows)
{
  const int index = surfaces_->body_of[vertex];
  const Body& body = world_->body(index);
  if (body.node_count() == 0) {
    known_ += weight / view_.dt * (to_frame_ * (view_.x1[vertex] - view_.x0[vertex]));
    return;
  }
  const BodyPlace& place = world_->place(index);
  const PointMap map =
      body.map(world_->q(*view_.start, index), {.vertex = vertex - place.vertex, .local = {}});
  for (int k = 0; k < map.count; ++k)
    add_block(place.node + map.node[k], weight * (to_frame_ * map.block[k]), problem, rows);
}

void ContactRowBuilder::add_block(int node, const Matrix3d& J, ContactProblem& problem,
                                  ContactRows& rows)
{
  if (is_prescribed_[node]) {
    known_ += J * prescribed_velocity_.segment<3>(3 * node);
    return;
  }
  for (int k = 0; k < rows.count; ++k) {
    RowBlock& block = problem.blocks[rows.first + k];
    if (block.node != node) continue;
    block.J += J;
    return;
  }
  problem.blocks.push_back({node, J});
  ++rows.count;
}

}  // namespace tact
