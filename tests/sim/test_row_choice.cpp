#include <doctest/doctest.h>

#include <algorithm>

#include <sim/worlds.hpp>
#include <tact/sim/row_choice.hpp>

using namespace tact;
using namespace tact::test;

namespace {

// A vertex of one body against a triangle of another: the first three vertices of that body.
KeyedContact vertex_on(int vertex, int first_of_other, double time)
{
  KeyedContact contact;
  contact.key = {{vertex, first_of_other, first_of_other + 1, first_of_other + 2}, 1};
  contact.weights = {1.0, -0.2, -0.3, -0.5};
  contact.time = time;
  return contact;
}

struct Patch {
  World world;
  WorldSurfaces surfaces;
  std::vector<Vector3d> x;

  explicit Patch(WorldBuilder& builder) : world(builder.build()), surfaces(surfaces_of(world))
  {
    place_surfaces(world, world.start(), x);
  }

  // All vertices of body 0 against body 1; the last comes first.
  std::vector<KeyedContact> contacts() const
  {
    std::vector<KeyedContact> all;
    const int count = world.body(0).vertex_count();
    for (int v = 0; v < count; ++v)
      all.push_back(vertex_on(v, world.place(1).vertex, 1.0 - 1e-3 * v));
    return all;
  }
};

bool has_vertex(const std::vector<KeyedContact>& contacts, int vertex)
{
  return std::any_of(contacts.begin(), contacts.end(),
                     [&](const KeyedContact& c) { return c.key.vertices[0] == vertex; });
}

}  // namespace

TEST_CASE("of two solids the earliest contact is kept, and then what is farthest from it")
{
  WorldBuilder builder;
  builder.add(jelly("jelly", {0.0, 1.0, 0.0}, 1e5, 4));
  builder.add(box("box", Vector3d::Zero()));
  const Patch patch(builder);
  RowChoice choice(patch.world, patch.surfaces);
  for (const int most : {1, 2, 8}) {
    std::vector<KeyedContact> kept = patch.contacts();
    choice.thin_out(kept, patch.x, most);
    CHECK(static_cast<int>(kept.size()) == most);
    CHECK(has_vertex(kept, patch.world.body(0).vertex_count() - 1));
    CHECK(std::is_sorted(kept.begin(), kept.end(), [](const auto& a, const auto& b) {
      return a.key.vertices[0] < b.key.vertices[0];
    }));
  }
  // Of the 98 surface vertices of a cube of 0.1 m, two that are farthest apart are at least an edge
  // apart.
  std::vector<KeyedContact> two = patch.contacts();
  choice.thin_out(two, patch.x, 2);
  const Vector3d apart = patch.x[two[0].key.vertices[0]] - patch.x[two[1].key.vertices[0]];
  CHECK(apart.norm() >= 0.1);
}

TEST_CASE("contact reduction keeps what must be kept, the nearest, and what is farthest from these")
{
  WorldBuilder builder;
  builder.add(jelly("jelly", {0.0, 1.0, 0.0}, 1e5, 4));
  builder.add(box("box", Vector3d::Zero()));
  const Patch patch(builder);
  RowChoice choice(patch.world, patch.surfaces);
  std::vector<KeyedContact> all;
  for (const KeyedContact& contact : patch.contacts()) all.push_back(contact);
  const int count = static_cast<int>(all.size()), nearest = 17;
  for (int i = 0; i < count; ++i) all[i].distance = i == nearest ? 1e-3 : 2e-3;
  for (const int musts : {0, 3, 12}) {
    std::vector<char> must(all.size(), 0);
    std::fill_n(must.begin(), musts, 1);
    std::vector<KeyedContact> kept = all, spare;
    choice.reduce(kept, must, patch.x, 6, spare);
    CHECK(static_cast<int>(kept.size()) == std::max(6, musts));
    CHECK(static_cast<int>(kept.size() + spare.size()) == count);
    for (int i = 0; i < musts; ++i) CHECK(kept[i].key == all[i].key);
    const auto is_nearest = [&](const KeyedContact& c) { return c.key == all[nearest].key; };
    CHECK(std::any_of(kept.begin(), kept.end(), is_nearest) == (musts < 6));
  }
  // Six of a cube of 0.1 m reach over all of it.
  std::vector<KeyedContact> kept = all, spare;
  choice.reduce(kept, std::vector<char>(all.size(), 0), patch.x, 6, spare);
  double widest = 0.0;
  for (const KeyedContact& a : kept)
    for (const KeyedContact& b : kept)
      widest = std::max(widest, (patch.x[a.key.vertices[0]] - patch.x[b.key.vertices[0]]).norm());
  CHECK(widest >= 0.1);
}

TEST_CASE("contact reduction spreads rows also where the nearest lies at one that must be kept")
{
  WorldBuilder builder;
  builder.add(jelly("jelly", {0.0, 1.0, 0.0}, 1e5, 4));
  builder.add(box("box", Vector3d::Zero()));
  const Patch patch(builder);
  RowChoice choice(patch.world, patch.surfaces);
  // Two pairs of features at one corner, as where corners lie above corners.
  std::vector<KeyedContact> all = patch.contacts();
  for (KeyedContact& contact : all) contact.distance = 2e-3;
  all.push_back(all.front());
  all.back().distance = 1e-3;
  std::vector<char> must(all.size(), 0);
  must.front() = 1;
  std::vector<KeyedContact> spare;
  choice.reduce(all, must, patch.x, 6, spare);
  CHECK(all.size() == 6);
}

TEST_CASE("contacts of cloth are all kept, but each key once")
{
  WorldBuilder builder;
  builder.add(sheet("sheet", 6, 1.0));
  builder.add(box("box", Vector3d::Zero()));
  const Patch patch(builder);
  RowChoice choice(patch.world, patch.surfaces);
  std::vector<KeyedContact> kept = patch.contacts();
  const std::size_t count = kept.size();
  const std::vector<KeyedContact> again = kept;
  kept.insert(kept.end(), again.begin(), again.end());
  choice.thin_out(kept, patch.x, 1);
  CHECK(kept.size() == count);
}

TEST_CASE("two rigid bodies that have rows already are not foreseen again, cloth is")
{
  for (const bool cloth : {false, true}) {
    WorldBuilder builder;
    builder.add(cloth ? sheet("sheet", 6, 1.0) : box("a", {0.0, 1.0, 0.0}));
    builder.add(box("b", Vector3d::Zero()));
    const Patch patch(builder);
    const RowChoice choice(patch.world, patch.surfaces);
    std::vector<KeyedContact> contacts = patch.contacts();
    const std::size_t count = contacts.size();
    choice.drop_held({}, contacts);
    CHECK(contacts.size() == count);
    std::vector<ContactRecord> records(1);
    records[0].contact = contacts[0];
    choice.drop_held(records, contacts);
    CHECK(contacts.size() == (cloth ? count : 0));
  }
}

TEST_CASE("contacts of several pairs of solids are thinned out pair by pair")
{
  WorldBuilder builder;
  builder.add(box("a", {0.0, 1.0, 0.0}));
  builder.add(box("b", Vector3d::Zero()));
  builder.add(box("c", {1.0, 0.0, 0.0}));
  const Patch patch(builder);
  RowChoice choice(patch.world, patch.surfaces);
  std::vector<KeyedContact> kept = patch.contacts();
  for (int v = 0; v < 8; ++v) kept.push_back(vertex_on(v, patch.world.place(2).vertex, 0.5));
  choice.thin_out(kept, patch.x, 3);
  CHECK(kept.size() == 6);
}
