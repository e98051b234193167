#include <tact/render/overlays.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <tact/core/error.hpp>
#include <tact/recording/wrench.hpp>
#include <tact/render/lettering.hpp>
#include <tact/render/projection.hpp>

namespace tact {
namespace {

using Ink = std::array<int, 3>;  // sRGB
constexpr Ink sticking = {28, 140, 70}, sliding = {205, 40, 50}, idle = {130, 135, 140};
constexpr Ink normal_ink = {25, 80, 190}, friction_ink = {225, 120, 20}, cone_ink = {150, 90, 170},
              velocity_ink = {20, 130, 140}, joint_ink = {110, 60, 150};
constexpr double longest = 0.18;     // of the height of what is seen: the longest arrow
constexpr double cone_size = 0.035;  // the same, of a friction cone
constexpr double at_bound = 0.999;   // of the friction that a contact may have: it slides

// The largest of 1, 2, 5 x 10^k that is not above x > 0.
double round_number(double x)
{
  const double power = std::pow(10.0, std::floor(std::log10(x)));
  for (const double digit : {5.0, 2.0})
    if (digit * power <= x) return digit * power;
  return power;
}

class Pen {
 public:
  Pen(Image& image, const Camera& camera)
      : image_(image),
        letters_(image),
        projection_(camera, image.width, image.height),
        view_height_(2.0 * (camera.target - camera.eye).norm() *
                     std::tan(0.5 * camera.fov * std::numbers::pi / 180.0)),
        thickness_(std::max(1.0, image.height / 400.0))
  {
  }

  double view_height() const { return view_height_; }  // m, at the target

  void dot(const Vector3d& place, const Ink& ink)
  {
    Vector2d p;
    if (project(place, p)) disc(p, 2.2 * thickness_, ink);
  }

  void line(const Vector3d& from, const Vector3d& to, const Ink& ink)
  {
    Vector2d a, b;
    if (project(from, a) && project(to, b)) stroke(a, b, ink);
  }

  void arrow(const Vector3d& from, const Vector3d& along, const Ink& ink)
  {
    Vector2d a, b;
    if (!project(from, a) || !project(from + along, b)) return;
    stroke(a, b, ink);
    const double length = (b - a).norm();
    if (length < 1.0) return;
    const Vector2d back = std::min(6.0 * thickness_, 0.5 * length) / length * (a - b);
    const Vector2d side(-0.5 * back.y(), 0.5 * back.x());
    stroke(b, b + back + side, ink);
    stroke(b, b + back - side, ink);
  }

  void text(const Vector3d& place, std::string_view words)
  {
    Vector2d p;
    if (project(place, p))
      letters_.draw(p.x() - 0.5 * letters_.width(words), p.y() - 0.5 * letters_.height(), words);
  }

  // A bar of so many metres at the target, in the lower right corner, one above the other.
  void scale_bar(double metres, const std::string& words, const Ink& ink)
  {
    const double pixels = metres / view_height_ * image_.height;
    if (!std::isfinite(pixels)) return;  // of a damaged recording
    const double bottom = image_.height - 14.0 * thickness_ - bars_++ * 1.6 * letters_.size();
    const double right = image_.width - 14.0 * thickness_;
    stroke({right - pixels, bottom}, {right, bottom}, ink);
    letters_.draw(right - pixels - letters_.width(words) - 0.4 * letters_.size(),
                  bottom - 0.5 * letters_.height(), words);
  }

 private:
  bool project(const Vector3d& place, Vector2d& p) const
  {
    const Vector3d seen = projection_.view(place);
    if (seen.z() < projection_.near) return false;
    p = projection_.centre + projection_.focal / seen.z() * Vector2d(seen.x(), seen.y());
    const double far = 4.0 * (image_.width + image_.height);
    return std::abs(p.x()) < far && std::abs(p.y()) < far;  // and false where one is no number
  }

  void blend(int x, int y, const Ink& ink, double share)
  {
    if (x < 0 || y < 0 || x >= image_.width || y >= image_.height || share <= 0.0) return;
    std::uint8_t* pixel = image_.pixel(x, y);
    for (int k = 0; k < 3; ++k)
      pixel[k] = static_cast<std::uint8_t>(
          std::lround(pixel[k] + std::min(1.0, share) * (ink[k] - pixel[k])));
  }

  // Pixels whose middle is within half the thickness of the line, with soft edges.
  void stroke(const Vector2d& a, const Vector2d& b, const Ink& ink)
  {
    const Vector2d low = a.cwiseMin(b).array() - thickness_ - 1.0;
    const Vector2d high = a.cwiseMax(b).array() + thickness_ + 1.0;
    const double squared = (b - a).squaredNorm();
    const auto column = [&](double x) {
      return static_cast<int>(std::clamp(x, -1.0, static_cast<double>(image_.width)));
    };
    const auto row = [&](double y) {
      return static_cast<int>(std::clamp(y, -1.0, static_cast<double>(image_.height)));
    };
    for (int y = row(low.y()); y <= row(high.y()); ++y)
      for (int x = column(low.x()); x <= column(high.x()); ++x) {
        const Vector2d p(x + 0.5, y + 0.5);
        const double s = squared > 0.0 ? std::clamp((p - a).dot(b - a) / squared, 0.0, 1.0) : 0.0;
        blend(x, y, ink, 0.5 * thickness_ + 0.5 - (p - a - s * (b - a)).norm());
      }
  }

