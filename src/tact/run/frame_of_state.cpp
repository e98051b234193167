#include <tact/run/frame_of_state.hpp>

#include <algorithm>
#include <utility>

#include <tact/run/recorded_joint.hpp>

namespace tact {
namespace {

// Where the contact's points are at the end of the step, and how far apart.
void place_contact(const KeyedContact& contact, std::span<const Vector3d> vertices,
                   double contact_distance, RecordedContact& recorded)
{
  Vector3d apart = Vector3d::Zero();
  for (int k = 0; k < 4 && contact.key.vertices[k] >= 0; ++k) {
    const Vector3d part = contact.weights[k] * vertices[contact.key.vertices[k]];
    apart += part;
    if (k < contact.key.first_side) recorded.point += part;
  }
  recorded.gap = contact.normal.dot(apart) - contact_distance;
}

// The sum over the nodes of a body that have mass: all of a mesh, the linear one of a rigid body.
Vector3d sum_of_nodes(const RecordedBody& body, int first_node, const VectorXd& x)
{
  Vector3d sum = Vector3d::Zero();
  for (std::size_t k = 0; k < body.masses.size(); ++k)
    if (body.masses[k] > 0.0) sum += x.segment<3>(3 * (first_node + static_cast<int>(k)));
  return sum;
}

}  // namespace

RecordingHeader header_of(const World& world)
{
  RecordingHeader header;
  header.gravity = world.gravity();
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
                             .v_size = body.v_size(),
                             .masses = body.node_masses()});
    v_first += body.v_size();
  }
  const State start = world.start();
  for (const Joint& joint : world.joints()) {
    const JointFrame a = frame_of(world, start, joint.a), b = frame_of(world, start, joint.b);
    header.joints.push_back({.name = joint.name,
                             .kind = std::string(name_of(joint.kind)),
                             .body_a = joint.a.body,
                             .body_b = joint.b.body,
                             .at_a = a.at,
                             .at_b = b.at,
                             .axes = a.axes,
                             .length = joint.length,
                             .collide = joint.collide,
                             .rope = joint.rope,
                             .low = joint.motion.low,
                             .high = joint.motion.high});
  }
  return header;
}

