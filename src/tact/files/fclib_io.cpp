#include <tact/files/fclib_io.hpp>

#include <array>
#include <cstdint>
#include <fstream>
#include <vector>

#include <fmt/core.h>

#include <tact/core/error.hpp>
#include <tact/files/fclib_global.hpp>
#include <tact/recording/atomic_file.hpp>
#include <tact/recording/byte_archive.hpp>
#include <tact/recording/hdf5.hpp>
#include <tact/recording/reader_process.hpp>

namespace tact {
namespace {

namespace fs = std::filesystem;
using hdf5::Handle;
using Triplet = Eigen::Triplet<double>;

constexpr int by_columns = -1;  // values of nz that are no number of entries
constexpr int by_rows = -2;

// A group of the file, with its path for messages.
struct FclibPlace {
  const Handle& group;
  std::string path;

  [[noreturn]] void reject(std::string_view name, std::string_view found,
                           std::string_view expected) const
  {
    throw Error(fmt::format("{}/{}: found {}, expected {}", path, name, found, expected));
  }

  template <class T>
  std::vector<T> list(const std::string& name) const
  {
    try {
      return hdf5::read_list<T>(group, name);
    } catch (const hdf5::Failure&) {
      reject(name, hdf5::exists(group, name) ? "something else" : "nothing", "a list of numbers");
    }
  }

  int number(const std::string& name) const
  {
    const auto values = list<std::int32_t>(name);
    if (values.size() != 1) reject(name, fmt::format("{} numbers", values.size()), "one number");
    return values[0];
  }

  Handle open(const std::string& name) const
  {
    try {
      return hdf5::open_group(group, name);
    } catch (const hdf5::Failure&) {
      reject(name, hdf5::exists(group, name) ? "something else" : "nothing", "a group");
    }
  }

  VectorXd vector(const std::string& name) const
  {
    const auto values = list<double>(name);
    return Eigen::Map<const VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
  }

