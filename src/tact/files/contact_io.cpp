#include <tact/files/contact_io.hpp>

#include <array>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tact/contact/contact_regions.hpp>
#include <tact/contact/free_motion.hpp>
#include <tact/files/row_io.hpp>
#include <tact/files/text_file.hpp>

namespace tact {
namespace {

using Json = nlohmann::ordered_json;

constexpr int contact_format_version = 1;
constexpr int many = std::numeric_limits<int>::max();

// Blocks on and below the diagonal, each [row, column, 9 numbers by rows].
BlockMatrix read_matrix(const JsonValue& blocks, int nodes)
{
  const int count = blocks.array_size();
  std::vector<std::array<int, 2>> couples(count);
  for (int k = 0; k < count; ++k) {
    const JsonValue block = blocks.at(k);
    block.require_array(3);
    couples[k] = {block.at(0).integer_in(0, nodes - 1), 0};
    couples[k][1] = block.at(1).integer_in(0, couples[k][0]);
  }
  BlockMatrix A = zero_matrix(std::make_shared<const BlockPattern>(nodes, couples));
  std::vector<char> filled(A.blocks.size(), 0);
  for (int k = 0; k < count; ++k) {
    const auto [row, column] = couples[k];
    const int slot = A.pattern->slot(row, column);
    if (filled[slot] != 0) blocks.at(k).reject("a block that stands twice", "each block once");
    filled[slot] = 1;
    const VectorXd numbers = blocks.at(k).at(2).vector(9);
    Matrix3d block;
    for (int i = 0; i < 9; ++i) block(i / 3, i % 3) = numbers[i];
    A.blocks[A.pattern->slot(column, row)] = block.transpose();
    A.blocks[slot] = block;
  }
  return A;
}

void read_component(const JsonValue& json, ContactProblem& problem)
{
  json.allow_only({"nodes", "A", "v_star"});
  const int nodes = json.member("nodes", "the number of nodes").integer_in(1, many / 3);
  problem.A.push_back(read_matrix(json.member("A", "blocks [row, column, 9 numbers]"), nodes));
  const VectorXd v_star = json.member("v_star", "3 numbers a node (m/s)").vector(3 * nodes);
  problem.v_star.conservativeResize(problem.v_star.size() + v_star.size());
  problem.v_star.tail(v_star.size()) = v_star;
}

// add(node, the entry of "J" for it), for each node that rows act on. Returns how many there are.
template <class Add>
int read_nodes(const JsonValue& json, const ContactProblem& problem, const char* J_wanted,
               const Add& add)
{
  const JsonValue nodes = json.member("nodes", "the nodes that are acted on");
  if (nodes.array_size() == 0) nodes.reject("at least one node");
  const JsonValue J = json.member("J", J_wanted);
  J.require_array(nodes.array_size());
  for (int k = 0; k < nodes.array_size(); ++k)
    add(nodes.at(k).integer_in(0, problem.nodes() - 1), J.at(k));
  return nodes.array_size();
}

void read_contact(const JsonValue& json, ContactProblem& problem)
{
  json.allow_only({"nodes", "J", "bias", "mu", "restitution", "approach"});
  const auto first = static_cast<int>(problem.blocks.size());
  const int count = read_nodes(json, problem, "9 numbers a node, by rows (normal, two tangents)",
                               [&](int node, const JsonValue& J) {
                                 RowBlock& block = problem.blocks.emplace_back();
                                 block.node = node;
                                 const VectorXd numbers = J.vector(9);
                                 for (int i = 0; i < 9; ++i) block.J(i / 3, i % 3) = numbers[i];
                               });
  ContactRows contact = read_contact_law(json);
  contact.first = first;
  contact.count = count;
  problem.contacts.push_back(contact);
}

void read_bilateral_row(const JsonValue& json, ContactProblem& problem)
{
  json.allow_only({"nodes", "J", "bias", "lower", "upper"});
  const auto first = static_cast<int>(problem.bilateral_blocks.size());
  const int count =
      read_nodes(json, problem, "3 numbers a node", [&](int node, const JsonValue& J) {
        problem.bilateral_blocks.push_back({node, J.vector(3).transpose()});
      });
  BilateralRow row = read_bias_and_limits(json);
  row.first = first;
  row.count = count;
  problem.bilateral.push_back(row);
}

void read_group(const JsonValue& json, ContactProblem& problem)
{
  json.allow_only({"sides", "pushing"});
  const JsonValue sides = json.member("sides", "contacts of which one is to hold");
  if (sides.array_size() == 0) sides.reject("at least one contact");
  std::vector<int> contacts;
  for (int k = 0; k < sides.array_size(); ++k)
    contacts.push_back(sides.at(k).integer_in(0, problem.size() - 1));
  int pushing = static_cast<int>(contacts.size());
  if (const auto given = json.find("pushing")) pushing = given->integer_in(1, pushing);
  problem.groups.add(contacts, pushing);
}

std::vector<double> entries_by_rows(const Matrix3d& block)
{
  std::vector<double> numbers;
  for (int i = 0; i < 9; ++i) numbers.push_back(block(i / 3, i % 3));
  return numbers;
}

std::string component_json(const BlockMatrix& A, const double* v_star)
{
  Json blocks = Json::array();
  for (int row = 0; row < A.rows(); ++row) {
    int slot = A.pattern->first_slot(row);
    for (const int column : A.pattern->columns(row)) {
      if (column > row) break;
      blocks.push_back({row, column, entries_by_rows(A.blocks[slot++])});
    }
  }
  const Json json = {{"nodes", A.rows()},
                     {"A", std::move(blocks)},
                     {"v_star", std::vector<double>(v_star, v_star + A.size())}};
  return json.dump();
}

std::string contact_json(const ContactProblem& problem, const ContactRows& contact)
{
  Json nodes = Json::array(), J = Json::array();
  for (int k = contact.first; k < contact.first + contact.count; ++k) {
    nodes.push_back(problem.blocks[k].node);
    J.push_back(entries_by_rows(problem.blocks[k].J));
  }
  Json json = {{"nodes", std::move(nodes)}, {"J", std::move(J)}};
  write_contact_law(json, contact);
  return json.dump();
}

std::string bilateral_row_json(const ContactProblem& problem, const BilateralRow& row)
{
  Json nodes = Json::array(), J = Json::array();
  for (int k = row.first; k < row.first + row.count; ++k) {
    const auto& [node, block] = problem.bilateral_blocks[k];
    nodes.push_back(node);
    J.push_back({block[0], block[1], block[2]});
  }
  Json json = {{"nodes", std::move(nodes)}, {"J", std::move(J)}};
  write_bias_and_limits(json, row);
  return json.dump();
}

std::vector<std::string> group_lines(const SideGroups& groups)
{
  std::vector<std::string> elements;
  for (int g = 0; g < groups.size(); ++g) {
    const Json json = {{"sides", std::vector<int>(groups[g].begin(), groups[g].end())},
                       {"pushing", groups.pushing(g)}};
    elements.push_back(json.dump());
  }
  return elements;
}

std::vector<std::string> bilateral_lines(const ContactProblem& problem)
{
  std::vector<std::string> elements;
  for (const BilateralRow& row : problem.bilateral)
    elements.push_back(bilateral_row_json(problem, row));
  return elements;
}

// One element a line: a file that people can read, compare and cut.
std::string lines(const std::vector<std::string>& elements)
{
  if (elements.empty()) return "[]";
  return fmt::format("[\n  {}\n ]", fmt::join(elements, ",\n  "));
}

std::string warm_start_json(const ContactSolution& start)
{
  Json json = {{"v", std::vector<double>(start.v.begin(), start.v.end())},
               {"lambda", std::vector<double>(start.lambda.begin(), start.lambda.end())}};
  if (start.beta.size() > 0)
    json["beta"] = std::vector<double>(start.beta.begin(), start.beta.end());
  return ",\n \"warm_start\": " + json.dump();
}

}  // namespace

ContactProblem read_contact_problem(const JsonValue& root)
{
  root.member("kind", "contact").one_of({"contact"});
  root.member("version", "1").integer_in(1, contact_format_version);
  root.allow_only({"kind", "version", "name", "note", "components", "rigid", "contacts", "groups",
                   "bilateral", "regions", "friction", "warm_start"});
  (void)read_friction_law(root);
  ContactProblem problem;
  const JsonValue components = root.member("components", "an array of components");
  if (components.array_size() == 0) components.reject("at least one component");
  for (int k = 0; k < components.array_size(); ++k) read_component(components.at(k), problem);
  if (const auto rigid = root.find("rigid")) {
    for (int k = 0; k < rigid->array_size(); ++k) {
      problem.rigid.push_back(rigid->at(k).integer_in(0, problem.nodes() - 2));
    }
  }
  const JsonValue contacts = root.member("contacts", "an array of contacts");
  for (int c = 0; c < contacts.array_size(); ++c) read_contact(contacts.at(c), problem);
  if (const auto groups = root.find("groups"))
    for (int g = 0; g < groups->array_size(); ++g) read_group(groups->at(g), problem);
  if (const auto bilateral = root.find("bilateral"))
    for (int r = 0; r < bilateral->array_size(); ++r) read_bilateral_row(bilateral->at(r), problem);
  validate(problem);
  return problem;
}

ContactProblem read_contact_problem(const std::filesystem::path& file)
{
  const JsonFile json(file);
  return read_contact_problem(json.root());
}

FrictionLaw read_friction_law(const JsonValue& root)
{
  const auto friction = root.find("friction");
  if (!friction || friction->one_of({"disc", "pyramid"}) == "disc") return FrictionLaw::disc;
  return FrictionLaw::pyramid;
}

ContactSolution read_warm_start(const JsonValue& root, const ContactProblem& problem)
{
  const auto start = root.find("warm_start");
  if (!start) return {};
  start->allow_only({"v", "lambda", "beta"});
  ContactSolution solution = {
      .v = start->member("v", "3 numbers a node (m/s)").vector(3 * problem.nodes()),
      .lambda = start->member("lambda", "3 numbers a contact (N s)").vector(3 * problem.size())};
  if (const auto beta = start->find("beta"))
    solution.beta = beta->vector(static_cast<int>(problem.bilateral.size()));
  return solution;
}

std::vector<int> read_regions(const JsonValue& root, const ContactProblem& problem)
{
  const auto regions = root.find("regions");
  if (!regions) return {};
  regions->require_array(problem.size());
  std::vector<int> map;
  for (int c = 0; c < problem.size(); ++c)
    map.push_back(regions->at(c).integer_in(0, problem.size() - 1));
  const ContactElements components = elements_by_components(problem);
  std::vector<int> region_of_component(problem.components(), -1);
  for (int c = 0; c < problem.size(); ++c) {
    for (const int component : components.of(c)) {
      int& region = region_of_component[component];
      if (region >= 0 && region != map[c])
        regions->at(c).reject(fmt::format("{} as other contacts of component {} are in this region",
                                          region, component));
      region = map[c];
    }
  }
  return map;
}

void write_contact_problem(const std::filesystem::path& file, const ContactProblem& of,
                           const ContactSolution* warm_start, FrictionLaw law)
{
  validate(of);
  const ContactProblem problem = about_free_motion(of);
  std::vector<std::string> components, contacts;
  const double* v_star = problem.v_star.data();
  for (const BlockMatrix& A : problem.A) {
    components.push_back(component_json(A, v_star));
    v_star += A.size();
  }
  for (const ContactRows& contact : problem.contacts) {
    contacts.push_back(contact_json(problem, contact));
  }
  std::string more;  // what most problems do not have
  if (!problem.groups.empty()) more += ",\n \"groups\": " + lines(group_lines(problem.groups));
  if (!problem.bilateral.empty()) more += ",\n \"bilateral\": " + lines(bilateral_lines(problem));
  write_text(file,
             fmt::format("{{\n \"kind\": \"contact\",\n \"version\": {},\n"
                         " \"components\": {},\n \"rigid\": {},\n \"contacts\": {}{},\n"
                         " \"regions\": {},\n \"friction\": \"{}\"{}\n}}\n",
                         contact_format_version, lines(components), Json(problem.rigid).dump(),
                         lines(contacts), more, Json(region_map(problem)).dump(),
                         law == FrictionLaw::pyramid ? "pyramid" : "disc",
                         warm_start ? warm_start_json(*warm_start) : ""));
}

}  // namespace tact
