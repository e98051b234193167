#include <tact/files/rigid_contact_io.hpp>

#include <string>
#include <vector>

#include <fmt/format.h>
#include <Eigen/Cholesky>
#include <nlohmann/json.hpp>

#include <tact/core/error.hpp>
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

void read_body(const JsonValue& body, RigidContactProblem& problem, int index)
{
  body.allow_only({"A", "v_star"});
  problem.A.push_back(read_mass_matrix(body.member("A", "6 rows of 6 numbers (kg, kg m, kg m^2)")));
  problem.v_star.segment<6>(6 * index) = body.member("v_star", "6 numbers (m/s, rad/s)").vector(6);
}

// The bodies of contact and bilateral rows alike. J_b may be left out where there is no second
// body.
template <class Rows>
void read_pair(const JsonValue& json, Rows& rows, int bodies)
{
  constexpr int height = decltype(rows.J_a)::RowsAtCompileTime;
  const auto read_rows = [](const JsonValue& J) {
    return height == 1 ? MatrixXd(J.vector(6).transpose()) : J.matrix(height, 6);
  };
  const std::string rows_wanted = height == 1 ? "6 numbers" : "3 rows of 6 numbers";
  rows.body_a = json.member("body_a", "the index of a body").integer_in(0, bodies - 1);
  if (const auto body_b = json.find("body_b")) {
    rows.body_b = body_b->integer_in(fixed_body, bodies - 1);
    if (rows.body_b == rows.body_a) body_b->reject("another body than body_a");
  }
  rows.J_a = read_rows(json.member("J_a", rows_wanted));
  if (const auto J_b = json.find("J_b"))
    rows.J_b = read_rows(*J_b);
  else if (rows.body_b != fixed_body)
    json.member("J_b", rows_wanted);  // complains
}

RigidContactRows read_contact(const JsonValue& json, int bodies)
{
  json.allow_only({"body_a", "body_b", "J_a", "J_b", "bias", "mu", "restitution", "approach"});
  RigidContactRows contact;
  read_pair(json, contact, bodies);
  if (const auto bias = json.find("bias")) contact.bias = bias->vector(3);
  contact.mu = json.member("mu", "a number >= 0").number_at_least(0.0);
  if (const auto e = json.find("restitution")) contact.restitution = e->number_in(0.0, 1.0);
  if (const auto approach = json.find("approach")) contact.approach = approach->number();
  return contact;
}

BilateralRow read_bilateral(const JsonValue& json, int bodies)
{
  json.allow_only({"body_a", "body_b", "J_a", "J_b", "bias"});
  BilateralRow row;
  read_pair(json, row, bodies);
  if (const auto bias = json.find("bias")) row.bias = bias->number();
  return row;
}

template <class Matrix>
Json rows_json(const Matrix& matrix)
{
  Json rows = Json::array();
  for (const auto& row : matrix.rowwise())
    rows.push_back(std::vector<double>(row.begin(), row.end()));
  return rows;
}

Json pair_json(const RigidContactRows& contact)
{
  Json json = {
      {"body_a", contact.body_a}, {"body_b", contact.body_b}, {"J_a", rows_json(contact.J_a)}};
  if (contact.body_b != fixed_body) json["J_b"] = rows_json(contact.J_b);
  return json;
}

Json contact_json(const RigidContactRows& contact)
{
  Json json = pair_json(contact);
  json["bias"] = {contact.bias[0], contact.bias[1], contact.bias[2]};
  json["mu"] = contact.mu;
  json["restitution"] = contact.restitution;
  json["approach"] = contact.approach;
  return json;
}

Json bilateral_json(const BilateralRow& row)
{
  Json json = {{"body_a", row.body_a}, {"body_b", row.body_b}, {"J_a", rows_json(row.J_a)[0]}};
  if (row.body_b != fixed_body) json["J_b"] = rows_json(row.J_b)[0];
  json["bias"] = row.bias;
  return json;
}

// One element a line: a file that people can read, compare and cut.
std::string one_a_line(const std::vector<std::string>& elements)
{
  if (elements.empty()) return "[]";
  return fmt::format("[\n  {}\n ]", fmt::join(elements, ",\n  "));
}

}  // namespace

RigidContactProblem read_rigid_contact_problem(const JsonValue& root)
{
  root.member("kind", "contact").one_of({"contact"});
  root.member("version", "1").integer_in(1, rigid_format_version);
  root.allow_only({"kind", "version", "name", "note", "bodies", "contacts", "bilateral"});
  RigidContactProblem problem;
  const JsonValue bodies = root.member("bodies", "an array of bodies");
  const int body_count = bodies.array_size();
  if (body_count == 0) bodies.reject("at least one body");
  problem.v_star.resize(6 * body_count);
  for (int i = 0; i < body_count; ++i) read_body(bodies.at(i), problem, i);
  const JsonValue contacts = root.member("contacts", "an array of contacts");
  for (int i = 0; i < contacts.array_size(); ++i)
    problem.contacts.push_back(read_contact(contacts.at(i), body_count));
  if (const auto bilateral = root.find("bilateral"))
    for (int i = 0; i < bilateral->array_size(); ++i)
      problem.bilateral.push_back(read_bilateral(bilateral->at(i), body_count));
  validate(problem);
  return problem;
}

RigidContactProblem read_rigid_contact_problem(const std::filesystem::path& file)
{
  const JsonFile json(file);
  return read_rigid_contact_problem(json.root());
}

void write_rigid_contact_problem(const std::filesystem::path& file,
                                 const RigidContactProblem& problem)
{
  validate(problem);
  std::vector<std::string> bodies;
  for (int b = 0; b < problem.bodies(); ++b) {
    const auto v = problem.v_star.segment<6>(6 * b);
    const Json body = {{"A", rows_json(problem.A[b])},
                       {"v_star", std::vector<double>(v.begin(), v.end())}};
    bodies.push_back(body.dump());
  }
  std::vector<std::string> contacts;
  for (const RigidContactRows& contact : problem.contacts)
    contacts.push_back(contact_json(contact).dump());
  std::vector<std::string> bilateral;
  for (const BilateralRow& row : problem.bilateral) bilateral.push_back(bilateral_json(row).dump());
  write_text(file, fmt::format("{{\n \"kind\": \"contact\",\n \"version\": {},\n \"bodies\": {},\n "
                               "\"contacts\": {},\n \"bilateral\": {}\n}}\n",
                               rigid_format_version, one_a_line(bodies), one_a_line(contacts),
                               one_a_line(bilateral)));
}

}  // namespace tact
