#include <tact/viewer/contact_image.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

namespace tact {
namespace {

int set_of(const ContactPartners& contact)
{
  if (contact.bodies.empty()) return 0;
  return contact.nodes.empty() ? 1 : 2;
}

// Marks all pairs of pixels whose contacts have a partner in common.
void mark(const std::map<int, std::vector<int>>& pixels_of, std::uint8_t how, ContactImage& image)
{
  for (const auto& [partner, pixels] : pixels_of)
    for (const int row : pixels)
      for (const int column : pixels) image.pixels[row * image.size + column] |= how;
}

void add_pixel(std::vector<int>& pixels, int pixel)
{
  if (pixels.empty() || pixels.back() != pixel) pixels.push_back(pixel);  // they come ascending
}

}  // namespace

ContactImage contact_image(std::span<const ContactPartners> contacts, int largest)
{
  const int count = static_cast<int>(contacts.size());
  std::vector<int> order(contacts.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return set_of(contacts[a]) < set_of(contacts[b]); });
  std::array<int, 3> sets{};
  for (const ContactPartners& contact : contacts) ++sets[set_of(contact)];

  ContactImage image{.deformable = sets[0], .rigid = sets[1], .mixed = sets[2]};
  image.size = std::min(count, largest);
  image.pixels.resize(static_cast<std::size_t>(image.size) * image.size);
  std::map<int, std::vector<int>> of_node, of_body;
  for (int k = 0; k < count; ++k) {
    const int pixel = static_cast<int>(std::int64_t{k} * image.size / count);
    for (const int node : contacts[order[k]].nodes) add_pixel(of_node[node], pixel);
    for (const int body : contacts[order[k]].bodies) add_pixel(of_body[body], pixel);
  }
  mark(of_node, ContactImage::via_node, image);
  mark(of_body, ContactImage::via_body, image);
  return image;
}

std::vector<ContactPartners> contact_partners(const ContactProblem& problem)
{
  std::vector<ContactPartners> contacts;
  contacts.reserve(problem.contacts.size());
  for (const ContactRows& rows : problem.contacts) {
    ContactPartners partners;
    for (int k = rows.first; k < rows.first + rows.count; ++k) {
      const int node = problem.blocks[k].node;
      // The last rigid body that starts at or before the node; it has two nodes.
      const auto after = std::upper_bound(problem.rigid.begin(), problem.rigid.end(), node);
      const bool rigid = after != problem.rigid.begin() && node - *std::prev(after) <= 1;
      (rigid ? partners.bodies : partners.nodes).push_back(rigid ? *std::prev(after) : node);
    }
    contacts.push_back(std::move(partners));
  }
  return contacts;
}

std::vector<ContactPartners> contact_partners(const RecordingHeader& header, const Frame& frame)
{
  std::vector<ContactPartners> contacts;
  contacts.reserve(frame.contacts.size());
  for (const RecordedContact& contact : frame.contacts) {
    ContactPartners partners;
    for (const int side : {contact.body_a, contact.body_b})
      if (side >= 0 && header.bodies[side].kind == "rigid") partners.bodies.push_back(side);
    for (std::size_t k = 0; k < contact.vertices.size() && contact.vertices[k] >= 0; ++k) {
      const int side = contact.weights[k] > 0.0 ? contact.body_a : contact.body_b;
      if (side < 0) continue;
      const RecordedBody& body = header.bodies[side];
      if (body.kind != "rigid" && body.kind != "obstacle")
        partners.nodes.push_back(contact.vertices[k]);
    }
    contacts.push_back(std::move(partners));
  }
  return contacts;
}

nlohmann::json to_json(const ContactImage& image)
{
  return {{"size", image.size},
          {"deformable", image.deformable},
          {"rigid", image.rigid},
          {"mixed", image.mixed}};
}

}  // namespace tact
