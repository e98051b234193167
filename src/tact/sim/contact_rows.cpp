#include <tact/sim/contact_rows.hpp>

#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

#include <tact/sim/linear_dynamics.hpp>

namespace tact {
namespace {

// The linearised end gap over dt. A negative gap means: nearer than delta; such a pair is parted at
// a limited speed. If even n.(p_a - p_b) < 0, the normal has turned away from where the pair is now
// (it was taken at a time of impact), and no speed is asked for.
double gap_rate(double raw_gap, double dt, const ContactRowOptions& options)
{
  const double gap = raw_gap - options.delta;
  if (gap >= 0.0) return gap / dt;
  return raw_gap < 0.0 ? 0.0 : std::max(gap / dt, -options.push_out);
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
  for (const PrescribedNode& node : world_->prescribed())
    prescribed_velocity_.segment<3>(3 * node.node) =
        prescribed_velocity(*world_, *view.start, node, view.dt);
}

bool ContactRowBuilder::append(const KeyedContact& contact, ContactProblem& problem,
                               std::vector<ContactRecord>& records, GapRule rule)
{
  const Matrix3d frame = contact_frame(contact.normal);
  to_frame_ = frame.transpose();
  known_.setZero();
  ContactRows rows;
  rows.first = static_cast<int>(problem.blocks.size());
  double raw_gap = 0.0;
  int body_a = -1, body_b = -1;
  for (int k = 0; k < 4; ++k) {
    const int vertex = contact.key.vertices[k];
    if (vertex < 0) break;
    raw_gap += contact.weights[k] * contact.normal.dot(view_.x0[vertex]);
    add_vertex(vertex, contact.weights[k], problem, rows);
    (k < contact.key.first_side ? body_a : body_b) = surfaces_->body_of[vertex];
  }
  if (rows.count == 0) return false;

  const ContactLaw& law = world_->law(body_a, body_b);
  rows.bias = known_;
  rows.mu = options_.mu.value_or(law.mu);
  double before = known_[0], free = known_[0];  // normal velocity at the start, and without contact
  for (int k = 0; k < rows.count; ++k) {
    const RowBlock& block = problem.blocks[rows.first + k];
    before += block.J.row(0).dot(view_.start->v.segment<3>(3 * block.node));
    free += block.J.row(0).dot(view_.v_star->segment<3>(3 * block.node));
  }
  const bool as_it_is = rule == GapRule::as_it_is;
  const double rate =
      as_it_is ? (raw_gap - options_.delta) / view_.dt : gap_rate(raw_gap, view_.dt, options_);
  const bool bounces =
      !as_it_is && law.restitution > 0.0 && before < -options_.bounce_from && free + rate < 0.0;
  if (bounces) {
    rows.restitution = law.restitution;
    rows.approach = before;
  } else {
    rows.bias[0] += rate;
  }
  problem.contacts.push_back(rows);
  records.push_back({contact, body_a, body_b, frame});
  return true;
}

void ContactRowBuilder::add_vertex(int vertex, double weight, ContactProblem& problem,
                                   ContactRows& rows)
{
  const int index = surfaces_->body_of[vertex];
  const Body& body = world_->body(index);
  if (body.node_count() == 0) {
    known_ += weight / view_.dt * (to_frame_ * (view_.x1_scripted[vertex] - view_.x0[vertex]));
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
