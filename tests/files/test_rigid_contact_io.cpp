#include <filesystem>
#include <limits>
#include <string>
#include <string_view>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <files/messages.hpp>
#include <files/temporary_folder.hpp>
#include <tact/contact/rigid_bodies.hpp>
#include <tact/core/random.hpp>
#include <tact/files/rigid_contact_io.hpp>
#include <tact/files/text_file.hpp>

namespace fs = std::filesystem;
using namespace tact;
using nlohmann::json;

namespace {

template <class Matrix>
Matrix random_matrix(Random& random)
{
  return Matrix::NullaryExpr([&](Eigen::Index, Eigen::Index) { return random.uniform(-1.0, 1.0); });
}

// Any numbers will do: the layout knows no mechanics beyond what validate() asks for.
ContactProblem random_problem(int bodies, int contacts, int joints)
{
  Random random(11);
  ContactProblem problem;
  for (int b = 0; b < bodies; ++b) {
    const Matrix6d L = random_matrix<Matrix6d>(random);
    Matrix6d A = L * L.transpose() + Matrix6d::Identity();
    A.triangularView<Eigen::StrictlyUpper>() = A.transpose();
    add_rigid_body(problem, A, random_matrix<Vector6d>(random));
  }
  for (int c = 0; c < contacts; ++c) {
    BodyRows<3> pair{.body_a = c % bodies, .body_b = c % bodies == 0 ? fixed_body : 0};
    pair.J_a = random_matrix<Matrix36d>(random);
    if (pair.body_b != fixed_body) pair.J_b = random_matrix<Matrix36d>(random);
    add_contact(problem, pair,
                {.bias = random_matrix<Vector3d>(random),
                 .mu = random.uniform(),
                 .restitution = random.uniform(),
                 .approach = random.uniform(-1.0, 1.0)});
  }
  for (int k = 0; k < joints; ++k) {
    BodyRows<1> pair{.body_a = bodies - 1, .body_b = k % 2 == 0 ? fixed_body : 0};
    pair.J_a = random_matrix<RowVector6d>(random);
    if (pair.body_b != fixed_body) pair.J_b = random_matrix<RowVector6d>(random);
    BilateralRow row{.bias = random.uniform(-1.0, 1.0)};
    if (k % 3 > 0) row.lower = -random.uniform();
    if (k % 3 > 1) row.upper = random.uniform();
    add_bilateral(problem, pair, row);
  }
  return problem;
}

template <int rows>
bool same(const BodyRows<rows>& a, const BodyRows<rows>& b)
{
  return a.body_a == b.body_a && a.body_b == b.body_b && a.J_a == b.J_a && a.J_b == b.J_b;
}

bool same(const ContactProblem& a, const ContactProblem& b)
{
  bool all = a.components() == b.components() && a.v_star == b.v_star && a.size() == b.size() &&
             a.bilateral.size() == b.bilateral.size();
  for (int k = 0; all && k < a.components(); ++k) all = body_matrix(a, k) == body_matrix(b, k);
  for (int c = 0; all && c < a.size(); ++c) {
    const ContactRows &x = a.contacts[c], &y = b.contacts[c];
    all = same(body_rows(a, x), body_rows(b, y)) && x.bias == y.bias && x.mu == y.mu &&
          x.restitution == y.restitution && x.approach == y.approach;
  }
  for (std::size_t r = 0; all && r < a.bilateral.size(); ++r)
    all = same(body_rows(a, a.bilateral[r]), body_rows(b, b.bilateral[r])) &&
          a.bilateral[r].bias == b.bilateral[r].bias &&
          a.bilateral[r].lower == b.bilateral[r].lower &&
          a.bilateral[r].upper == b.bilateral[r].upper;
  return all;
}

// The JSON of a correct problem with one thing put in the place of a pointer.
std::string complaint_after(const std::string& pointer, const json& value)
{
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "a.json";
  write_rigid_contact_problem(file, random_problem(3, 4, 2));
  json document = json::parse(read_text(file));
  document[json::json_pointer(pointer)] = value;
  write_text(file, document.dump());
  return message_of([&] { read_rigid_contact_problem(file); });
}

std::string complaint_without(const std::string& parent, const std::string& key)
{
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "a.json";
  write_rigid_contact_problem(file, random_problem(3, 4, 2));
  json document = json::parse(read_text(file));
  document[json::json_pointer(parent)].erase(key);
  write_text(file, document.dump());
  return message_of([&] { read_rigid_contact_problem(file); });
}

}  // namespace

