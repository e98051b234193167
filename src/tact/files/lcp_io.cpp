#include <tact/files/lcp_io.hpp>

#include <string>
#include <string_view>
#include <system_error>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <tact/core/error.hpp>
#include <tact/files/matrix_market.hpp>
#include <tact/files/text_file.hpp>

namespace tact {
namespace {

namespace fs = std::filesystem;

MatrixXd read_named_matrix(const JsonValue& name, int rows, int columns)
{
  const fs::path file = name.file().parent_path() / name.text();
  std::error_code error;
  if (!fs::is_regular_file(file, error))
    name.reject(fmt::format("{}, which is no file", excerpt(name.text())),
                "a Matrix Market file, relative to the folder of the problem");
  return read_matrix_market(file, rows, columns);
}

// Equations have no bounds, the other rows those of the plain problem.
void read_complementarity_rows(const JsonValue& root, LcpProblem& problem)
{
  const int n = problem.size();
  const JsonValue rows =
      root.member("is_complementarity_row", fmt::format("an array of {} zeros and ones", n));
  rows.require_array(n);
  problem.lower.resize(n);
  problem.upper = VectorXd::Constant(n, infinity);
  for (int i = 0; i < n; ++i) problem.lower[i] = rows.at(i).integer_in(0, 1) == 1 ? 0.0 : -infinity;
}

VectorXd read_bounds(const JsonValue& root, std::string_view key, int n, double no_bound)
{
  const JsonValue bounds =
      root.member(key, fmt::format("an array of {} numbers, null where there is no bound", n));
  bounds.require_array(n);
  VectorXd values(n);
  for (int i = 0; i < n; ++i) {
    const JsonValue bound = bounds.at(i);
    values[i] = bound.is_null() ? no_bound : bound.number();
  }
  return values;
}

void read_box(const JsonValue& root, LcpProblem& problem)
{
  const int n = problem.size();
  problem.lower = read_bounds(root, "lower", n, -infinity);
  problem.upper = read_bounds(root, "upper", n, infinity);
  for (int i = 0; i < n; ++i) {
    if (problem.lower[i] <= problem.upper[i]) continue;
    root.member("upper", "")
        .at(i)
        .reject(fmt::format("a number >= {}, the lower bound", problem.lower[i]));
  }
}

// Bounds under a kind that has none would be dropped in silence.
void reject_keys_of_other_kinds(const JsonValue& root, std::string_view kind)
{
  const auto reject = [&](std::string_view key, std::string_view owner) {
    if (kind == owner) return;
    if (const auto found = root.find(key))
      found->reject("this key",
                    fmt::format("it only where kind is {} (here it is {})", owner, kind));
  };
  reject("is_complementarity_row", "mlcp");
  reject("lower", "blcp");
  reject("upper", "blcp");
}

nlohmann::ordered_json bounds_json(const LcpProblem& problem,
                                   double (LcpProblem::*bound)(int) const)
{
  auto array = nlohmann::ordered_json::array();
  for (int i = 0; i < problem.size(); ++i) {
    const double value = (problem.*bound)(i);
    if (value == infinity || value == -infinity)
      array.push_back(nullptr);
    else
      array.push_back(value);
  }
  return array;
}

nlohmann::ordered_json row_kinds_json(const LcpProblem& problem)
{
  auto array = nlohmann::ordered_json::array();
  for (int i = 0; i < problem.size(); ++i) array.push_back(problem.is_equation(i) ? 0 : 1);
  return array;
}

}  // namespace

LcpProblem read_lcp(const JsonValue& root)
{
  const std::string kind = root.member("kind", "lcp, mlcp or blcp").one_of({"lcp", "mlcp", "blcp"});
  const int n = root.member("n", "the number of unknowns").integer_in(1, max_lcp_size);
  const JsonValue M = root.member("M", "the name of a Matrix Market file");
  const JsonValue q = root.member("q", "the name of a Matrix Market file");
  reject_keys_of_other_kinds(root, kind);
  LcpProblem problem;
  problem.q = read_named_matrix(q, n, 1);  // before M: n lines must be there before n^2 numbers are
  if (kind == "mlcp") read_complementarity_rows(root, problem);
  if (kind == "blcp") read_box(root, problem);
  problem.M = read_named_matrix(M, n, n);
  validate(problem);
  return problem;
}

LcpProblem read_lcp(const fs::path& file)
{
  const JsonFile json(file);
  return read_lcp(json.root());
}

void write_lcp(const fs::path& file, const LcpProblem& problem)
{
  validate(problem);
  const std::string name = file.stem().string();
  const LcpKind problem_kind = kind(problem);
  nlohmann::ordered_json json = {{"name", name},
                                 {"kind", tact::name(problem_kind)},
                                 {"n", problem.size()},
                                 {"M", name + ".M.mtx"},
                                 {"q", name + ".q.mtx"}};
  if (problem_kind == LcpKind::mlcp) json["is_complementarity_row"] = row_kinds_json(problem);
  if (problem_kind == LcpKind::blcp) {
    json["lower"] = bounds_json(problem, &LcpProblem::lower_bound);
    json["upper"] = bounds_json(problem, &LcpProblem::upper_bound);
  }
  const fs::path folder = file.parent_path();
  write_matrix_market(folder / (name + ".M.mtx"), problem.M, MatrixLayout::coordinate);
  write_matrix_market(folder / (name + ".q.mtx"), problem.q, MatrixLayout::array);
  std::string text = "{";
  for (const auto& [key, value] : json.items())  // one key a line, as people write such files
    text += fmt::format("{}\n \"{}\": {}", text.size() > 1 ? "," : "", key,
                        value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  write_text(file, text + "\n}\n");
}

}  // namespace tact
