#include <array>

#include <doctest/doctest.h>

#include <tact/core/error.hpp>
#include <tact/render/overlays.hpp>

namespace tact::overlay_pictures {  // names of its own: tests are compiled together
namespace {

using Pixel = std::array<std::uint8_t, 3>;
constexpr int width = 200, height = 150;
const Camera ahead{.eye = {0, 0, 4}, .target = {0, 0, 0}, .fov = 30.0};

// A body of 2 kg whose vertex is in the middle, pushed there along y with 40 N, and to the right
// with 10 N.
RecordingHeader one_body()
{
  RecordingHeader header;
  header.bodies.push_back({.name = "body",
                           .kind = "rigid",
                           .vertex_count = 1,
                           .triangles = {},
                           .q_size = 7,
                           .v_size = 6,
                           .masses = {2.0, 0.0}});
  return header;
}

Frame pushed(double mu)
{
  Frame frame;
  frame.dt = 0.1;
  frame.vertices = {Vector3d::Zero()};
  frame.q = VectorXd::Zero(7);
  frame.v = VectorXd::Zero(6);
  frame.v[0] = -3.0;
  frame.contacts.push_back({.point = Vector3d::Zero(),
                            .normal = Vector3d::UnitY(),
                            .mu = mu,
                            .normal_impulse = 4.0,
                            .friction_impulse = {1.0, 0.0, 0.0},
                            .tangent = Vector3d::UnitX()});
  return frame;
}

Image white()
{
  Image image(width, height);
  image.rgb.assign(image.rgb.size(), 255);
  return image;
}

Image drawn(const Overlays& overlays, double mu = 0.5)
{
  Image image = white();
  draw_overlays(image, ahead, one_body(), pushed(mu), overlays);
  return image;
}

bool has_ink(const Image& image, int x0, int y0, int x1, int y1)
{
  for (int y = y0; y < y1; ++y)
    for (int x = x0; x < x1; ++x)
      if (image.at(x, y) != Pixel{255, 255, 255}) return true;
  return false;
}

TEST_CASE("a contact is a point, green where it sticks and red where it slides")
{
  const Pixel sticks = drawn({.contacts = true}, 0.5).at(width / 2, height / 2);
  const Pixel slides = drawn({.contacts = true}, 0.25).at(width / 2, height / 2);
  CHECK(sticks[1] > sticks[0]);
  CHECK(slides[0] > slides[1]);
}

TEST_CASE("forces are arrows up and to the right with a scale in newtons at the lower right")
{
  const Image image = drawn({.forces = true});
  const int x = width / 2, y = height / 2;
  CHECK(has_ink(image, x - 1, y - 20, x + 2, y - 15));         // along the normal
  CHECK(has_ink(image, x + 3, y - 1, x + 6, y + 2));           // friction
  CHECK_FALSE(has_ink(image, x - 20, y + 8, x + 20, y + 25));  // nothing below
  CHECK(has_ink(image, 3 * width / 4, 4 * height / 5, width, height));
}

TEST_CASE("what joints bear is an arrow at the joint")
{
  Image image = white();
  Frame frame = pushed(0.5);
  frame.contacts.clear();
  frame.joints.push_back({.force = Vector3d(0.0, -4.0, 0.0)});
  draw_overlays(image, ahead, one_body(), frame, {.forces = true});
  const int x = width / 2, y = height / 2;
  CHECK(has_ink(image, x - 1, y + 15, x + 2, y + 20));         // along the force
  CHECK_FALSE(has_ink(image, x - 20, y - 25, x + 20, y - 8));  // nothing above
  CHECK(has_ink(image, 3 * width / 4, 4 * height / 5, width, height));
}

TEST_CASE("velocities point where bodies go, cones surround the normal, names stand at bodies")
{
  const int x = width / 2, y = height / 2;
  CHECK(has_ink(drawn({.velocities = true}), x - 20, y - 1, x - 10, y + 2));
  CHECK(has_ink(drawn({.cones = true}), x - 4, y - 8, x + 4, y - 3));
  CHECK(has_ink(drawn({.names = true}), x - 12, y - 4, x + 12, y + 4));
  CHECK(drawn({}) == white());
}

TEST_CASE("overlays are named one by one or all at once, and others are refused")
{
  const Overlays two = parse_overlays("contacts,names", "test");
  CHECK(two.contacts);
  CHECK(two.names);
  CHECK_FALSE(two.forces);
  const Overlays all = parse_overlays("all", "test");
  CHECK((all.contacts && all.forces && all.cones && all.velocities && all.names));
  CHECK_THROWS_AS((void)parse_overlays("contact", "test"), Error);
  CHECK_THROWS_AS((void)parse_overlays("contacts,", "test"), Error);
}

}  // namespace
}  // namespace tact::overlay_pictures
