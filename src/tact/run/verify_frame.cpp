// The checks of one frame.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <tact/contact/judge.hpp>
#include <tact/geometry/rigid_fit.hpp>
#include <tact/run/frame_surfaces.hpp>
#include <tact/run/recorded_joint.hpp>
#include <tact/run/verdict.hpp>
#include <tact/run/verify.hpp>

namespace tact {
namespace {

// Sums of a few products of recorded numbers come back to this share of their terms.
constexpr double rounding = 1e-12;

class FrameJudge {
 public:
  FrameJudge(const RecordingHeader& header, int k, const Frame& frame, const Frame* start)
      : header_(header), k_(k), frame_(frame), start_(start)
  {
  }

  VerifyReport judge()
  {
    report_.frames = 1;
    report_.cut_frames = frame_.certificate.cut > 0 ? 1 : 0;
    report_.account = account_of(frame_);
    report_.unaccounted = frame_.step > 0 && frame_.account.steps == 0 ? 1 : 0;
    if (judge_numbers()) {
      judge_surfaces();
      judge_contacts();
      judge_momentum();
      if (start_) judge_joints();
    }
    judge_goodness();
    return std::move(report_);
  }

 private:
  bool judge_numbers();
  void judge_surfaces();
  void judge_contacts();
  void judge_momentum();
  void judge_joints();
  JointFrame moved(int body, const JointFrame& at_start) const;
  void judge_goodness();
  double judged_mass(std::size_t body) const;
  double momentum_bound(std::size_t body, const MomentumCheck& check) const;

  bool judge_features(std::size_t c, const RecordedContact& contact);
  void compare(const char* what, const char* unit, double found, double recorded, double slack,
               std::size_t worst_contact);

  bool is_body(int body) const
  {
    return body >= 0 && body < static_cast<int>(header_.bodies.size());
  }
  bool owns(int body, int vertex) const
  {
    const int local = vertex - header_.bodies[body].first_vertex;
    return local >= 0 && local < header_.bodies[body].vertex_count;
  }
  std::string name(int body) const
  {
    return is_body(body) ? fmt::format("\"{}\"", header_.bodies[body].name) : "the world";
  }
  std::string name(std::size_t c, const RecordedContact& contact) const
  {
    return fmt::format("contact {} of {} with {}", c, name(contact.body_a), name(contact.body_b));
  }
  void find(std::string text) { report_.find(k_, std::move(text)); }

