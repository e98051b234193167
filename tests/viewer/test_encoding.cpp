// What goes to the page: messages, quantised positions, packed tracks, frames.
#include <doctest/doctest.h>
#include <Eigen/Geometry>

#include <recording/sample.hpp>
#include <tact/core/error.hpp>
#include <tact/core/random.hpp>
#include <tact/viewer/contact_image.hpp>
#include <tact/viewer/scene_encoder.hpp>
#include <tact/viewer/vertex_track.hpp>

namespace tact {
namespace {

std::vector<Vector3d> points_in_box(int count, double size, const Vector3d& centre)
{
  Random random(7);
  std::vector<Vector3d> points;
  for (int k = 0; k < count; ++k) points.push_back(centre + random.in_cube(0.5 * size));
  return points;
}

TEST_CASE("a message comes back with its head and all arrays at aligned places")
{
  MessageWriter writer;
  const std::vector<float> floats{1.5f, -2.25f, 3.0f};
  const std::vector<std::uint8_t> bytes{1, 2, 3, 4, 5};
  const std::vector<std::uint16_t> shorts{65535, 0, 7};
  const std::vector<std::int32_t> whole{-1, 1 << 30};
  writer.add("bytes", bytes);
  writer.add("floats", floats);
  writer.add("shorts", shorts);
  writer.add("whole", whole);
  const std::string text = writer.finish({{"type", "frame"}, {"name", "gr\xc3\xb6\xc3\x9f\x65r"}});
  const ReadMessage message = read_message(text);
  CHECK(message.head["type"] == "frame");
  CHECK(message.array<std::uint8_t>("bytes") == bytes);
  CHECK(message.array<float>("floats") == floats);
  CHECK(message.array<std::uint16_t>("shorts") == shorts);
  CHECK(message.array<std::int32_t>("whole") == whole);
  CHECK((text.size() - message.payload.size()) % 4 == 0);
  for (const auto& entry : message.head["arrays"]) CHECK(entry[1].get<int>() % 4 == 0);
  CHECK_THROWS_AS(message.array<float>("bytes"), Error);
  CHECK_THROWS_AS(read_message("ab"), Error);
}

TEST_CASE("quantised positions are off by at most 0.51 steps of their box")
{
  for (const double size : {1e-3, 1.0, 50.0}) {
    CAPTURE(size);
    const std::vector<Vector3d> points = points_in_box(2000, size, {0.3 * size, -0.2 * size, 0.0});
    const Aabb bounds = bounding_box(points);
    const QuantisedBox box = quantised_box(bounds);
    std::vector<std::uint16_t> numbers;
    quantise(points, box, numbers);
    REQUIRE(numbers.size() == 3 * points.size());
    const Vector3d step = bounds.extent() / 65535.0;
    double worst = 0.0;
    for (std::size_t k = 0; k < points.size(); ++k)
      worst = std::max(
          worst, ((restore(&numbers[3 * k], box) - points[k]).cwiseAbs().array() / step.array())
                     .maxCoeff());
    CHECK(worst <= 0.51);  // half a step, and the rounding of single precision
  }
}

TEST_CASE("a flat box keeps its plane")
{
  const std::vector<Vector3d> points{{0.0, 2.0, 0.0}, {1.0, 2.0, 1.0}};
  const QuantisedBox box = quantised_box(bounding_box(points));
  std::vector<std::uint16_t> numbers;
  quantise(points, box, numbers);
  CHECK(restore(numbers.data(), box).y() == 2.0);
  CHECK(restore(numbers.data() + 3, box).isApprox(points[1], 1e-4));
}

TEST_CASE("packed tracks come back number by number whatever they are")
{
  Random random(3);
  for (const std::size_t frames : {1, 2, 3, 9}) {
    constexpr std::size_t size = 30;
    std::vector<std::uint16_t> numbers(frames * size);
    for (auto& number : numbers) number = static_cast<std::uint16_t>(random.below(65536));
    CHECK(decode_track(encode_track(numbers, size), size) == numbers);
  }
}

TEST_CASE("a frame tells its verdict in the words of tact verify")
{
  const RecordingHeader header = sample_header();
  Frame frame = sample_frame(header, 1);
  frame.account = {.steps = 2, .solves = 5, .unconverged = 1, .missed_residual = 0.25};
  SceneEncoder encoder(header, frame);
  const ReadMessage message = read_message(encoder.frame(frame, {}, {}));
  const auto& said = message.head["verdict"];
  const FrameVerdict verdict = judge_frame(frame, header.tolerance);
  CHECK(said["good"] == false);
  CHECK(said["summary"] == verdict.summary);
  REQUIRE(said["sentences"].size() == verdict.sentences.size());
  for (std::size_t k = 0; k < verdict.sentences.size(); ++k) {
    CHECK(said["sentences"][k]["text"] == verdict.sentences[k].text);
    CHECK(said["sentences"][k]["bad"] == verdict.sentences[k].bad);
  }
  CHECK(said["sentences"].back()["text"] == miss_of(frame.account, header.tolerance));
}

TEST_CASE("what moves as one packs to zeros but for its first vertex")
{
  constexpr std::size_t vertices = 5, size = 3 * vertices, frames = 4;
  std::vector<std::uint16_t> numbers;
  for (std::size_t frame = 0; frame < frames; ++frame)
    for (std::size_t k = 0; k < size; ++k)
      numbers.push_back(static_cast<std::uint16_t>(1000 * k + 3 * frame * frame));
  const std::vector<std::uint8_t> bytes = encode_track(numbers, size);
  for (std::size_t k = size; k < numbers.size(); ++k) {
    CHECK((bytes[k] == 0) == (k % vertices != 0));
    CHECK(bytes[numbers.size() + k] == 0);
  }
}

// A header of one rigid tetrahedron, and a frame with the pose (place, turn about y).
struct Top {
  RecordingHeader header = sample_header();
  std::vector<Vector3d> shape;

