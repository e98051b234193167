#include <tact/sim/normal_cones.hpp>

#include <algorithm>
#include <array>

#include <Eigen/Geometry>

#include <tact/geometry/distance.hpp>

namespace tact {
namespace {

// Sine of the angle by which a direction may leave its cone. 1e-2 does the same; 5e-2 lets wrong
// rows in between the facets of curved surfaces.
constexpr double tau = 1e-3;

// What one side of a contact says about the direction d towards the other.
struct ConeAnswer {
  bool inside = false;
  bool flat = false;
  Vector3d normal = Vector3d::Zero();  // of the face along d, where flat

  bool allows_face() const { return flat && inside; }
};

bool has_all(const Triangle& corners, std::span<const int> feature)
{
  return std::all_of(feature.begin(), feature.end(), [&](int vertex) {
    return std::find(corners.begin(), corners.end(), vertex) != corners.end();
  });
}

class ConeOfFeature {
 public:
  ConeOfFeature(std::span<const int> feature, const Vector3d& d, const WorldSurfaces& surfaces,
                const SurfaceMotion& x)
      : feature_(feature),
        d_(d),
        surfaces_(surfaces),
        x_(x),
        solid_(surfaces.solid[surfaces.body_of[feature[0]]] != 0)
  {
  }

  ConeAnswer answer()
  {
    for (const int t : surfaces_.triangles_at[feature_[0]]) {
      const Triangle& corners = surfaces_.set.triangles()[t];
      if (!has_all(corners, feature_)) continue;
      see_face(corners);
      if (feature_.size() < 3) see_slope(corners);
    }
    if (feature_.size() == 3) return {answer_.flat, answer_.flat, answer_.normal};
    answer_.inside = !rises_ && (!solid_ || outward_.dot(d_) > 0.0);
    return answer_;
  }

 private:
  // Whether d is the face's normal; for a face itself any direction on its outer side will do.
  void see_face(const Triangle& corners)
  {
    const Vector3d p = x_(corners[0]);
    Vector3d N = (x_(corners[1]) - p).cross(x_(corners[2]) - p).normalized();
    if (!solid_ && N.dot(d_) < 0.0) N = -N;
    outward_ += N;
    const double cosine = N.dot(d_);
    if (cosine <= 0.0 || (feature_.size() < 3 && N.cross(d_).norm() > tau)) return;
    if (!answer_.flat || cosine > answer_.normal.dot(d_)) answer_.normal = N;
    answer_.flat = true;
  }

  // Whether the surface next to the feature goes up along d.
  void see_slope(const Triangle& corners)
  {
    const Vector3d p = x_(feature_[0]);
    for (const int corner : corners) {
      if (std::find(feature_.begin(), feature_.end(), corner) != feature_.end()) continue;
      Vector3d into = x_(corner) - p;
      if (feature_.size() == 2) {
        const Vector3d along = (x_(feature_[1]) - p).normalized();
        into -= along * along.dot(into);
      }
      rises_ = rises_ || d_.dot(into) > tau * into.norm();
    }
  }

  std::span<const int> feature_;
  Vector3d d_;
  const WorldSurfaces& surfaces_;
  const SurfaceMotion& x_;
  bool solid_;
  bool rises_ = false;
  Vector3d outward_ = Vector3d::Zero();
  ConeAnswer answer_;
};

}  // namespace

bool is_left(const ContactKey& key, const SurfaceMotion& x)
{
  const auto& v = key.vertices;
  if (v[3] < 0) return true;  // it is at the border already
  const SurfaceMotion end{x.x0, x.x1, 1.0};
  const ClosestPoints closest =
      key.first_side == 1 ? closest_vertex_face(end(v[0]), end(v[1]), end(v[2]), end(v[3]))
                          : closest_edge_edge(end(v[0]), end(v[1]), end(v[2]), end(v[3]));
  return !closest.interior;
}

bool settle_normal(KeyedContact& contact, const WorldSurfaces& surfaces, const SurfaceMotion& x)
{
  const std::span<const int> vertices(contact.key.vertices);
  const auto used = std::find(vertices.begin(), vertices.end(), -1) - vertices.begin();
  const auto first = vertices.first(contact.key.first_side);
  const auto second = vertices.first(used).subspan(contact.key.first_side);
  const int body_a = surfaces.body_of[first[0]], body_b = surfaces.body_of[second[0]];
  const bool bend = surfaces.deforms[body_a] != 0 || surfaces.deforms[body_b] != 0;
  const ConeAnswer b = ConeOfFeature(second, contact.normal, surfaces, x).answer();
  const ConeAnswer a = ConeOfFeature(first, -contact.normal, surfaces, x).answer();
  if (!a.allows_face() && !b.allows_face()) return a.inside && b.inside;
  const bool from_a =
      a.allows_face() && (!b.allows_face() || surfaces.extent[body_a] > surfaces.extent[body_b]);
  contact.normal = from_a ? Vector3d(-a.normal) : b.normal;
  return bend || (a.inside && b.inside) || !is_left(contact.key, x);
}

}  // namespace tact
