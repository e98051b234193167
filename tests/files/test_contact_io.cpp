// Contact problems between bodies of any kind as files.
#include <string>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <contact/bilateral_problems.hpp>
#include <contact/problem_builder.hpp>
#include <files/messages.hpp>
#include <files/temporary_folder.hpp>
#include <tact/contact/contact_regions.hpp>
#include <tact/contact/judge.hpp>
#include <tact/files/contact_io.hpp>
#include <tact/files/text_file.hpp>
#include <tact/run/problem_solve.hpp>

using namespace tact;
using nlohmann::json;

namespace {

// On the ground, far from each other, with two contacts each.
ContactProblem two_far_boxes()
{
  ProblemBuilder builder;
  for (const double x : {0.0, 10.0}) {
    const int box = builder.add(ProblemBuilder::Box{.centre = Vector3d(x, 0.0, 0.1)});
    for (const double side : {-0.1, 0.1})
      builder.add(ProblemBuilder::Contact{
          .supports = {{.node = box, .rigid = true, .arm = Vector3d(side, 0.0, -0.1)}}});
  }
  return builder.build();
}

}  // namespace

TEST_CASE("storing and loading a contact problem loses no bit")
{
  const TemporaryFolder folder;
  for (const NamedProblem& named : all_problems(0.3)) {
    CAPTURE(std::string(named.name));
    const auto file = folder.path() / "problem.json";
    write_contact_problem(file, named.problem);
    const ContactProblem loaded = read_contact_problem(file);
    REQUIRE(loaded.components() == named.problem.components());
    for (int k = 0; k < loaded.components(); ++k) {
      CHECK(*loaded.A[k].pattern == *named.problem.A[k].pattern);
      CHECK(loaded.A[k].blocks == named.problem.A[k].blocks);
    }
    CHECK(loaded.rigid == named.problem.rigid);
    CHECK(loaded.v_star == named.problem.v_star);
    const VectorXd v = VectorXd::LinSpaced(loaded.v_star.size(), -1.0, 3.0);
    CHECK(contact_velocities(loaded, v) == contact_velocities(named.problem, v));
    CHECK(loaded.contacts.back().mu == named.problem.contacts.back().mu);
  }
}

TEST_CASE("bilateral rows, their limits and their impulses are stored without loss")
{
  const TemporaryFolder folder;
  const auto file = folder.path() / "problem.json", again = folder.path() / "again.json";
  Random random(23);
  for (int k = 0; k < 20; ++k) {
    const ContactProblem problem = random_jointed_problem(random, RandomBodies::mixed);
    const auto rows = static_cast<Eigen::Index>(problem.bilateral.size());
    const ContactSolution start{.v = problem.v_star,
                                .lambda = VectorXd::LinSpaced(3 * problem.size(), 0.0, 1.0 / 3.0),
                                .beta = VectorXd::LinSpaced(rows, -1.0 / 7.0, 1.0 / 3.0)};
    write_contact_problem(file, problem, &start);
    const Problem loaded = read_problem(file);
    const auto& read = std::get<ContactProblem>(loaded.data);
    REQUIRE(read.bilateral.size() == problem.bilateral.size());
    for (std::size_t r = 0; r < read.bilateral.size(); ++r) {
      const BilateralRow &a = problem.bilateral[r], &b = read.bilateral[r];
      CHECK(a.bias == b.bias);
      CHECK(a.lower == b.lower);
      CHECK(a.upper == b.upper);
      CHECK(bilateral_velocity(problem, a, problem.v_star) ==
            bilateral_velocity(read, b, problem.v_star));
    }
    CHECK(loaded.warm_start.beta == start.beta);
    CHECK(loaded.size() == 3 * problem.size() + rows);
    write_contact_problem(again, read, &loaded.warm_start);
    CHECK(read_text(again) == read_text(file));
    const SolvedProblem solved = solve(loaded, "auto", {.tolerance = 1e-8, .warm_start = true});
    CHECK(solved.report.ok());
  }
}

TEST_CASE("a stored contact problem is known as one, and solved by name")
{
  const TemporaryFolder folder;
  const auto file = folder.path() / "problem.json";
  write_contact_problem(file, cube_pile(2, 0.3));
  const Problem problem = read_problem(file);
  CHECK(problem.kind == "contact");
  CHECK(problem.contacts() == 13);
  CHECK(problem.size() == 39);
  for (const char* solver : {"auto", "anticipation", "nested", "ica", "full"}) {
    const SolvedProblem solved = solve(problem, solver, {.tolerance = 1e-6});
    CHECK(solved.report.ok());
    const auto& answer = std::get<ContactSolution>(solved.solution);
    CHECK(measure(std::get<ContactProblem>(problem.data), answer).worst() <= 1e-6);
  }
  CHECK(solve(problem, "lemke-cone", {}).report.status == SolveStatus::unsupported);
}