  const RecordingHeader& header_;
  int k_;
  const Frame& frame_;
  const Frame* start_;
  VerifyReport report_;
};

// Nothing else can be judged where a number is not finite.
bool FrameJudge::judge_numbers()
{
  for (std::size_t i = 0; i < header_.bodies.size(); ++i) {
    const RecordedBody& body = header_.bodies[i];
    const auto first = frame_.vertices.begin() + body.first_vertex;
    const bool finite = std::all_of(first, first + body.vertex_count,
                                    [](const Vector3d& x) { return x.allFinite(); }) &&
                        frame_.v.segment(body.v_first, body.v_size).allFinite();
    if (finite) continue;
    find(fmt::format("{} has vertices or velocities that are not finite",
                     name(static_cast<int>(i))));
    return false;
  }
  return true;
}

void FrameJudge::judge_surfaces()
{
  for (const RecordedBody& body : header_.bodies)
    report_.triangles_max += static_cast<int>(body.triangles.size());
  const FramePenetration found = penetration(header_, frame_);
  report_.intersecting_pairs = found.pairs;
  report_.penetration_max = found.depth;
  for (const IntersectingPair& pair : found.first)
    find(fmt::format("{} and {} intersect: triangles {} and {}{}", name(pair.a.surface),
                     pair.a.surface == pair.b.surface ? "itself" : name(pair.b.surface),
                     pair.a.triangle, pair.b.triangle,
                     found.pairs > 1 ? fmt::format(", and {} more pairs, up to {:.3g} m deep",
                                                   found.pairs - 1, found.depth)
                                     : ""));
  if (found.without_area.empty()) return;
  const TriangleOfSurface flat = found.without_area.front();
  find(fmt::format("triangle {} of {} has no area and cannot be judged", flat.triangle,
                   name(flat.surface)));
}

// Whether the contact is between the features that it names, at the end of the step.
bool FrameJudge::judge_features(std::size_t c, const RecordedContact& contact)
{
  const auto wrong = [&](const std::string& what) {
    find(name(c, contact) + ": " + what);
    return false;
  };
  if (!is_body(contact.body_a) || !is_body(contact.body_b)) return wrong("there is no such body");
  Vector3d point = Vector3d::Zero(), apart = Vector3d::Zero();
  double on_a = 0.0, on_b = 0.0, reach = 0.0;
  for (int i = 0; i < 4 && contact.vertices[i] >= 0; ++i) {
    const double weight = contact.weights[i];
    const int vertex = contact.vertices[i];
    // Weights have both signs on a plane that ends before the point; between two bodies vertices
    // tell.
    const bool itself = contact.body_a == contact.body_b;
    const bool is_on_a = itself ? weight > 0.0 : owns(contact.body_a, vertex);
    if (!is_on_a && !owns(contact.body_b, vertex))
      return wrong(fmt::format("vertex {} is not of its body", vertex));
    const Vector3d part = weight * frame_.vertices[vertex];
    (is_on_a ? on_a : on_b) += weight;
    if (is_on_a) point += part;
    apart += part;
    reach = std::max(reach, part.norm());
  }
  if (!(std::abs(on_a - 1.0) < 1e-9 && std::abs(on_b + 1.0) < 1e-9))
    return wrong(fmt::format("its weights sum to {:g} and {:g}, expected 1 and -1", on_a, on_b));
  Matrix3d frame;
  frame << contact.normal, contact.tangent, contact.normal.cross(contact.tangent);
  if (!((frame.transpose() * frame - Matrix3d::Identity()).norm() < 1e-9))
    return wrong("its normal and tangent are not at right angles and of unit length");
  const double gap = contact.normal.dot(apart) - header_.contact_distance;
  const double slack = rounding * (reach + header_.contact_distance);
  if (!((point - contact.point).norm() <= slack))
    return wrong(fmt::format("its point is {:.3g} m from where its vertices put it",
                             (point - contact.point).norm()));
  if (!(std::abs(gap - contact.gap) <= slack))
    return wrong(fmt::format("its gap is recorded as {:.6g} m, its vertices give {:.6g} m",
                             contact.gap, gap));
  if (!(contact.mu >= 0.0 && contact.response >= 0.0))
    return wrong(fmt::format("mu is {:g} and its response {:g} 1/kg, expected numbers >= 0",
                             contact.mu, contact.response));
  return true;
}

// A frame that moves with a body, by the best fit of all its vertices.
JointFrame FrameJudge::moved(int body, const JointFrame& at_start) const
{
  if (body < 0) return at_start;
  const RecordedBody& own = header_.bodies[body];
  const auto of = [&](const std::vector<Vector3d>& all) {
    return std::span(all).subspan(own.first_vertex, own.vertex_count);
  };
  const Vector3d centre = centroid(of(start_->vertices));
  std::vector<Vector3d> arms;
  for (const Vector3d& x : of(start_->vertices)) arms.push_back(x - centre);
  const RigidFit fit = fit_rigid(arms, of(frame_.vertices));
  const Matrix3d R = fit.rotation.toRotationMatrix();
  return {.at = fit.place + R * (at_start.at - centre), .axes = R * at_start.axes};
}

void FrameJudge::judge_joints()
{
  constexpr double most = 1e-8;           // m, rad
  constexpr double fit_rounding = 1e-10;  // of fits, in m and rad
  for (std::size_t j = 0; j < header_.joints.size(); ++j) {
    const RecordedJoint& joint = header_.joints[j];
    const std::optional<JointKind> kind = joint_kind(joint.kind);
    if (!kind) {
      find(fmt::format("joint \"{}\" is of the kind \"{}\", which is not known", joint.name,
                       joint.kind));
      continue;
    }
    const JointError error =
        recorded_joint_error(joint, *kind, moved(joint.body_a, {joint.at_a, joint.axes}),
                             moved(joint.body_b, {joint.at_b, joint.axes}));
    report_.joint_gap_max = std::max(report_.joint_gap_max, error.length);
    report_.joint_turn_max = std::max(report_.joint_turn_max, error.angle);
    if (error.worst() > most)
      find(fmt::format("joint \"{}\" of {} with {} is open by {:.3g} m and {:.3g} rad", joint.name,
                       name(joint.body_a), name(joint.body_b), error.length, error.angle));
    if (j >= frame_.joints.size()) continue;
    const RecordedReaction& recorded = frame_.joints[j];
    if (std::abs(recorded.gap - error.length) > fit_rounding ||
        std::abs(recorded.turn - error.angle) > fit_rounding)
      find(
          fmt::format("joint \"{}\" is open by {:.3g} m and {:.3g} rad, its record says {:.3g} m "
                      "and {:.3g} rad",
                      joint.name, error.length, error.angle, recorded.gap, recorded.turn));
  }
}

void FrameJudge::compare(const char* what, const char* unit, double found, double recorded,
                         double slack, std::size_t worst_contact)
{
  if (std::abs(found - recorded) <= slack + rounding * std::abs(recorded)) return;
  const std::string where =
      worst_contact < frame_.contacts.size()
          ? fmt::format("; the worst is {}", name(worst_contact, frame_.contacts[worst_contact]))
          : "";
  find(fmt::format("{} is {:.6g} {}, its certificate says {:.6g}{}", what, found, unit, recorded,
                   where));
}

// By the functions that measure every answer (contact/judge.hpp).
void FrameJudge::judge_contacts()
{
  const FrictionLaw law = header_.friction == "pyramid" ? FrictionLaw::pyramid : FrictionLaw::disc;
  const FrameCertificate& certificate = frame_.certificate;
  report_.contacts = static_cast<std::int64_t>(frame_.contacts.size());
  NaturalSum sum;
  double cone = 0.0, speed = 0.0, strength = 0.0;
  std::size_t worst = frame_.contacts.size();
  for (std::size_t c = 0; c < frame_.contacts.size(); ++c) {
    const RecordedContact& contact = frame_.contacts[c];
    if (!judge_features(c, contact)) return;
    const Vector3d& u = contact.velocity;
    const Vector3d lambda = contact.impulse_in_frame();
    const double worst_so_far = sum.worst;
    sum.add(u, lambda, contact.mu, contact.response, law);
    if (c == 0 || sum.worst > worst_so_far) worst = c;
    cone = std::max(cone, cone_violation<3>(lambda, contact.mu, law));
    speed = std::max(speed, u.norm() * (1.0 + contact.mu) + contact.response * lambda.norm());
    strength = std::max(strength, lambda.norm() * (1.0 + contact.mu));
  }
  const double natural = sum.rms();
  const double slack = rounding * speed;
  compare("the residual of its contacts", "m/s", natural, certificate.natural, slack, worst);
  compare("the residual of its worst contact", "m/s", sum.worst, certificate.natural_max, slack,
          worst);
  compare("the violation of its friction cones", "N s", cone, certificate.cone_violation,
          rounding * strength, worst);
  compare("the residual", "m/s", std::max({natural, certificate.momentum, certificate.bilateral}),
          certificate.residual, slack, worst);
  if (sum.active != certificate.active)
    find(fmt::format("{} contacts are active, its certificate says {}", sum.active,
                     certificate.active));
  report_.residual_max = natural;
  report_.natural_max = sum.worst;
  report_.cone_violation_max = cone;
}

// kg: what the judge of answers divides what is left of a momentum by.
double FrameJudge::judged_mass(std::size_t body) const
{
  const double recorded = frame_.momentum[body].mass;
  return recorded > 0.0 ? recorded : header_.bodies[body].mass();
}

// m/s: how far a body of a sound answer may be out of balance, over its mass. The judge of answers
// counts what a whole component is out of balance by as a velocity, too, and that is below the
// tolerance then (Residuals::momentum). Of recordings without a tolerance nothing follows; there a
// twentieth of what acts.
double FrameJudge::momentum_bound(std::size_t body, const MomentumCheck& check) const
{
  constexpr double round_off = 1e-9, share = 0.05;
  const double acting = check.scale / judged_mass(body);
  return header_.tolerance ? *header_.tolerance * (1.0 + round_off) + round_off * acting
                           : share * acting;
}

void FrameJudge::judge_momentum()
{
  if (frame_.momentum.empty()) return;  // the start, which no step led to
  const std::vector<MomentumCheck> checks = check_momentum(header_, frame_);
  for (std::size_t i = 0; i < checks.size(); ++i) {
    if (header_.bodies[i].masses.empty()) continue;
    report_.momentum_error_max = std::max(report_.momentum_error_max, checks[i].error());
    report_.momentum_left_max =
        std::max(report_.momentum_left_max, checks[i].left.norm() / judged_mass(i));
  }
  for (std::size_t i = 0; i < checks.size(); ++i) {
    const MomentumCheck& check = checks[i];
    const Vector3d& recorded = frame_.momentum[i].left;
    if (!((check.left - recorded).norm() <= rounding * check.scale)) {
      find(
          fmt::format("the momentum of {} is out of balance by {:.6g} N s, the record says "
                      "{:.6g} N s: an impulse, a velocity or a mass is not what it was",
                      name(static_cast<int>(i)), check.left.norm(), recorded.norm()));
      return;
    }
    if (const double left = check.left.norm() / judged_mass(i); left > momentum_bound(i, check)) {
      find(
          fmt::format("the momentum of {} is out of balance by {:.3g} m/s of its mass, {:.3g} of "
                      "what acts on it, "
                      "expected at most {:.3g} m/s",
                      name(static_cast<int>(i)), left, check.error(), momentum_bound(i, check)));
      return;
    }
  }
  if (header_.format == recording_format)
    compare("the error of momentum", "of what acts", report_.momentum_error_max,
            frame_.certificate.body_momentum_error, rounding, frame_.contacts.size());
}

// A certificate may be right and yet not good.
void FrameJudge::judge_goodness()
{
  for (const Sentence& sentence : judge_frame(frame_, header_.tolerance).sentences)
    if (sentence.bad) find(sentence.text);
}

}  // namespace

VerifyReport verify_frame(const RecordingHeader& header, int k, const Frame& frame,
                          const Frame* start)
{
  return FrameJudge(header, k, frame, start).judge();
}

}  // namespace tact
