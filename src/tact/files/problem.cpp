#include <tact/files/problem.hpp>

#include <tact/files/contact_io.hpp>
#include <tact/files/fclib_io.hpp>
#include <tact/files/friction_io.hpp>
#include <tact/files/json_reader.hpp>
#include <tact/files/lcp_io.hpp>
#include <tact/files/rigid_contact_io.hpp>
#include <tact/solvers/cone/friction_problem_of.hpp>

namespace tact {
namespace {

Problem read_hdf5_problem(const std::filesystem::path& file)
{
  FclibFile content = read_fclib(file);
  if (auto* local = std::get_if<FrictionProblem>(&content.problem))
    return {"friction", std::move(*local), {}};
  return {"friction", std::move(std::get<ContactProblem>(content.problem)), {}};
}

}  // namespace

int Problem::size() const
{
  if (const auto* lcp = std::get_if<LcpProblem>(&data)) return lcp->size();
  if (const auto* local = std::get_if<FrictionProblem>(&data)) return local->size();
  const auto* contact = std::get_if<ContactProblem>(&data);
  const int rows = contact && kind == "friction" && is_planar(*contact) ? 2 : 3;
  return rows * contacts() + (contact ? static_cast<int>(contact->bilateral.size()) : 0);
}

int Problem::contacts() const
{
  if (const auto* local = std::get_if<FrictionProblem>(&data)) return local->contacts();
  const auto* contact = std::get_if<ContactProblem>(&data);
  return contact ? contact->size() : 0;
}

Problem read_problem(const std::filesystem::path& file)
{
  if (is_hdf5(file)) return read_hdf5_problem(file);
  const JsonFile json(file);
  const JsonValue root = json.root();
  std::string kind =
      root.member("kind", "lcp, mlcp, blcp, contact or friction (a scene has /bodies)")
          .one_of({"lcp", "mlcp", "blcp", "contact", "friction"});
  if (kind == "friction") return {std::move(kind), read_friction(root), {}};
  if (kind == "contact" && root.find("components")) {
    ContactProblem problem = read_contact_problem(root);
    ContactSolution start = read_warm_start(root, problem);
    std::vector<int> regions = read_regions(root, problem);
    return {std::move(kind), std::move(problem), std::move(start), std::move(regions),
            read_friction_law(root)};
  }
  if (kind == "contact")
    return {.kind = std::move(kind), .data = read_rigid_contact_problem(root), .bodies = true};
  return {std::move(kind), read_lcp(root), {}};
}

}  // namespace tact
