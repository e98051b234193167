// Which contacts act on each other, as a small picture: the pattern of B = J P^-1 J', where P has a
// block for each node of a mesh and one for each rigid body.                     [Miguel11] fig. 1
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <nlohmann/json.hpp>

#include <tact/contact/contact_problem.hpp>
#include <tact/recording/recording.hpp>

namespace tact {

struct ContactImage {
  // Contacts of meshes only, of rigid bodies only, and between both; they stand in this order.
  int deformable = 0, rigid = 0, mixed = 0;
  int size = 0;                           // pixels a side; each stands for one contact or several
  std::vector<std::uint8_t> pixels = {};  // row by row: 0, or the sum of via_node and via_body

  static constexpr std::uint8_t via_node = 1, via_body = 2;
  int contacts() const { return deformable + rigid + mixed; }
};

// What a contact acts on: nodes of meshes, and rigid bodies.
struct ContactPartners {
  std::vector<int> nodes;
  std::vector<int> bodies;
};

// At most `largest` pixels a side.
ContactImage contact_image(std::span<const ContactPartners> contacts, int largest = 160);

// All contacts of a problem.
std::vector<ContactPartners> contact_partners(const ContactProblem& problem);

// The contacts of a recorded frame. A recording does not tell the nodes of soft bodies whose
// surface is embedded in coarser tetrahedra: its vertices stand for them.
std::vector<ContactPartners> contact_partners(const RecordingHeader& header, const Frame& frame);

// All but the pixels.
nlohmann::json to_json(const ContactImage& image);

}  // namespace tact
