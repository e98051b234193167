#include <filesystem>
#include <fstream>

#include <doctest/doctest.h>

#include <data.hpp>
#include <files/messages.hpp>
#include <files/temporary_folder.hpp>
#include <tact/core/random.hpp>
#include <tact/files/fclib_global.hpp>
#include <tact/files/fclib_io.hpp>
#include <tact/files/friction_io.hpp>
#include <tact/files/matrix_market.hpp>
#include <tact/files/text_file.hpp>

namespace fs = std::filesystem;
using namespace tact;

namespace {

// Equal in every entry that is stored, zeros too.
bool same(const SparseRows& a, const SparseRows& b)
{
  if (a.rows() != b.rows() || a.cols() != b.cols() || a.nonZeros() != b.nonZeros()) return false;
  for (Eigen::Index row = 0; row < a.rows(); ++row) {
    SparseRows::InnerIterator x(a, row), y(b, row);
    for (; x && y; ++x, ++y)
      if (x.col() != y.col() || x.value() != y.value()) return false;
    if (x || y) return false;
  }
  return true;
}

bool same(const FrictionProblem& a, const FrictionProblem& b)
{
  return a.dimension == b.dimension && same(a.W, b.W) && a.q == b.q && a.mu == b.mu;
}

// f is A v*, and rounded.
bool same_form(const ContactProblem& one, const ContactProblem& other)
{
  const GlobalForm a = global_form(one), b = global_form(other);
  return a.dimension == b.dimension && same(a.M, b.M) && same(a.H, b.H) && same(a.G, b.G) &&
         (a.f - b.f).norm() <= 1e-12 * a.f.norm() && a.w == b.w && a.b == b.b && a.mu == b.mu;
}

SparseRows some_matrix(int rows, int columns, Random& random)
{
  SparseRows matrix(rows, columns);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j)
      if ((i + j) % 3 != 1) matrix.insert(i, j) = i == j ? 0.0 : random.uniform(-1.0, 1.0) / 3.0;
  matrix.makeCompressed();
  return matrix;
}

VectorXd some_vector(int size, Random& random)
{
  VectorXd values(size);
  for (double& value : values) value = random.uniform(-1.0, 1.0) / 3.0;
  return values;
}

FrictionProblem some_local(int dimension)
{
  Random random(41);
  const int n = 2 * dimension;
  return {dimension, some_matrix(n, n, random), some_vector(n, random), VectorXd{{0.1, 0.7}}};
}

ContactProblem some_global(int dimension, int joints)
{
  Random random(43);
  const int n = 2 * dimension;
  const SparseRows S = some_matrix(5, 5, random);
  SparseRows M = S * S.transpose();
  for (int i = 0; i < 5; ++i) M.coeffRef(i, i) += 1.0;
  return contact_problem({.dimension = dimension,
                          .M = M,
                          .H = some_matrix(5, n, random),
                          .G = joints > 0 ? some_matrix(5, joints, random) : SparseRows(),
                          .f = some_vector(5, random),
                          .w = some_vector(n, random),
                          .b = some_vector(joints, random),
                          .mu = VectorXd{{0.0, 0.5}}});
}

}  // namespace

TEST_CASE("FCLIB files read back as they were in both forms and both dimensions")
{
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "problem.hdf5";
  const FclibInfo info{"a title", "with \xc3\xa4", ""};
  for (const int dimension : {2, 3}) {
    write_fclib(file, {some_local(dimension), info});
    CHECK(is_hdf5(file));
    const FclibFile local = read_fclib(file);
    CHECK(same(std::get<FrictionProblem>(local.problem), some_local(dimension)));
    CHECK(local.info.title == info.title);
    CHECK(local.info.description == info.description);
    for (const int joints : {0, 2}) {
      write_fclib(file, {some_global(dimension, joints), {}});
      const FclibFile global = read_fclib(file);
      CHECK(same_form(std::get<ContactProblem>(global.problem), some_global(dimension, joints)));
    }
  }
}

TEST_CASE("stored problems of others survive reading and writing")
{
  const auto data = test_data("fclib");
  if (!data) return;
  const TemporaryFolder folder;
  const fs::path copy = folder.path() / "copy.hdf5";
  int count = 0;
  for (const auto& entry : fs::directory_iterator(*data)) {
    if (entry.path().extension() != ".hdf5") continue;
    CAPTURE(entry.path().string());
    const FclibFile first = read_fclib(entry.path());
    write_fclib(copy, first);
    const FclibFile second = read_fclib(copy);
    CHECK(first.problem.index() == second.problem.index());
    CHECK(first.info.title == second.info.title);
    if (const auto* local = std::get_if<FrictionProblem>(&first.problem))
      CHECK(same(*local, std::get<FrictionProblem>(second.problem)));
    else
      CHECK(same_form(std::get<ContactProblem>(first.problem),
                      std::get<ContactProblem>(second.problem)));
    ++count;
  }
  CHECK(count >= 30);
}

