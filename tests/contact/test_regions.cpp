// Detached contact regions: which contacts belong together, and that solving them apart is exact.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <vector>

#include <contact/problem_builder.hpp>
#include <tact/contact/contact_regions.hpp>
#include <tact/core/random.hpp>
#include <tact/solvers/solvers.hpp>

using namespace tact;

namespace {

ContactElements lists(const std::vector<std::vector<int>>& contacts, int count)
{
  ContactElements elements;
  elements.clear(count);
  for (const std::vector<int>& contact : contacts) {
    elements.list.insert(elements.list.end(), contact.begin(), contact.end());
    elements.close_list();
  }
  return elements;
}

std::vector<std::vector<int>> as_lists(const ContactRegions& regions)
{
  std::vector<std::vector<int>> out;
  for (const ContactRegion& region : regions.regions())
    out.emplace_back(regions.contacts().begin() + region.first,
                     regions.contacts().begin() + region.last);
  return out;
}

// [Lazarevych10] Algorithm 1 as printed, with {Contact[j]} and {Area[i]} read as the points of the
// contacts j and i, the only reading under which it finds anything. Returns the region of each
// contact.
std::vector<int> printed_algorithm(const std::vector<std::vector<int>>& contacts)
{
  const int count = static_cast<int>(contacts.size());
  const auto meet = [&](int i, int j) {
    return std::find_first_of(contacts[i].begin(), contacts[i].end(), contacts[j].begin(),
                              contacts[j].end()) != contacts[i].end();
  };
  std::vector<int> area(count, 0);
  std::set<int> checked;
  int next = 1;
  const auto spread = [&](int i) {
    for (int j = i + 1; j < count; ++j)
      if (area[j] == 0 && meet(i, j)) area[j] = area[i];
  };
  for (int i = 0; i < count; ++i) {
    if (area[i] == 0) {
      area[i] = next++;
      checked.insert(contacts[i].begin(), contacts[i].end());
      spread(i);
      continue;
    }
    for (const int point : contacts[i])
      if (checked.insert(point).second) spread(i);
  }
  return area;
}

// Every node by itself, as in an explicit step: A without what couples nodes. Rigid bodies stay.
ContactProblem with_lone_nodes(const ContactProblem& problem)
{
  ContactProblem lone = problem;
  lone.A.clear();
  int node = 0;
  for (const BlockMatrix& A : problem.A) {
    const bool rigid =
        std::find(problem.rigid.begin(), problem.rigid.end(), node) != problem.rigid.end();
    node += A.rows();
    if (rigid) {
      lone.A.push_back(A);
      continue;
    }
    const auto pattern =
        std::make_shared<const BlockPattern>(1, std::span<const std::array<int, 2>>());
    for (int row = 0; row < A.rows(); ++row) {
      lone.A.push_back(zero_matrix(pattern));
      lone.A.back().blocks[0] = A.blocks[A.pattern->diagonal_slot(row)];
    }
  }
  return lone;
}

VectorXd solved_as_one(const ContactProblem& problem)
{
  ContactSolution solution;
  REQUIRE(solve_contact(problem, solution, "anticipation",
                        {.tolerance = 1e-10, .max_iterations = 50000})
              .ok());
  return solution.v;
}

// Each region as a problem of its own; what the regions add to v* is added up.
VectorXd solved_apart(const ContactProblem& problem, const std::vector<std::vector<int>>& regions)
{
  VectorXd v = problem.v_star;
  for (const std::vector<int>& region : regions) {
    ContactProblem part = problem;
    part.contacts.clear();
    for (const int c : region) part.contacts.push_back(problem.contacts[c]);
    v += solved_as_one(part) - problem.v_star;
  }
  return v;
}

// Four points in a row, a to d. a is pushed at b and d at c.
ContactProblem four_points()
{
  ProblemBuilder builder;
  builder.gravity.setZero();
  const double speed[] = {1.0, 0.0, 0.0, -2.0};
  for (int i = 0; i < 4; ++i)
    builder.add(
        ProblemBuilder::Lattice{.places = {{0.1 * i, 0.0, 0.0}}, .velocity = {speed[i], 0.0, 0.0}});
  const auto touch = [&](int left, int right) {
    builder.add({.supports = {{.node = right}, {.node = left, .weight = -1.0}},
                 .normal = Vector3d::UnitX(),
                 .mu = 0.0});
  };
  touch(0, 1);
  touch(2, 3);
  touch(1, 2);
  return builder.build();
}

}  // namespace