RecordingHeader header_of(const Scene& scene, std::string version)
{
  RecordingHeader header = header_of(scene.world);
  header.scene = scene.name;
  header.version = std::move(version);
  header.seed = scene.run.seed;
  header.dt = scene.run.dt;
  header.scene_json = scene.resolved_json;
  header.contact_distance = scene.run.contact.delta;
  header.friction = scene.run.contact.friction;
  header.tolerance = scene.run.contact.tolerance;
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

FrameRecorder::FrameRecorder(const World& world, const RecordingHeader& header)
    : world_(&world), header_(&header)
{
}

Frame FrameRecorder::frame(const State& state, const StepResult& step)
{
  Frame frame = frame_of(*world_, state);
  frame.dt = step.dt;
  diagonal_.load(step.problem);
  add_contacts(step, frame);
  add_joints(state, step, frame);
  add_momentum(step, frame);
  certify(step, frame);
  return frame;
}

// All but those that the judge of answers passes over: no impulse, and none called for.
void FrameRecorder::add_contacts(const StepResult& step, Frame& frame) const
{
  const ContactProblem& problem = step.problem;
  const ContactSolution& solution = step.solution;
  const std::vector<char> excused = excused_sides(problem, solution);
  for (int c = 0; c < problem.size(); ++c) {
    if (!excused.empty() && excused[c] != 0) continue;
    const ContactRows& rows = problem.contacts[c];
    const Vector3d lambda = solution.lambda.segment<3>(3 * c);
    const Vector3d u = contact_velocity(problem, rows, solution.v);
    if (lambda.isZero(0.0) && u[0] >= 0.0) continue;
    const ContactRecord& record = step.contacts[c];
    RecordedContact contact{.body_a = record.body_a,
                            .body_b = record.body_b,
                            .normal = record.contact.normal,
                            .mu = rows.mu,
                            .normal_impulse = lambda[0],
                            .friction_impulse = record.frame.rightCols<2>() * lambda.tail<2>(),
                            .vertices = record.contact.key.vertices,
                            .weights = record.contact.weights,
                            .tangent = record.frame.col(1),
                            .velocity = u,
                            .response = response(problem, diagonal_, rows)};
    place_contact(record.contact, frame.vertices, header_->contact_distance, contact);
    frame.contacts.push_back(contact);
  }
}

void FrameRecorder::add_joints(const State& state, const StepResult& step, Frame& frame) const
{
  auto joint = header_->joints.begin();
  auto own = world_->joints().begin();
  for (const JointReaction& reaction : step.joints) {
    const JointFrame a = frame_of(*world_, state, own->a), b = frame_of(*world_, state, own->b);
    const JointError error = recorded_joint_error(*joint++, (own++)->kind, a, b);
    frame.joints.push_back({reaction.force, reaction.torque, reaction.point, error.length,
                            error.angle, reaction.motor, reaction.friction, reaction.limit});
  }
}

// As MomentumError::speed() has it, of the component of each body; 0 for obstacles.
std::vector<double> FrameRecorder::judged_masses() const
{
  std::vector<double> of_component(world_->components().size(), 0.0);
  for (int i = 0; i < world_->body_count(); ++i) {
    const RecordedBody& body = header_->bodies[i];
    for (std::size_t k = 0; k < body.masses.size(); ++k)
      if (body.masses[k] > 0.0)
        of_component[world_->place(i).component] +=
            diagonal_.mass(world_->place(i).node + static_cast<int>(k));
  }
  std::vector<double> masses(header_->bodies.size(), 0.0);
  for (int i = 0; i < world_->body_count(); ++i)
    if (world_->place(i).component >= 0) masses[i] = of_component[world_->place(i).component];
  return masses;
}

// The equations of motion of a body's nodes, added up, are A v - b = J' lambda. What of A v - b is
// neither change of momentum nor weight is `other`: internal forces cancel, and forces from without
// remain. A node that is held by a pin has no equation: the pin gives what the node's motion takes,
// and takes what contacts give the node, so that this is `other` as well.
void FrameRecorder::add_momentum(const StepResult& step, Frame& frame)
{
  const ContactProblem& problem = step.problem;
  const ContactSolution& solution = step.solution;
  multiply(problem, solution.v, unbalanced_);
  unbalanced_ = step.right_side - unbalanced_;
  if (!problem.bilateral.empty()) add_bilateral_impulse(problem, solution.beta, unbalanced_);
  impulse_.setZero(solution.v.size());
  if (problem.size() > 0) generalised_impulse(problem, solution.lambda, impulse_);

  const std::vector<double> masses = judged_masses();
  std::vector<Vector3d> contacts(header_->bodies.size(), Vector3d::Zero());
  for (const RecordedContact& contact : frame.contacts) {
    contacts[contact.body_a] += contact.impulse();
    contacts[contact.body_b] -= contact.impulse();
  }
  frame.momentum.resize(header_->bodies.size());
  for (int i = 0; i < world_->body_count(); ++i) {
    const RecordedBody& body = header_->bodies[i];
    if (body.masses.empty()) continue;
    const int node = world_->place(i).node;
    const Vector3d before = linear_momentum(body.masses, world_->v(step.start, i));
    const Vector3d held = contacts[i] - sum_of_nodes(body, node, impulse_);
    const Vector3d change =
        linear_momentum(body.masses, frame.v.segment(body.v_first, body.v_size)) - before;
    const Vector3d weight = frame.dt * body.mass() * header_->gravity;
    frame.momentum[i] = {.before = before,
                         .other = change - weight - held + sum_of_nodes(body, node, unbalanced_),
                         .mass = masses[i]};
  }
  const std::vector<MomentumCheck> checks = check_momentum(*header_, frame);
  for (std::size_t i = 0; i < checks.size(); ++i) {
    frame.momentum[i].left = checks[i].left;
    double& worst = frame.certificate.body_momentum_error;
    worst = std::max(worst, checks[i].error());
  }
}

void FrameRecorder::certify(const StepResult& step, Frame& frame)
{
  const StepReport& report = step.report;
  const Residuals& residuals = step.residuals;
  FrameCertificate& certificate = frame.certificate;
  certificate.clearance = report.clearance;
  certificate.residual = residuals.worst();
  certificate.natural = residuals.natural;
  certificate.momentum = residuals.momentum;
  certificate.bilateral = residuals.bilateral;
  certificate.natural_max = residuals.natural_max;
  certificate.cone_violation = residuals.cone_violation;
  certificate.momentum_error = report.momentum_error;
  certificate.passes = report.passes;
  certificate.halvings = report.halvings;
  certificate.cut = report.cut_steps;
  certificate.unconverged = report.unconverged;
  certificate.contacts = step.problem.size();
  certificate.active = residuals.active;
}

}  // namespace tact
