// What runs inside of time steps must not allocate after its construction.
#include <doctest/doctest.h>

#include <atomic>
#include <cstddef>

#include <linalg/block_problems.hpp>
#include <tact/linalg/block_cholesky.hpp>
#include <tact/linalg/block_pcg.hpp>

extern "C" void* __libc_malloc(std::size_t size);
extern "C" void* __libc_memalign(std::size_t alignment, std::size_t size);

namespace {
std::atomic<long> allocations{0};
}

extern "C" void* malloc(std::size_t size)
{
  ++allocations;
  return __libc_malloc(size);
}

extern "C" void* aligned_alloc(std::size_t alignment, std::size_t size)
{
  ++allocations;
  return __libc_memalign(alignment, size);
}

extern "C" int posix_memalign(void** out, std::size_t alignment, std::size_t size)
{
  ++allocations;
  *out = __libc_memalign(alignment, size);
  return *out ? 0 : 12;  // ENOMEM
}

using namespace tact;

namespace {

template <class Work>
long allocations_of(const Work& work)
{
  const long before = allocations;
  work();
  return allocations - before;
}

}  // namespace

TEST_CASE("the counter counts")
{
  std::vector<double> some;  // kept in use: a compiler may leave out what nobody looks at
  LaneBuffer aligned;
  VectorXd more;
  const auto allocate = [&] {
    some.resize(1000);
    aligned.resize(1000);
    more.resize(1000);
  };
  CHECK(allocations_of(allocate) >= 3);
}

TEST_CASE("factorisations and solves do not allocate after the analysis")
{
  Random random(1);
  for (const SharedPattern& pattern : {tet_box(2, 2, 8), grid(32, 32)}) {
    const BlockMatrix A = random_spd(pattern, random);
    BlockCholesky cholesky(*pattern);
    VectorXd x = random_vector(A.size(), random);
    LaneBuffer y(8 * x.size(), 1.0);
    bool factored = false;
    CHECK(allocations_of([&] { factored = cholesky.factor(A); }) == 0);
    REQUIRE(factored);
    CHECK(allocations_of([&] { cholesky.solve(x); }) == 0);
    CHECK(allocations_of([&] { cholesky.solve_lower(y.data()); }) == 0);
    CHECK(allocations_of([&] { cholesky.solve_upper(y.data()); }) == 0);
  }
}

TEST_CASE("products and conjugate gradients do not allocate once prepared")
{
  Random random(2);
  const BlockMatrix A = random_spd(grid(32, 32), random);
  const VectorXd b = random_vector(A.size(), random);
  VectorXd x = b, y = b;
  BlockPcg pcg;
  REQUIRE(pcg.prepare(A));
  CHECK(allocations_of([&] { multiply(A, b, y); }) == 0);
  CHECK(allocations_of([&] { pcg.prepare(A); }) == 0);
  CHECK(allocations_of([&] { pcg.solve(A, b, x); }) == 0);
}
