#include <tact/files/friction_io.hpp>

#include <string>
#include <system_error>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <tact/core/error.hpp>
#include <tact/files/fclib_io.hpp>
#include <tact/files/matrix_market.hpp>
#include <tact/files/text_file.hpp>
#include <tact/solvers/cone/friction_problem_of.hpp>

namespace tact {
namespace {

namespace fs = std::filesystem;

constexpr int most_contacts = 10'000;  // larger problems belong into HDF5

fs::path named_file(const JsonValue& name)
{
  const fs::path file = name.file().parent_path() / name.text();
  std::error_code error;
  if (!fs::is_regular_file(file, error))
    name.reject(fmt::format("{}, which is no file", excerpt(name.text())),
                "a Matrix Market file, relative to the folder of the problem");
  return file;
}

}  // namespace

FrictionProblem read_friction(const JsonValue& root)
{
  constexpr const char* matrix_name = "the name of a Matrix Market file";
  root.allow_only({"kind", "version", "name", "note", "dimension", "contacts", "W", "q", "mu"});
  FrictionProblem problem;
  problem.dimension = root.member("dimension", "2 or 3").integer_in(2, 3);
  const int contacts =
      root.member("contacts", "the number of contacts").integer_in(0, most_contacts);
  const int size = problem.dimension * contacts;
  problem.mu = read_matrix_market(named_file(root.member("mu", matrix_name)), contacts, 1);
  problem.q = read_matrix_market(named_file(root.member("q", matrix_name)), size, 1);
  problem.W = read_sparse_matrix_market(named_file(root.member("W", matrix_name)), size, size);
  validate(problem);
  return problem;
}

void write_friction(const fs::path& json_file, const FrictionProblem& problem)
{
  validate(problem);
  const std::string stem = json_file.stem().string();
  const fs::path folder = json_file.parent_path();
  write_matrix_market(folder / (stem + ".W.mtx"), problem.W);
  write_matrix_market(folder / (stem + ".q.mtx"), problem.q, MatrixLayout::array);
  write_matrix_market(folder / (stem + ".mu.mtx"), problem.mu, MatrixLayout::array);
  const nlohmann::ordered_json json = {{"name", stem},
                                       {"kind", "friction"},
                                       {"dimension", problem.dimension},
                                       {"contacts", problem.contacts()},
                                       {"W", stem + ".W.mtx"},
                                       {"q", stem + ".q.mtx"},
                                       {"mu", stem + ".mu.mtx"}};
  write_text(json_file, json.dump(1) + "\n");
}

FrictionProblem local_form(const Problem& problem)
{
  if (const auto* local = std::get_if<FrictionProblem>(&problem.data)) return *local;
  const auto* contact = problem.bodies ? nullptr : std::get_if<ContactProblem>(&problem.data);
  if (contact && !contact->groups.empty())
    throw Error(fmt::format("found {} groups of sides, expected contacts that all hold",
                            contact->groups.size()));
  if (contact) return without_equations(CondensedContact(*contact).local_problem());
  throw Error(
      fmt::format("found a problem of kind {}{}, expected one of friction or a contact "
                  "problem with components",
                  problem.kind, problem.kind == "contact" ? " with bodies" : ""));
}

void require_export_name(const fs::path& file)
{
  const std::string extension = file.extension().string();
  if (extension != ".hdf5" && extension != ".h5" && extension != ".json")
    throw Error(
        fmt::format("found \"{}\", expected a name that ends in .hdf5 (FCLIB) or .json "
                    "(with Matrix Market files beside it)",
                    file.string()));
}

void export_problem(const fs::path& file, const Problem& problem)
{
  require_export_name(file);
  if (file.extension() == ".json") return write_friction(file, local_form(problem));
  const auto* contact = std::get_if<ContactProblem>(&problem.data);
  if (contact && problem.kind == "friction") return write_fclib(file, {*contact, {}});
  write_fclib(file, {local_form(problem), {}});
}

}  // namespace tact
