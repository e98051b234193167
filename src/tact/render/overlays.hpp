// What is drawn over a finished picture to explain it: nothing hides it, and it hides little.
#pragma once

#include <string_view>

#include <tact/recording/recording.hpp>
#include <tact/render/camera.hpp>
#include <tact/render/image.hpp>

namespace tact {

struct Overlays {
  bool contacts =
      false;            // points: green where they stick, red where they slide, grey without force
  bool forces = false;  // on a: normal ones blue, friction orange; joints purple on b; a scale (N)
  bool cones = false;   // of friction, about the normal
  bool velocities = false;  // of bodies that move, with a scale in m/s
  bool names = false;       // of bodies

  bool any() const { return contacts || forces || cones || velocities || names; }
};

// From "contacts,forces" or "all". Throws Error that names `who`.
Overlays parse_overlays(std::string_view text, std::string_view who);

void draw_overlays(Image& image, const Camera& camera, const RecordingHeader& header,
                   const Frame& frame, const Overlays& overlays);

}  // namespace tact
