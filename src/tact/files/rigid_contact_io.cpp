#include <tact/files/rigid_contact_io.hpp>

#include <string>
#include <vector>

#include <fmt/format.h>
#include <Eigen/Cholesky>
#include <nlohmann/json.hpp>

#include <tact/contact/rigid_bodies.hpp>
#include <tact/core/error.hpp>
#include <tact/files/row_io.hpp>
#include <tact/files/text_file.hpp>

namespace tact {
namespace {

using Json = nlohmann::ordered_json;

constexpr int rigid_format_version = 1;

Matrix6d read_mass_matrix(const JsonValue& value)
{
  const Matrix6d A = value.matrix(6, 6);
  const double asymmetry = (A - A.transpose()).cwiseAbs().maxCoeff();
  if (asymmetry >
      1e-12 * A.cwiseAbs().maxCoeff())  // products of rotations round in the last digits
    value.reject(fmt::format("entries that differ by {:.2g} across the diagonal", asymmetry),
                 "a symmetric matrix");
  if (A.llt().info() != Eigen::Success)
    value.reject("a matrix that is not positive definite", "masses and inertias > 0");
  return A;
}

void read_body(const JsonValue& body, ContactProblem& problem)
{
  body.allow_only({"A", "v_star"});
  const Matrix6d A = read_mass_matrix(body.member("A", "6 rows of 6 numbers (kg, kg m, kg m^2)"));
  add_rigid_body(problem, A, body.member("v_star", "6 numbers (m/s, rad/s)").vector(6));
}

// The bodies of contact and bilateral rows alike. J_b may be left out where there is no second
// body.
template <int height>
BodyRows<height> read_pair(const JsonValue& json, int bodies)
{
  const auto read_rows = [](const JsonValue& J) {
    return height == 1 ? MatrixXd(J.vector(6).transpose()) : J.matrix(height, 6);
  };
  const std::string rows_wanted = height == 1 ? "6 numbers" : "3 rows of 6 numbers";
  BodyRows<height> pair;
  pair.body_a = json.member("body_a", "the index of a body").integer_in(0, bodies - 1);
  if (const auto body_b = json.find("body_b")) {
    pair.body_b = body_b->integer_in(fixed_body, bodies - 1);
    if (pair.body_b == pair.body_a) body_b->reject("another body than body_a");
  }
  pair.J_a = read_rows(json.member("J_a", rows_wanted));
  if (const auto J_b = json.find("J_b"))
    pair.J_b = read_rows(*J_b);
  else if (pair.body_b != fixed_body)
    json.member("J_b", rows_wanted);  // complains
  return pair;
}

void read_pair_contact(const JsonValue& json, ContactProblem& problem)
{
  json.allow_only({"body_a", "body_b", "J_a", "J_b", "bias", "mu", "restitution", "approach"});
  const BodyRows<3> pair = read_pair<3>(json, problem.components());
  add_contact(problem, pair, read_contact_law(json));
}

void read_bilateral(const JsonValue& json, ContactProblem& problem)
{
  json.allow_only({"body_a", "body_b", "J_a", "J_b", "bias", "lower", "upper"});
  const BodyRows<1> pair = read_pair<1>(json, problem.components());
  add_bilateral(problem, pair, read_bias_and_limits(json));
}

template <class Matrix>
Json rows_json(const Matrix& matrix)
{
  Json rows = Json::array();
  for (const auto& row : matrix.rowwise())
    rows.push_back(std::vector<double>(row.begin(), row.end()));
  return rows;
}

template <int height>
Json pair_json(const BodyRows<height>& pair)
{
  const auto J_json = [](const auto& J) { return height == 1 ? rows_json(J)[0] : rows_json(J); };
  Json json = {{"body_a", pair.body_a}, {"body_b", pair.body_b}, {"J_a", J_json(pair.J_a)}};
  if (pair.body_b != fixed_body) json["J_b"] = J_json(pair.J_b);
  return json;
}

Json pair_contact_json(const ContactProblem& problem, const ContactRows& contact)
{
  Json json = pair_json(body_rows(problem, contact));
  write_contact_law(json, contact);
  return json;
}

Json bilateral_json(const ContactProblem& problem, const BilateralRow& row)
{
  Json json = pair_json(body_rows(problem, row));
  write_bias_and_limits(json, row);
  return json;
}

// One element a line: a file that people can read, compare and cut.
std::string one_a_line(const std::vector<std::string>& elements)
{
  if (elements.empty()) return "[]";
  return fmt::format("[\n  {}\n ]", fmt::join(elements, ",\n  "));
}

}  // namespace

ContactProblem read_rigid_contact_problem(const JsonValue& root)
{
  root.member("kind", "contact").one_of({"contact"});
  root.member("version", "1").integer_in(1, rigid_format_version);
  root.allow_only({"kind", "version", "name", "note", "bodies", "contacts", "bilateral"});
  ContactProblem problem;
  const JsonValue bodies = root.member("bodies", "an array of bodies");
  if (bodies.array_size() == 0) bodies.reject("at least one body");
  for (int i = 0; i < bodies.array_size(); ++i) read_body(bodies.at(i), problem);
  const JsonValue contacts = root.member("contacts", "an array of contacts");
  for (int i = 0; i < contacts.array_size(); ++i) read_pair_contact(contacts.at(i), problem);
  if (const auto bilateral = root.find("bilateral"))
    for (int i = 0; i < bilateral->array_size(); ++i) read_bilateral(bilateral->at(i), problem);
  validate(problem);
  return problem;
}

ContactProblem read_rigid_contact_problem(const std::filesystem::path& file)
{
  const JsonFile json(file);
  return read_rigid_contact_problem(json.root());
}

void write_rigid_contact_problem(const std::filesystem::path& file, const ContactProblem& problem)
{
  validate(problem);
  if (!only_rigid_bodies(problem))
    throw Error("contact problem: some component is not a rigid body, which this form is for");
  std::vector<std::string> bodies;
  for (int b = 0; b < problem.components(); ++b) {
    const auto v = problem.v_star.segment<6>(6 * b);
    const Json body = {{"A", rows_json(body_matrix(problem, b))},
                       {"v_star", std::vector<double>(v.begin(), v.end())}};
    bodies.push_back(body.dump());
  }
  std::vector<std::string> contacts;
  for (const ContactRows& contact : problem.contacts)
    contacts.push_back(pair_contact_json(problem, contact).dump());
  std::vector<std::string> bilateral;
  for (const BilateralRow& row : problem.bilateral)
    bilateral.push_back(bilateral_json(problem, row).dump());
  write_text(file, fmt::format("{{\n \"kind\": \"contact\",\n \"version\": {},\n \"bodies\": {},\n "
                               "\"contacts\": {},\n \"bilateral\": {}\n}}\n",
                               rigid_format_version, one_a_line(bodies), one_a_line(contacts),
                               one_a_line(bilateral)));
}

}  // namespace tact
