#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <data.hpp>
#include <files/messages.hpp>
#include <files/temporary_folder.hpp>
#include <tact/core/random.hpp>
#include <tact/files/lcp_io.hpp>

namespace fs = std::filesystem;
using namespace tact;

namespace {

// A correct problem of two unknowns, to be spoiled.
struct Files {
  std::string json = R"({"kind": "lcp", "n": 2, "M": "M.mtx", "q": "q.mtx"})";
  std::string M = "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 2\n2 2 2\n";
  std::string q = "%%MatrixMarket matrix array real general\n2 1\n-1\n-2\n";
};

std::string lcp_complaint(const Files& files)
{
  const TemporaryFolder folder;
  folder.file("M.mtx", files.M);
  folder.file("q.mtx", files.q);
  const fs::path file = folder.file("a.json", files.json);
  return message_of([&] { read_lcp(file); });
}

std::string lcp_complaint(const std::string& json)
{
  Files files;
  files.json = json;
  return lcp_complaint(files);
}

std::vector<VectorXd> stored_solutions(const nlohmann::json& json)
{
  std::vector<VectorXd> solutions;
  const auto add = [&solutions](const std::vector<double>& values) {
    solutions.push_back(Eigen::Map<const VectorXd>(values.data(), std::ssize(values)));
  };
  if (json.contains("basic_solutions") && json["basic_solutions"].is_array())
    for (const auto& solution : json["basic_solutions"]) add(solution);
  if (json.contains("reference_solution")) add(json["reference_solution"]);
  return solutions;
}

bool same(const LcpProblem& a, const LcpProblem& b)
{
  const auto bounds_agree = [&] {
    for (int i = 0; i < a.size(); ++i)
      if (a.lower_bound(i) != b.lower_bound(i) || a.upper_bound(i) != b.upper_bound(i))
        return false;
    return true;
  };
  return a.M == b.M && a.q == b.q && bounds_agree();
}

}  // namespace

TEST_CASE("the solutions stored beside the problems of the data set solve what was read")
{
  const auto folder = test_data("lcp");
  if (!folder) return;
  int problems = 0;
  int checked = 0;
  for (const auto& entry : fs::directory_iterator(*folder)) {
    if (entry.path().extension() != ".json") continue;
    CAPTURE(entry.path());
    const LcpProblem problem = read_lcp(entry.path());
    ++problems;
    for (const VectorXd& z : stored_solutions(nlohmann::json::parse(std::ifstream(entry.path())))) {
      // The stored digits end at 1e-16 of z; each is multiplied by an entry of M and n are added.
      const double scale =
          1.0 + problem.M.cwiseAbs().rowwise().sum().maxCoeff() * z.cwiseAbs().maxCoeff();
      CHECK(residual(problem, z) < 1e-9 * scale);
      ++checked;
    }
  }
  CHECK(problems == 27);
  CHECK(checked > 17);
}

TEST_CASE("problems of the data set survive writing and reading bit for bit")
{
  const auto folder = test_data("lcp");
  if (!folder) return;
  const TemporaryFolder copies;
  for (const auto& entry : fs::directory_iterator(*folder)) {
    if (entry.path().extension() != ".json") continue;
    CAPTURE(entry.path());
    const LcpProblem problem = read_lcp(entry.path());
    write_lcp(copies.path() / entry.path().filename(), problem);
    CHECK(same(read_lcp(copies.path() / entry.path().filename()), problem));
  }
}

TEST_CASE("each kind is written as itself and read as the same problem")
{
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "a problem.json";
  Random random(3);
  LcpProblem problem;
  problem.M = MatrixXd::NullaryExpr(4, 4, [&] { return random.uniform(-1.0, 1.0); });
  problem.q = VectorXd::NullaryExpr(4, [&] { return random.uniform(-1.0, 1.0); });
  const auto round_trip = [&](LcpKind expected) {
    write_lcp(file, problem);
    const LcpProblem back = read_lcp(file);
    CHECK(kind(back) == expected);
    CHECK(same(back, problem));
  };
  round_trip(LcpKind::lcp);
  problem.lower = VectorXd{{0.0, -infinity, 0.0, -infinity}};
  round_trip(LcpKind::mlcp);
  problem.upper = VectorXd{{infinity, infinity, 0.1, 3.0}};
  round_trip(LcpKind::blcp);
}