  void disc(const Vector2d& middle, double radius, const Ink& ink)
  {
    const int reach = static_cast<int>(radius) + 2;
    for (int y = static_cast<int>(middle.y()) - reach; y <= middle.y() + reach; ++y)
      for (int x = static_cast<int>(middle.x()) - reach; x <= middle.x() + reach; ++x)
        blend(x, y, ink, radius + 0.5 - (Vector2d(x + 0.5, y + 0.5) - middle).norm());
  }

  Image& image_;
  Lettering letters_;
  Projection projection_;
  double view_height_;
  double thickness_;  // pixels
  int bars_ = 0;
};

Ink ink_of(const RecordedContact& contact)
{
  if (!(contact.normal_impulse > 0.0)) return idle;
  const double bound = contact.mu * contact.normal_impulse;
  return contact.friction_impulse.norm() >= at_bound * bound ? sliding : sticking;
}

void draw_cone(Pen& pen, const RecordedContact& contact)
{
  constexpr int rays = 12;
  const double size = cone_size * pen.view_height();
  const Vector3d other = contact.normal.cross(contact.tangent);
  const auto end = [&](int k) -> Vector3d {
    const double turn = 2.0 * std::numbers::pi * k / rays;
    return contact.point + size * (contact.normal + contact.mu * (std::cos(turn) * contact.tangent +
                                                                  std::sin(turn) * other));
  };
  for (int k = 0; k < rays; ++k) {
    pen.line(end(k), end(k + 1), cone_ink);
    if (k % 3 == 0) pen.line(contact.point, end(k), cone_ink);
  }
}

void draw_forces(Pen& pen, const Frame& frame)
{
  double most = 0.0;
  for (const RecordedContact& contact : frame.contacts)
    most = std::max(most, contact.normal_impulse);
  for (const RecordedReaction& joint : frame.joints) most = std::max(most, joint.force.norm());
  if (!(most > 0.0) || !(frame.dt > 0.0)) return;
  const double metres_per_impulse = longest * pen.view_height() / most;
  for (const RecordedContact& contact : frame.contacts) {
    pen.arrow(contact.point, metres_per_impulse * contact.normal_impulse * contact.normal,
              normal_ink);
    pen.arrow(contact.point, metres_per_impulse * contact.friction_impulse, friction_ink);
  }
  for (const RecordedReaction& joint : frame.joints) {
    pen.dot(joint.point, joint_ink);
    pen.arrow(joint.point, metres_per_impulse * joint.force, joint_ink);
  }
  const double newtons = round_number(most / frame.dt);
  pen.scale_bar(metres_per_impulse * newtons * frame.dt, fmt::format("{:g} N", newtons),
                normal_ink);
}

struct BodyMotion {
  Vector3d centre, velocity;
};

void draw_velocities(Pen& pen, const RecordingHeader& header, const Frame& frame)
{
  std::vector<BodyMotion> motions;
  double most = 0.0;
  for (const RecordedBody& body : header.bodies) {
    const double mass = body.mass();
    if (!(mass > 0.0)) continue;
    const Vector3d momentum =
        linear_momentum(body.masses, frame.v.segment(body.v_first, body.v_size));
    motions.push_back({centre_of(body, frame), momentum / mass});
    most = std::max(most, motions.back().velocity.norm());
  }
  if (!(most > 0.0)) return;
  const double seconds = longest * pen.view_height() / most;
  for (const BodyMotion& motion : motions)
    pen.arrow(motion.centre, seconds * motion.velocity, velocity_ink);
  const double speed = round_number(most);
  pen.scale_bar(seconds * speed, fmt::format("{:g} m/s", speed), velocity_ink);
}

}  // namespace

Overlays parse_overlays(std::string_view text, std::string_view who)
{
  Overlays overlays;
  const auto set = [&](std::string_view name) {
    if (name == "all")
      overlays = {true, true, true, true, true};
    else if (name == "contacts")
      overlays.contacts = true;
    else if (name == "forces")
      overlays.forces = true;
    else if (name == "cones")
      overlays.cones = true;
    else if (name == "velocities")
      overlays.velocities = true;
    else if (name == "names")
      overlays.names = true;
    else
      throw Error(fmt::format(
          "{}: found \"{}\", expected all, or some of contacts, forces, cones, velocities and "
          "names, separated by commas{}",
          who, name,
          did_you_mean(name, {"all", "contacts", "forces", "cones", "velocities", "names"})));
  };
  for (std::size_t first = 0; first <= text.size();) {
    const std::size_t comma = std::min(text.find(',', first), text.size());
    set(text.substr(first, comma - first));
    first = comma + 1;
  }
  return overlays;
}

void draw_overlays(Image& image, const Camera& camera, const RecordingHeader& header,
                   const Frame& frame, const Overlays& overlays)
{
  Pen pen(image, camera);
  if (overlays.cones)
    for (const RecordedContact& contact : frame.contacts)
      if (contact.normal_impulse > 0.0) draw_cone(pen, contact);
  if (overlays.velocities) draw_velocities(pen, header, frame);
  if (overlays.forces) draw_forces(pen, frame);
  if (overlays.contacts)
    for (const RecordedContact& contact : frame.contacts) pen.dot(contact.point, ink_of(contact));
  if (overlays.names)
    for (const RecordedBody& body : header.bodies)
      if (body.mass() > 0.0) pen.text(centre_of(body, frame), body.name);
}

}  // namespace tact