TEST_CASE("groups of sides are stored and loaded and refused where they are wrong")
{
  const TemporaryFolder folder;
  const auto file = folder.path() / "groups.json";
  ContactProblem problem = cube_pile(2, 0.3);
  problem.groups.add({4, 2, 7}, 2);
  problem.groups.add({0, 1});
  write_contact_problem(file, problem);
  CHECK(read_contact_problem(file).groups == problem.groups);

  const json good = json::parse(read_text(file));
  const auto check = [&](const char* pointer, const json& value, const char* words) {
    json bad = good;
    bad[json::json_pointer(pointer)] = value;
    write_text(file, bad.dump());
    check_complaint(message_of([&] { (void)read_contact_problem(file); }), "groups.json", pointer,
                    words);
  };
  check("/groups/0/sides/1", 99, "found 99");
  check("/groups/0/pushing", 4, "found 4");
  check("/groups/1/sides", json::array(), "at least one contact");
  json twice = good;
  twice["groups"][1]["sides"][0] = 4;
  write_text(file, twice.dump());
  CHECK(message_of([&] { (void)read_contact_problem(file); }).find("contact 4") !=
        std::string::npos);
}

TEST_CASE("a problem file that is read and written again is the same text with its map of regions")
{
  const TemporaryFolder folder;
  const auto file = folder.path() / "problem.json", again = folder.path() / "again.json";
  for (const NamedProblem& named : all_problems(0.3)) {
    CAPTURE(std::string(named.name));
    const ContactSolution start{
        .v = named.problem.v_star,
        .lambda = VectorXd::LinSpaced(3 * named.problem.size(), 0.0, 1.0 / 3.0)};
    write_contact_problem(file, named.problem, &start);
    const Problem loaded = read_problem(file);
    CHECK(loaded.regions == region_map(named.problem));
    write_contact_problem(again, std::get<ContactProblem>(loaded.data), &loaded.warm_start);
    CHECK(read_text(again) == read_text(file));
  }
}

TEST_CASE("regions may be left out or joined but never cut through a component")
{
  const TemporaryFolder folder;
  const auto file = folder.path() / "regions.json";
  write_contact_problem(file, two_far_boxes());
  const json good = json::parse(read_text(file));
  CHECK(good["regions"] == json({0, 0, 1, 1}));
  const auto with = [&](const json& regions) {
    json changed = good;
    changed["regions"] = regions;
    write_text(file, changed.dump());
    return read_problem(file).regions;
  };
  CHECK(with({1, 1, 0, 0}) == std::vector{1, 1, 0, 0});
  CHECK(with({0, 0, 0, 0}) == std::vector{0, 0, 0, 0});
  const auto check = [&](const json& regions, const char* place, const char* words) {
    check_complaint(message_of([&] { (void)with(regions); }), "regions.json", place, words);
  };
  check({0, 0, 1, 0}, "/regions/3", "found 0, expected 1 as other contacts of component 1");
  check({0, 0, 1}, "/regions", "expected");
  check({0, 0, 1, 4}, "/regions/3", "found 4");
  json without = good;
  without.erase("regions");
  write_text(file, without.dump());
  CHECK(read_problem(file).regions.empty());
}

TEST_CASE("what is wrong in a contact problem is told with its place")
{
  const TemporaryFolder folder;
  const auto file = folder.path() / "bad.json";
  write_contact_problem(file, mixed_pile(0.3));
  const json good = json::parse(read_text(file));
  const auto check = [&](const char* pointer, const json& value, const char* place,
                         const char* words) {
    json bad = good;
    bad[json::json_pointer(pointer)] = value;
    write_text(file, bad.dump());
    check_complaint(message_of([&] { (void)read_contact_problem(file); }), "bad.json", place,
                    words);
  };
  check("/contacts/3/mu", -0.2, "/contacts/3/mu", "found -0.2");
  check("/contacts/3/nodes/0", 1000, "/contacts/3/nodes/0", "found 1000");
  check("/contacts/3/J/0", {1, 2}, "/contacts/3/J/0", "expected");
  check("/components/0/A/5/1", 99, "/components/0/A/5/1", "found 99");
  check("/components/0/nodes", 0, "/components/0/nodes", "found 0");
  check("/components/0/A/1", good["components"][0]["A"][0], "/components/0/A/1", "stands twice");
  check("/components", json::array(), "/components", "at least one component");
  check("/rigid/0", -1, "/rigid/0", "found -1");
  check("/friction", 1, "friction", "expected");
}