TEST_CASE("an LCP file that lacks something or says it wrongly is told by JSON pointer")
{
  CHECK(lcp_complaint(Files()).empty());
  check_complaint(lcp_complaint(R"({"n": 2})"), "a.json", ": /kind:", "found nothing");
  check_complaint(lcp_complaint(R"({"kind": "lpc", "n": 2})"), "a.json",
                  ": /kind:", "did you mean");
  check_complaint(lcp_complaint(R"({"kind": "lcp", "M": "M.mtx"})"), "a.json",
                  ": /n:", "found nothing");
  check_complaint(lcp_complaint(R"({"kind": "lcp", "n": "two"})"), "a.json",
                  ": /n:", "found \"two\"");
  check_complaint(lcp_complaint(R"({"kind": "lcp", "n": 0})"), "a.json", ": /n:", "1 to 5000");
  check_complaint(lcp_complaint(R"({"kind": "lcp", "n": 10000, "M": "M.mtx", "q": "q.mtx"})"),
                  "a.json", ": /n:", "found 10000, expected an integer from 1 to 5000");
  check_complaint(lcp_complaint(R"({"kind": "lcp", "n": 2, "q": "q.mtx"})"), "a.json",
                  ": /M:", "found nothing");
  check_complaint(lcp_complaint(R"({"kind": "lcp", "n": 2, "M": 5, "q": "q.mtx"})"), "a.json",
                  ": /M:", "found 5");
  check_complaint(lcp_complaint(R"({"kind": "lcp", "n": 2, "M": "absent.mtx", "q": "q.mtx"})"),
                  "a.json", ": /M:", "found \"absent.mtx\", which is no file");
  check_complaint(lcp_complaint(R"({"kind": "lcp", "n": 2, "M": "", "q": "q.mtx"})"), "a.json",
                  ": /M:", "which is no file");
}

TEST_CASE("bounds that do not fit the kind or each other are told by JSON pointer")
{
  const std::string head = R"("n": 2, "M": "M.mtx", "q": "q.mtx")";
  const auto check = [&](const std::string& rest, const std::string& place,
                         const std::string& words) {
    check_complaint(lcp_complaint("{" + head + "," + rest + "}"), "a.json", place, words);
  };
  check(R"("kind": "mlcp")", ": /is_complementarity_row:", "found nothing");
  check(R"("kind": "mlcp", "is_complementarity_row": [1])",
        ": /is_complementarity_row:", "found an array of 1, expected an array of 2");
  check(R"("kind": "mlcp", "is_complementarity_row": [1, 2])",
        ": /is_complementarity_row/1:", "found 2");
  check(R"("kind": "blcp", "lower": [0, 0])", ": /upper:", "found nothing");
  check(R"("kind": "blcp", "lower": [0, "low"], "upper": [1, 1])", ": /lower/1:", "found \"low\"");
  check(R"("kind": "blcp", "lower": [0, 3], "upper": [null, 1])",
        ": /upper/1:", "found 1, expected a number >= 3");
  check(R"("kind": "lcp", "lower": [0, 0])", ": /lower:", "only where kind is blcp");
}

TEST_CASE("wrong matrices are told with their own file and line")
{
  Files files;
  files.M = "";
  check_complaint(lcp_complaint(files), "M.mtx", "line 1", "an empty file");
  files.M = "%%MatrixMarket matrix coordinate real general\n10000 10000 1\n1 1 1\n";
  check_complaint(lcp_complaint(files), "M.mtx", "line 2", "expected 2 x 2");
  files = Files();
  files.q = "%%MatrixMarket matrix array real general\n3 1\n1\n2\n3\n";
  check_complaint(lcp_complaint(files), "q.mtx", "line 2", "expected 2 x 1");
  files.q = "%%MatrixMarket matrix array real general\n2 1\n1\nNaN\n";
  check_complaint(lcp_complaint(files), "q.mtx", "line 4",
                  "found \"NaN\", expected a finite number");
}
