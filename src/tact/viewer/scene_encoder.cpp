#include <tact/viewer/scene_encoder.hpp>

#include <algorithm>

#include <Eigen/Geometry>

#include <tact/geometry/tri_mesh.hpp>

namespace tact {
namespace {

using Json = nlohmann::json;

std::span<const Vector3d> vertices_of(const RecordedBody& body, std::span<const Vector3d> vertices)
{
  return vertices.subspan(static_cast<std::size_t>(body.first_vertex),
                          static_cast<std::size_t>(body.vertex_count));
}

// q of a rigid body: its centre of mass, and a quaternion x y z w.
Eigen::Quaterniond turn_of(const RecordedBody& body, const VectorXd& q)
{
  return Eigen::Quaterniond(Eigen::Vector4d(q.segment<4>(body.q_first + 3)));
}

void append_floats(std::vector<float>& numbers, const Vector3d& v)
{
  for (const double x : v) numbers.push_back(static_cast<float>(x));
}

}  // namespace

SceneEncoder::SceneEncoder(const RecordingHeader& header, const Frame& first)
    : header_(&header), start_(first.vertices), start_q_(first.q)
{
}

std::string SceneEncoder::scene(Json extra) const
{
  Json head = std::move(extra);
  head["type"] = "scene";
  head["name"] = header_->scene;
  head["version"] = header_->version;
  head["dt"] = header_->dt;
  head["gravity"] = {header_->gravity[0], header_->gravity[1], header_->gravity[2]};
  head["contact_distance"] = header_->contact_distance;
  head["settings"] = page_settings(header_->scene_json);
  head["bodies"] = Json::array();
  std::vector<std::uint32_t> corners;
  for (const RecordedBody& body : header_->bodies) {
    head["bodies"].push_back({{"name", body.name},
                              {"kind", body.kind},
                              {"vertices", body.vertex_count},
                              {"triangles", body.triangles.size()}});
    for (const Triangle& triangle : body.triangles)
      for (const int corner : triangle) corners.push_back(static_cast<std::uint32_t>(corner));
  }
  std::vector<float> start;
  start.reserve(3 * start_.size());
  for (const Vector3d& vertex : start_) append_floats(start, vertex);
  MessageWriter message;
  message.add("triangles", corners);
  message.add("start", start);
  return message.finish(std::move(head));
}

BodyTrack SceneEncoder::track(int index, const Frame& frame) const
{
  const RecordedBody& body = header_->bodies[index];
  if (body.kind == "rigid") return BodyTrack::pose;
  if (body.kind != "obstacle") return BodyTrack::vertices;
  const bool still =
      std::ranges::equal(vertices_of(body, frame.vertices), vertices_of(body, start_));
  return still ? BodyTrack::pose : BodyTrack::vertices;
}

BodyPose SceneEncoder::pose(int index, const Frame& frame) const
{
  const RecordedBody& body = header_->bodies[index];
  BodyPose pose;
  if (body.kind != "rigid") return pose;
  const Eigen::Quaterniond turn = turn_of(body, frame.q) * turn_of(body, start_q_).conjugate();
  const Vector3d from = start_q_.segment<3>(body.q_first), to = frame.q.segment<3>(body.q_first);
  const Vector3d place = to - turn * from;
  for (int k = 0; k < 4; ++k) pose.rotation[k] = static_cast<float>(turn.coeffs()[k]);
  for (int k = 0; k < 3; ++k) pose.place[k] = static_cast<float>(place[k]);
  return pose;
}

void SceneEncoder::add_bodies(const Frame& frame, MessageWriter& message)
{
  tracks_.clear();
  poses_.clear();
  boxes_.clear();
  positions_.clear();
  for (int i = 0; i < static_cast<int>(header_->bodies.size()); ++i) {
    const BodyTrack how = track(i, frame);
    tracks_.push_back(static_cast<std::uint8_t>(how));
    if (how == BodyTrack::pose) {
      const BodyPose at = pose(i, frame);
      poses_.insert(poses_.end(), at.rotation.begin(), at.rotation.end());
      poses_.insert(poses_.end(), at.place.begin(), at.place.end());
      continue;
    }
    const auto vertices = vertices_of(header_->bodies[i], frame.vertices);
    const QuantisedBox box = quantised_box(bounding_box(vertices));
    boxes_.insert(boxes_.end(), box.low.begin(), box.low.end());
    boxes_.insert(boxes_.end(), box.step.begin(), box.step.end());
    quantise(vertices, box, positions_);
  }
  message.add("tracks", tracks_);
  message.add("poses", poses_);
  message.add("boxes", boxes_);
  message.add("positions", positions_);
}

std::string SceneEncoder::frame(const Frame& frame, Json extra, MessageWriter message)
{
  Json head = std::move(extra);
  head["type"] = "frame";
  head["step"] = frame.step;
  head["t"] = frame.t;
  head["dt"] = frame.dt;
  head["certificate"] = to_json(frame.certificate);
  head["verdict"] = to_json(judge_frame(frame, header_->tolerance));
  add_bodies(frame, message);
  add_contacts(frame, message);
  return message.finish(std::move(head));
}

void add_contacts(const Frame& frame, MessageWriter& message)
{
  std::vector<float> numbers;
  std::vector<std::int32_t> bodies;
  const double per_second = frame.dt > 0.0 ? 1.0 / frame.dt : 0.0;
  for (const RecordedContact& contact : frame.contacts) {
    append_floats(numbers, contact.point);
    append_floats(numbers, contact.normal);
    append_floats(numbers, per_second * contact.impulse());
    append_floats(numbers, {contact.mu, contact.gap, contact.velocity.tail<2>().norm()});
    bodies.insert(bodies.end(), {contact.body_a, contact.body_b});
  }
  message.add("contacts", numbers);
  message.add("contact_bodies", bodies);
}

Json to_json(const FrameCertificate& certificate)
{
  return {{"clearance", certificate.clearance},
          {"residual", certificate.residual},
          {"natural", certificate.natural},
          {"momentum", certificate.momentum},
          {"cone_violation", certificate.cone_violation},
          {"momentum_error", certificate.momentum_error},
          {"body_momentum_error", certificate.body_momentum_error},
          {"passes", certificate.passes},
          {"halvings", certificate.halvings},
          {"cut", certificate.cut},
          {"unconverged", certificate.unconverged},
          {"contacts", certificate.contacts},
          {"active", certificate.active}};
}

Json to_json(const FrameVerdict& verdict)
{
  Json sentences = Json::array();
  for (const Sentence& sentence : verdict.sentences)
    sentences.push_back({{"text", sentence.text}, {"bad", sentence.bad}});
  return {
      {"good", verdict.good}, {"summary", verdict.summary}, {"sentences", std::move(sentences)}};
}

Json page_settings(const std::string& scene_json)
{
  const Json scene = Json::parse(scene_json, nullptr, false);
  Json settings = Json::object();
  if (!scene.is_object()) return settings;
  for (const char* key : {"mu", "dt", "time", "camera"})
    if (scene.contains(key)) settings[key] = scene[key];
  if (scene.contains("contact") && scene["contact"].is_object())
    for (const char* key : {"solver", "tolerance"})
      if (scene["contact"].contains(key)) settings[key] = scene["contact"][key];
  return settings;
}

}  // namespace tact