TEST_CASE("a friction problem as text with Matrix Market files reads back as the same bits")
{
  const TemporaryFolder folder;
  for (const int dimension : {2, 3}) {
    write_friction(folder.path() / "p.json", some_local(dimension));
    const Problem problem = read_problem(folder.path() / "p.json");
    CHECK(problem.kind == "friction");
    CHECK(problem.contacts() == 2);
    CHECK(problem.size() == 2 * dimension);
    CHECK(same(std::get<FrictionProblem>(problem.data), some_local(dimension)));
  }
  check_complaint(
      message_of([&] {
        read_problem(folder.file("bad.json", R"({"kind": "friction", "dimension": 4})"));
      }),
      "bad.json", ": /dimension:", "2");
}

TEST_CASE("a symmetric sparse matrix has both triangles and an entry twice is refused")
{
  const TemporaryFolder folder;
  const fs::path file = folder.file("a.mtx",
                                    "%%MatrixMarket matrix coordinate real symmetric\n"
                                    "2 2 2\n1 1 3\n2 1 -1\n");
  const MatrixXd dense = read_sparse_matrix_market(file, 2, 2);
  CHECK(dense == MatrixXd{{3.0, -1.0}, {-1.0, 0.0}});
  const fs::path twice = folder.file("b.mtx",
                                     "%%MatrixMarket matrix coordinate real general\n"
                                     "2 2 2\n1 1 3\n1 1 3\n");
  CHECK(contains(message_of([&] { read_sparse_matrix_market(twice, 2, 2); }), "a second time"));
}

TEST_CASE("what is no friction problem is refused in one line that names the file and the place")
{
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "problem.hdf5";
  const auto complaint = [&](FrictionProblem problem) {
    write_fclib(file, {std::move(problem), {}});
    return message_of([&] { read_fclib(file); });
  };
  FrictionProblem bad = some_local(3);
  bad.mu.conservativeResize(1);
  CHECK(contains(complaint(bad), "problem.hdf5: /fclib_local/W: found a matrix of 6 x 6"));
  bad = some_local(3);
  bad.dimension = 5;
  CHECK(contains(complaint(bad), "/fclib_local/spacedim: found 5, expected 2 or 3"));
  bad = some_local(3);
  bad.mu[1] = -1.0;
  CHECK(contains(complaint(bad), "mu[1] is -1"));
  const fs::path text = folder.file("text.hdf5", "no HDF5 at all");
  CHECK_FALSE(is_hdf5(text));
  CHECK(
      contains(message_of([&] { read_fclib(text); }), "text.hdf5: cannot open it as an HDF5 file"));
}

TEST_CASE("an HDF5 file that is cut off anywhere is refused in one line")
{
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "problem.hdf5";
  write_fclib(file, {some_local(3), {}});
  const std::string original = read_text(file);
  for (int part = 0; part < 50; ++part) {
    std::ofstream(file, std::ios::binary) << original.substr(0, part * original.size() / 50);
    const std::string message = message_of([&] { read_fclib(file); });
    CHECK(contains(message, "problem.hdf5"));
    CHECK(message.find('\n') == std::string::npos);
  }
}

// Among the slow ones, which the sanitizers leave out: HDF5 itself leaks memory on such files.
TEST_CASE("an HDF5 file with wrong bytes anywhere is read or refused in one line" *
          doctest::test_suite("slow"))
{
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "problem.hdf5";
  write_fclib(file, {some_local(3), {}});
  const std::string original = read_text(file);
  Random random(41);
  int refused = 0;
  for (int trial = 0; trial < 300; ++trial) {
    std::string damaged = original;
    for (int change = 0; change <= trial % 4; ++change)
      damaged[static_cast<std::size_t>(random.below(static_cast<int>(damaged.size())))] =
          static_cast<char>(random.below(256));
    std::ofstream(file, std::ios::binary) << damaged;
    const std::string message = message_of([&] { read_fclib(file); });
    CHECK(message.find('\n') == std::string::npos);
    if (!message.empty()) ++refused;
  }
  CHECK(refused > 30);
}