TEST_CASE("a contact problem survives writing and reading bit for bit")
{
  ContactProblem problem = random_problem(3, 7, 3);
  problem.v_star.head<4>() << -0.0, 0.1, std::numeric_limits<double>::denorm_min(),
      std::numeric_limits<double>::max();
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "a.json";
  write_rigid_contact_problem(file, problem);
  const ContactProblem back = read_rigid_contact_problem(file);
  CHECK(same(back, problem));
  CHECK(std::signbit(back.v_star[0]));
  // Bits, not only values: the text written from what was read is the same text.
  write_rigid_contact_problem(folder.path() / "b.json", back);
  CHECK(read_text(folder.path() / "b.json") == read_text(file));
}

TEST_CASE("what may be left out has the value that means nothing happens")
{
  const TemporaryFolder folder;
  json I = json::array();
  for (int i = 0; i < 6; ++i) {
    I.push_back(std::vector<double>(6, 0.0));
    I.back()[static_cast<std::size_t>(i)] = 1.0;
  }
  const json J = {{0, 0, 1, 0, 0, 0}, {1, 0, 0, 0, 0, 0}, {0, 1, 0, 0, 0, 0}};
  const json document = {{"kind", "contact"},
                         {"version", 1},
                         {"bodies", {{{"A", I}, {"v_star", {0, 0, -1, 0, 0, 0}}}}},
                         {"contacts", {{{"body_a", 0}, {"J_a", J}, {"mu", 0.5}}}}};
  const ContactProblem problem = read_rigid_contact_problem(folder.file("a.json", document.dump()));
  REQUIRE(problem.size() == 1);
  const BodyRows<3> pair = body_rows(problem, problem.contacts.front());
  CHECK(pair.body_b == fixed_body);
  CHECK(pair.J_a(0, 2) == 1.0);
  CHECK(pair.J_b.isZero(0.0));
  CHECK(problem.contacts.front().effective_bias().isZero(0.0));
  CHECK(problem.bilateral.empty());
}

TEST_CASE("the example in the documentation of the format is a problem of one contact")
{
  const std::string page = read_text(fs::path(TACT_DOCS) / "files.md");
  const std::string_view fence = "```json\n";
  const std::size_t kind = page.find("\"kind\": \"contact\"");
  REQUIRE(kind != std::string::npos);
  const std::size_t start = page.rfind(fence, kind) + fence.size();
  const TemporaryFolder folder;
  const fs::path file = folder.file("a.json", page.substr(start, page.find("```", start) - start));
  const ContactProblem problem = read_rigid_contact_problem(file);
  CHECK(problem.components() == 1);
  CHECK(problem.size() == 1);
}

TEST_CASE("wrong values in a contact problem are told by JSON pointer")
{
  const auto check = [](const std::string& pointer, const json& value, const std::string& place,
                        const std::string& words) {
    check_complaint(complaint_after(pointer, value), "a.json", ": " + place + ":", words);
  };
  check("/kind", "lcp", "/kind", "found \"lcp\", expected contact");
  check("/version", 2, "/version", "found 2");
  check("/bodies", json::array(), "/bodies", "at least one body");
  check("/bodies/1/A/2/3", "heavy", "/bodies/1/A/2/3", "found \"heavy\"");
  check("/bodies/1/A/2/3", 100.0, "/bodies/1/A", "expected a symmetric matrix");
  check("/bodies/0/A/5/5", -2.0, "/bodies/0/A", "not positive definite");
  check("/bodies/2/v_star", {1, 2}, "/bodies/2/v_star", "found an array of 2");
  check("/contacts/3/mu", -0.2, "/contacts/3/mu", "found -0.2, expected a number >= 0");
  check("/contacts/3/restitution", 1.5, "/contacts/3/restitution", "from 0 to 1");
  check("/contacts/1/body_a", 3, "/contacts/1/body_a", "from 0 to 2");
  check("/contacts/1/body_b", 1, "/contacts/1/body_b", "another body than body_a");
  check("/contacts/1/body_b", -2, "/contacts/1/body_b", "from -1 to 2");
  check("/contacts/1/J_a/0", {1, 2, 3}, "/contacts/1/J_a/0", "expected an array of 6");
  check("/contacts/1/friction", 0.3, "/contacts/1/friction", "an unknown key");
  check("/bilateral/0/bias", {0, 0, 0}, "/bilateral/0/bias", "expected a number");
  check("/contacts", "none", "/contacts", "expected an array");
}

TEST_CASE("what a contact problem lacks is told by JSON pointer")
{
  const auto check = [](const std::string& parent, const std::string& key) {
    check_complaint(complaint_without(parent, key), "a.json", ": " + parent + "/" + key + ":",
                    "found nothing");
  };
  check("", "kind");
  check("", "version");
  check("", "bodies");
  check("", "contacts");
  check("/bodies/0", "A");
  check("/bodies/0", "v_star");
  check("/contacts/1", "body_a");
  check("/contacts/1", "J_a");
  check("/contacts/1", "J_b");
  check("/contacts/1", "mu");
  CHECK(complaint_without("", "bilateral").empty());
}