TEST_CASE("contacts {a b} {c d} {b c} are one region; the printed algorithm makes two of them")
{
  const std::vector<std::vector<int>> contacts = {{0, 1}, {2, 3}, {1, 2}};
  CHECK(printed_algorithm(contacts) == std::vector<int>{1, 2, 1});
  ContactRegions regions;
  regions.update(lists(contacts, 4));
  CHECK(as_lists(regions) == std::vector<std::vector<int>>{{0, 1, 2}});

  // Equal masses that do not bounce end with the mean of their velocities.
  const ContactProblem problem = four_points();
  const double mean = (1.0 - 2.0) / 4.0;
  regions.update(elements_by_nodes(problem));
  const VectorXd ours = solved_apart(problem, as_lists(regions));
  const VectorXd printed = solved_apart(problem, {{0, 2}, {1}});
  for (int i = 0; i < 4; ++i) CHECK(std::abs(ours[3 * i] - mean) < 1e-9);
  CHECK(std::abs(printed[6] - mean) > 0.1);
}

TEST_CASE("regions come largest first and then in the order of their first contacts")
{
  ContactRegions regions;
  regions.update(lists({{9}, {0, 1}, {4}, {1, 2}, {5, 6}, {2, 3}, {6, 7}}, 10));
  CHECK(as_lists(regions) == std::vector<std::vector<int>>{{1, 3, 5}, {4, 6}, {0}, {2}});
  CHECK(regions.region_of(7) == 1);
  CHECK(regions.region_of(8) == -1);
}

TEST_CASE("regions that are kept and updated are those that are found from scratch")
{
  Random random(3);
  const int elements = 60;
  std::vector<std::vector<int>> contacts;
  ContactRegions kept;
  for (int step = 0; step < 400; ++step) {
    for (int k = random.below(4); k > 0; --k) {
      std::vector<int> contact;
      for (int i = 1 + random.below(4); i > 0; --i) contact.push_back(random.below(elements));
      contacts.insert(contacts.begin() + random.below(static_cast<int>(contacts.size()) + 1),
                      contact);
    }
    while (contacts.size() > 30 || (!contacts.empty() && random.uniform() < 0.5))
      contacts.erase(contacts.begin() + random.below(static_cast<int>(contacts.size())));
    kept.update(lists(contacts, elements));
    ContactRegions fresh;
    fresh.update(lists(contacts, elements));
    REQUIRE(as_lists(kept) == as_lists(fresh));
    for (int e = 0; e < elements; ++e) REQUIRE(kept.region_of(e) == fresh.region_of(e));
  }
}

TEST_CASE("what has not changed is not joined again")
{
  std::vector<std::vector<int>> contacts;
  for (int k = 0; k < 100; ++k) contacts.push_back({2 * k, 2 * k + 1});
  ContactRegions regions;
  regions.update(lists(contacts, 300));
  CHECK(regions.joined() == 100);
  regions.update(lists(contacts, 300));
  CHECK(regions.joined() == 0);
  contacts.push_back({1, 2});  // joins two regions
  regions.update(lists(contacts, 300));
  CHECK(regions.joined() == 1);
  CHECK(regions.regions().size() == 99);
  contacts.pop_back();  // which fall apart again: their two contacts are looked at, and no other
  regions.update(lists(contacts, 300));
  CHECK(regions.joined() == 2);
  CHECK(regions.regions().size() == 100);
  contacts.erase(contacts.begin() + 50);
  regions.update(lists(contacts, 300));
  CHECK(regions.joined() == 0);
  CHECK(regions.regions().size() == 99);
}

TEST_CASE(
    "regions by nodes are exact where A is diagonal: explicit steps and the problem inside ICA")
{
  for (const NamedProblem& named : all_problems(0.0)) {  // a unique velocity
    CAPTURE(std::string(named.name));
    const ContactProblem problem = with_lone_nodes(named.problem);
    ContactRegions regions;
    regions.update(elements_by_nodes(problem));
    const VectorXd apart = solved_apart(problem, as_lists(regions));
    CHECK((apart - solved_as_one(problem)).cwiseAbs().maxCoeff() < 1e-8);
  }
  ContactRegions hills;  // every node of the net meets the ground by itself
  hills.update(elements_by_nodes(net_on_ground(8, 0.5)));
  CHECK(hills.regions().size() == 64);
}

TEST_CASE("regions by components are exact for implicit steps; those by nodes are not")
{
  for (const NamedProblem& named : all_problems(0.0)) {
    CAPTURE(std::string(named.name));
    ContactRegions regions;
    regions.update(elements_by_components(named.problem));
    const VectorXd apart = solved_apart(named.problem, as_lists(regions));
    CHECK((apart - solved_as_one(named.problem)).cwiseAbs().maxCoeff() < 1e-7);
  }
  const ContactProblem pile = cube_pile(1, 0.0);
  ContactRegions by_nodes;
  by_nodes.update(elements_by_nodes(pile));
  const VectorXd wrong = solved_apart(pile, as_lists(by_nodes));
  CHECK((wrong - solved_as_one(pile)).cwiseAbs().maxCoeff() > 0.01);
}