  Top()
  {
    header.bodies.resize(1);
    shape = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  }

  Frame frame(const Vector3d& place, double angle) const
  {
    const Eigen::Quaterniond turn(Eigen::AngleAxisd(angle, Vector3d(1, 2, 3).normalized()));
    Frame frame;
    frame.q.resize(7);
    frame.q << place, turn.coeffs();
    frame.v.setZero(6);
    for (const Vector3d& x : shape) frame.vertices.push_back(turn * x + place);
    return frame;
  }
};

TEST_CASE("a rigid body is told by the pose that carries its first shape to the present one")
{
  const Top top;
  const Frame first = top.frame({0.2, 0.3, -0.1}, 0.4), later = top.frame({-1.0, 2.0, 0.5}, 2.5);
  SceneEncoder encoder(top.header, first);
  const std::string text = encoder.frame(later, {});
  const auto poses = read_message(text).array<float>("poses");
  REQUIRE(poses.size() == 7);
  const Eigen::Quaterniond turn(poses[3], poses[0], poses[1], poses[2]);
  for (std::size_t k = 0; k < 4; ++k) {
    const Vector3d shown = turn * first.vertices[k] + Vector3d(poses[4], poses[5], poses[6]);
    CHECK((shown - later.vertices[k]).norm() < 1e-6);  // single precision
  }
}

TEST_CASE("contacts go out with forces in newtons")
{
  const Top top;
  Frame frame = top.frame(Vector3d::Zero(), 0.0);
  frame.dt = 0.01;
  RecordedContact contact;
  contact.body_b = -1;
  contact.point = {1.0, 2.0, 3.0};
  contact.normal = {0.0, 1.0, 0.0};
  contact.normal_impulse = 0.5;
  contact.friction_impulse = {0.1, 0.0, 0.0};
  contact.mu = 0.25;
  frame.contacts = {contact};
  SceneEncoder encoder(top.header, frame);
  const std::string text = encoder.frame(frame, {});
  const ReadMessage message = read_message(text);
  const auto numbers = message.array<float>("contacts");
  REQUIRE(numbers.size() == 12);
  CHECK(numbers[0] == 1.0f);
  CHECK(numbers[6] == doctest::Approx(10.0));
  CHECK(numbers[7] == doctest::Approx(50.0));
  CHECK(numbers[9] == 0.25f);
  CHECK(message.array<std::int32_t>("contact_bodies") == std::vector<std::int32_t>{0, -1});
}

TEST_CASE("contacts see each other in the matrix exactly when they share a node or a body")
{
  // a and b share node 5; c acts on body 1 alone; d on node 9 and body 1.
  const std::vector<ContactPartners> contacts{{{5, 6}, {}}, {{9}, {1}}, {{5}, {}}, {{}, {1}}};
  const ContactImage image = contact_image(contacts);
  CHECK(image.deformable == 2);
  CHECK(image.rigid == 1);
  CHECK(image.mixed == 1);
  REQUIRE(image.size == 4);  // in the order a, c, d, b of the list above: meshes, bodies, both
  const std::vector<std::uint8_t> expected{1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 2, 2, 0, 0, 2, 3};
  CHECK(image.pixels == expected);
  CHECK(contact_image(contacts, 2).size == 2);
  CHECK(contact_image({}).size == 0);
}

TEST_CASE("what the page needs of a scene is taken from its text and nothing is asked of it")
{
  CHECK(page_settings("no json").empty());
  const nlohmann::json settings =
      page_settings(R"({"mu": 0.5, "bodies": [], "contact": {"tolerance": 0.001, "audit": 0}})");
  CHECK(settings == nlohmann::json{{"mu", 0.5}, {"tolerance", 0.001}});
}

}  // namespace
}  // namespace tact
