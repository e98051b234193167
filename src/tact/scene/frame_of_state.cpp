#include <tact/scene/frame_of_state.hpp>

namespace tact {
namespace {

RecordedContact recorded(const World& world, const ContactRecord& record, const Vector3d& impulse,
                         std::span<const Vector3d> vertices, double contact_distance)
{
  const KeyedContact& contact = record.contact;
  Vector3d point = Vector3d::Zero(), apart = Vector3d::Zero();
  for (int k = 0; k < 4 && contact.key.vertices[k] >= 0; ++k) {
    const Vector3d part = contact.weights[k] * vertices[contact.key.vertices[k]];
    apart += part;
    if (k < contact.key.first_side) point += part;
  }
  return {.body_a = record.body_a,
          .body_b = record.body_b,
          .point = point,
          .normal = contact.normal,
          .gap = contact.normal.dot(apart) - contact_distance,
          .mu = world.law(record.body_a, record.body_b).mu,
          .normal_impulse = impulse[0],
          .friction_impulse = record.frame.rightCols<2>() * impulse.tail<2>()};
}

}  // namespace

RecordingHeader header_of(const World& world)
{
  RecordingHeader header;
  int v_first = 0;
  for (int i = 0; i < world.body_count(); ++i) {
    const Body& body = world.body(i);
    const BodyPlace& place = world.place(i);
    header.bodies.push_back({.name = body.name(),
                             .kind = name_of(body.kind()),
                             .first_vertex = place.vertex,
                             .vertex_count = body.vertex_count(),
                             .triangles = {body.triangles().begin(), body.triangles().end()},
                             .q_first = place.q,
                             .q_size = body.q_size(),
                             .v_first = v_first,
                             .v_size = body.v_size()});
    v_first += body.v_size();
  }
  return header;
}

Frame frame_of(const World& world, const State& state)
{
  Frame frame{.step = state.step, .t = state.t, .q = state.q, .v = VectorXd(state.v.size())};
  place_surfaces(world, state, frame.vertices);
  int v_first = 0;
  for (int i = 0; i < world.body_count(); ++i) {
    const int size = world.body(i).v_size();
    frame.v.segment(v_first, size) = world.v(state, i);
    v_first += size;
  }
  return frame;
}

Frame frame_of(const World& world, const State& state, const Stepper& stepper,
               const StepReport& report)
{
  Frame frame = frame_of(world, state);
  const std::span<const ContactRecord> records = stepper.contacts();
  for (std::size_t c = 0; c < records.size(); ++c) {
    const Vector3d impulse = stepper.impulses().segment<3>(3 * static_cast<Eigen::Index>(c));
    if (impulse[0] > 0.0)
      frame.contacts.push_back(
          recorded(world, records[c], impulse, frame.vertices, stepper.contact_distance()));
  }
  frame.certificate = {.clearance = report.clearance,
                       .residual = report.residual,
                       .cone_violation = report.cone_violation,
                       .momentum_error = report.momentum_error,
                       .passes = report.passes,
                       .halvings = report.halvings};
  return frame;
}

}  // namespace tact