  std::string text(const std::string& name) const
  {
    return hdf5::exists(group, name) ? hdf5::read_long_text(group, name) : std::string();
  }
};

// ---- matrices -----------------------------------------------------------------------------------

struct StoredMatrix {
  int rows, columns, layout;
  std::vector<std::int32_t> p, i;
  std::vector<double> x;
};

void require_index(const FclibPlace& place, const char* name, std::int32_t index, int size)
{
  if (index < 0 || index >= size)
    place.reject(name, fmt::format("the index {}", index), fmt::format("0 to {}", size - 1));
}

// Pointers p of a compressed matrix: ascending from 0 to a number of entries that is there.
void require_pointers(const FclibPlace& place, const StoredMatrix& stored, int lines)
{
  const auto& p = stored.p;
  if (p.size() < static_cast<std::size_t>(lines) + 1)
    place.reject("p", fmt::format("{} entries", p.size()), fmt::format("{}", lines + 1));
  if (p[0] != 0) place.reject("p", fmt::format("{} at its start", p[0]), "0");
  for (int k = 0; k < lines; ++k)
    if (p[k + 1] < p[k])
      place.reject("p", fmt::format("{} after {}", p[k + 1], p[k]), "ascending numbers");
  const auto count = static_cast<std::size_t>(p[lines]);
  if (count > stored.i.size() || count > stored.x.size())
    place.reject("x", fmt::format("{} entries", std::min(stored.i.size(), stored.x.size())),
                 fmt::format("{}", count));
}

std::vector<Triplet> compressed_entries(const FclibPlace& place, const StoredMatrix& stored)
{
  const bool columns = stored.layout == by_columns;
  const int lines = columns ? stored.columns : stored.rows;
  require_pointers(place, stored, lines);
  std::vector<Triplet> entries;
  for (int line = 0; line < lines; ++line) {
    for (std::int32_t k = stored.p[line]; k < stored.p[line + 1]; ++k) {
      const std::int32_t other = stored.i[k];
      require_index(place, "i", other, columns ? stored.rows : stored.columns);
      entries.emplace_back(columns ? other : line, columns ? line : other, stored.x[k]);
    }
  }
  return entries;
}

std::vector<Triplet> listed_entries(const FclibPlace& place, const StoredMatrix& stored)
{
  const auto count = static_cast<std::size_t>(stored.layout);
  if (stored.p.size() < count || stored.i.size() < count || stored.x.size() < count)
    place.reject("nz", fmt::format("{}", count),
                 fmt::format("at most the {} entries that are there",
                             std::min({stored.p.size(), stored.i.size(), stored.x.size()})));
  std::vector<Triplet> entries;
  for (std::size_t k = 0; k < count; ++k) {
    require_index(place, "i", stored.i[k], stored.rows);
    require_index(place, "p", stored.p[k], stored.columns);
    entries.emplace_back(stored.i[k], stored.p[k], stored.x[k]);
  }
  return entries;
}

// The size is checked before memory is made for it.
SparseRows read_matrix(const FclibPlace& parent, const std::string& name, Eigen::Index rows,
                       Eigen::Index columns)
{
  const Handle group = parent.open(name);
  const FclibPlace place{group, fmt::format("{}/{}", parent.path, name)};
  StoredMatrix stored{.rows = place.number("m"),
                      .columns = place.number("n"),
                      .layout = place.number("nz"),
                      .p = place.list<std::int32_t>("p"),
                      .i = place.list<std::int32_t>("i"),
                      .x = place.list<double>("x")};
  if (stored.rows != rows || stored.columns != columns)
    parent.reject(name, fmt::format("a matrix of {} x {}", stored.rows, stored.columns),
                  fmt::format("{} x {}", rows, columns));
  if (stored.layout < by_rows)
    place.reject("nz", fmt::format("{}", stored.layout),
                 "-1 (columns), -2 (rows) or a number of triplets");
  const std::vector<Triplet> entries =
      stored.layout < 0 ? compressed_entries(place, stored) : listed_entries(place, stored);
  SparseRows matrix(rows, columns);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

void write_number(const Handle& group, const std::string& name, std::int32_t value)
{
  hdf5::write_list<std::int32_t>(group, name, std::span(&value, 1));
}

void write_vector(const Handle& group, const std::string& name, const VectorXd& values)
{
  hdf5::write_list<double>(group, name, {values.data(), static_cast<std::size_t>(values.size())});
}

void write_matrix(const Handle& parent, const std::string& name, const SparseRows& matrix)
{
  Eigen::SparseMatrix<double, Eigen::ColMajor, std::int32_t> columns = matrix;
  columns.makeCompressed();
  const auto entries = static_cast<std::size_t>(columns.nonZeros());
  const Handle group = hdf5::create_group(parent, name);
  write_number(group, "m", static_cast<std::int32_t>(columns.rows()));
  write_number(group, "n", static_cast<std::int32_t>(columns.cols()));
  write_number(group, "nzmax", static_cast<std::int32_t>(entries));
  write_number(group, "nz", by_columns);
  hdf5::write_list<std::int32_t>(
      group, "p", {columns.outerIndexPtr(), static_cast<std::size_t>(columns.cols()) + 1});
  hdf5::write_list<std::int32_t>(group, "i", {columns.innerIndexPtr(), entries});
  hdf5::write_list<double>(group, "x", {columns.valuePtr(), entries});
}

// ---- problems -----------------------------------------------------------------------------------

int read_dimension(const FclibPlace& place)
{
  const int dimension = place.number("spacedim");
  if (dimension != 2 && dimension != 3)
    place.reject("spacedim", fmt::format("{}", dimension), "2 or 3");
  return dimension;
}

FrictionProblem read_local(const FclibPlace& place)
{
  for (const char* joint : {"V", "R"})
    if (hdf5::exists(place.group, joint))
      place.reject(joint, "a matrix of joints", "none: the global form (M, H, G) can have them");
  FrictionProblem problem;
  problem.dimension = read_dimension(place);
  const Handle group = place.open("vectors");
  const FclibPlace vectors{group, place.path + "/vectors"};
  problem.mu = vectors.vector("mu");
  problem.q = vectors.vector("q");
  problem.W = read_matrix(place, "W", problem.size(), problem.size());
  validate(problem);
  return problem;
}

GlobalForm read_global(const FclibPlace& place)
{
  GlobalForm problem;
  problem.dimension = read_dimension(place);
  const Handle group = place.open("vectors");
  const FclibPlace vectors{group, place.path + "/vectors"};
  problem.mu = vectors.vector("mu");
  problem.f = vectors.vector("f");
  problem.w = vectors.vector("w");
  const Eigen::Index n = problem.f.size();
  problem.M = read_matrix(place, "M", n, n);
  problem.H = read_matrix(place, "H", n, problem.dimension * problem.mu.size());
  if (hdf5::exists(place.group, "G")) {
    problem.b = vectors.vector("b");
    problem.G = read_matrix(place, "G", n, problem.b.size());
  }
  return problem;
}

FclibInfo read_info(const FclibPlace& place)
{
  if (!hdf5::exists(place.group, "info")) return {};
  const Handle group = place.open("info");
  const FclibPlace info{group, place.path + "/info"};
  return {info.text("title"), info.text("description"), info.text("math_info")};
}

void write_info(const Handle& parent, const FclibInfo& info)
{
  const Handle group = hdf5::create_group(parent, "info");
  hdf5::write_long_text(group, "title", info.title);
  hdf5::write_long_text(group, "description", info.description);
  hdf5::write_long_text(group, "math_info", info.math_info);
}

void write_problem(const Handle& root, const FrictionProblem& problem, const FclibInfo& info)
{
  const Handle group = hdf5::create_group(root, "fclib_local");
  write_number(group, "spacedim", problem.dimension);
  write_matrix(group, "W", problem.W);
  const Handle vectors = hdf5::create_group(group, "vectors");
  write_vector(vectors, "q", problem.q);
  write_vector(vectors, "mu", problem.mu);
  write_info(group, info);
}

void write_problem(const Handle& root, const GlobalForm& problem, const FclibInfo& info)
{
  const Handle group = hdf5::create_group(root, "fclib_global");
  write_number(group, "spacedim", problem.dimension);
  write_matrix(group, "M", problem.M);
  write_matrix(group, "H", problem.H);
  const Handle vectors = hdf5::create_group(group, "vectors");
  write_vector(vectors, "f", problem.f);
  write_vector(vectors, "w", problem.w);
  write_vector(vectors, "mu", problem.mu);
  if (problem.G.cols() > 0) {
    write_matrix(group, "G", problem.G);
    write_vector(vectors, "b", problem.b);
  }
  write_info(group, info);
}

// What is in a file, as it stands there.
struct FclibContent {
  std::variant<FrictionProblem, GlobalForm> problem;
  FclibInfo info;
};

FclibContent read_root(const Handle& root)
{
  const FclibPlace top{root, ""};
  for (const char* name : {"fclib_local", "fclib_global"}) {
    if (!hdf5::exists(root, name)) continue;
    const Handle group = top.open(name);
    const FclibPlace place{group, fmt::format("/{}", name)};
    if (std::string_view(name) == "fclib_local") return {read_local(place), read_info(place)};
    return {read_global(place), read_info(place)};
  }
  throw Error("found no friction problem, expected a group fclib_local or fclib_global");
}

}  // namespace

// What crosses from the process that reads. A matrix goes as its sizes and its triplets, which what
// arrives must fit.
template <class Archive>
void exchange(Archive& archive, SparseRows& matrix)
{
  struct Entry {
    int row, column;
    double value;
  };
  std::array<Eigen::Index, 2> size{matrix.rows(), matrix.cols()};
  std::vector<Entry> entries;
  for (int row = 0; row < matrix.outerSize(); ++row)
    for (SparseRows::InnerIterator it(matrix, row); it; ++it)
      entries.push_back({row, static_cast<int>(it.col()), it.value()});
  archive(size, entries);
  if constexpr (!Archive::reads) return;
  std::vector<Triplet> triplets;
  for (const Entry& e : entries) {
    if (e.row < 0 || e.row >= size[0] || e.column < 0 || e.column >= size[1])
      throw Error("found an entry outside of its matrix");
    triplets.emplace_back(e.row, e.column, e.value);
  }
  matrix = SparseRows(size[0], size[1]);
  matrix.setFromTriplets(triplets.begin(), triplets.end());
}

template <class Archive>
void exchange(Archive& archive, FrictionProblem& problem)
{
  archive(problem.dimension, problem.W, problem.q, problem.mu);
}

template <class Archive>
void exchange(Archive& archive, GlobalForm& problem)
{
  archive(problem.dimension, problem.M, problem.H, problem.G, problem.f, problem.w, problem.b,
          problem.mu);
}

template <class Archive>
void exchange(Archive& archive, FclibContent& content)
{
  bool local = std::holds_alternative<FrictionProblem>(content.problem);
  archive(local);
  if (local != std::holds_alternative<FrictionProblem>(content.problem))
    content.problem = GlobalForm();
  std::visit([&archive](auto& problem) { archive(problem); }, content.problem);
  archive(content.info.title, content.info.description, content.info.math_info);
}

bool is_hdf5(const fs::path& file)
{
  constexpr std::array<char, 8> signature{'\x89', 'H', 'D', 'F', '\r', '\n', '\x1a', '\n'};
  std::array<char, 8> start{};
  std::error_code error;
  if (!fs::is_regular_file(file, error))
    return false;  // a pipe would keep whoever opens it waiting
  std::ifstream stream(file, std::ios::binary);
  stream.read(start.data(), start.size());
  return stream && start == signature;
}

FclibFile read_fclib(const fs::path& file)
{
  ReaderProcess reader([&file](std::string_view) {
    const hdf5::Quiet quiet;
    FclibContent content = read_root(hdf5::open_to_read(file));
    ByteWriter writer;
    writer(content);
    return writer.take();
  });
  try {
    const std::string answer = reader.ask("");
    FclibContent content;
    ByteReader reading(answer);
    reading(content);
    if (const auto* global = std::get_if<GlobalForm>(&content.problem))
      return {contact_problem(*global), content.info};
    validate(std::get<FrictionProblem>(content.problem));
    return {std::get<FrictionProblem>(std::move(content.problem)), content.info};
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", file.string(), error.what()));
  }
}

void write_fclib(const fs::path& file, const FclibFile& content)
{
  const hdf5::Quiet quiet;
  AtomicFile target(file);
  const Handle memory = hdf5::create_in_memory(file);
  if (const auto* contact = std::get_if<ContactProblem>(&content.problem))
    write_problem(memory, global_form(*contact), content.info);
  else
    write_problem(memory, std::get<FrictionProblem>(content.problem), content.info);
  target.write(hdf5::image(memory));
  target.commit();
}

}  // namespace tact
