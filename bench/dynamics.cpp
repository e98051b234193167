#include <bench/dynamics.hpp>

#include <algorithm>
#include <functional>
#include <map>
#include <thread>

#include <fmt/core.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <Eigen/Geometry>

#include <bench/cpu_timer.hpp>
#include <bench/statistics.hpp>
#include <tact/bodies/soft_solid.hpp>
#include <tact/core/error.hpp>
#include <tact/core/random.hpp>
#include <tact/core/timer.hpp>
#include <tact/files/text_file.hpp>
#include <tact/samples/glyphs.hpp>
#include <tact/sim/dynamics_solver.hpp>
#include <tact/sim/stepper.hpp>

namespace tact {
namespace {

constexpr double dt = 0.03;  // s, as in [Otaduy09] fig. 7

// Letters of the alphabet in turn, each shaken by a millimetre and sent spinning, so that every
// element has a rotation and a strain of its own.
class FallingLetters {
 public:
  explicit FallingLetters(int count)
      : world_(make_world(count, tetrahedra_)), state_(world_.start())
  {
    Random random(1);
    for (double& x : state_.q) x += random.uniform(-1e-3, 1e-3);
    for (int i = 0; i < world_.body_count(); ++i) {
      const Vector3d spin = random.in_cube(5.0);  // rad/s
      const Vector3d centre = world_.body(i).centre_of_mass(world_.q(state_, i));
      const int first = 3 * world_.place(i).node;
      for (int k = 0; k < world_.body(i).v_size(); k += 3)
        state_.v.segment<3>(first + k) =
            spin.cross(Vector3d(state_.q.segment<3>(world_.place(i).q + k)) - centre);
    }
  }

  const World& world() const { return world_; }
  const State& state() const { return state_; }
  int tetrahedra() const { return tetrahedra_; }

  void advance(const VectorXd& v)
  {
    tact::advance(world_, state_, v, dt, end_);
    std::swap(state_, end_);
  }

 private:
  static World make_world(int count, int& tetrahedra)
  {
    std::map<char32_t, Lattice> alphabet;
    WorldBuilder builder;
    for (int k = 0; k < count; ++k) {
      const char32_t letter = U'A' + static_cast<char32_t>(k % 26);
      auto known = alphabet.find(letter);
      if (known == alphabet.end()) known = alphabet.emplace(letter, make_soft_letter(letter)).first;
      SoftOptions options;
      options.mesh = known->second.solid;
      options.surface = known->second.surface;
      options.fill = known->second.fill;
      options.young = 1e5;
      options.stiffness_damping = 0.01;
      const int row = k / 13, column = k % 13;
      for (Vector3d& p : options.mesh.positions) p += Vector3d(0.15 * column, 0.15 * row, 0.0);
      tetrahedra += options.mesh.tetrahedron_count();
      builder.add(make_soft_body(fmt::format("letter{}", k), std::move(options)));
    }
    return builder.build();
  }

  int tetrahedra_ = 0;
  World world_;
  State state_, end_;
};

struct Stopwatch {
  int threads;

  // Wall time, or processor time where one thread does all.
  double ms(const std::function<void()>& work) const
  {
    const Timer wall;
    const CpuTimer processor;
    work();
    return 1e3 * (threads == 1 ? processor.seconds() : wall.seconds());
  }
};

DynamicsRow measure(int letters, int threads, int steps)
{
  FallingLetters scene(letters);
  const World& world = scene.world();
  const int parts = static_cast<int>(world.components().size());
  Lineariser lineariser(world);
  DynamicsSolver solver(world);
  std::vector<BlockCholesky> factors;
  for (const Component& component : world.components()) factors.emplace_back(*component.pattern);
  std::vector<BlockMatrix> A;
  std::vector<VectorXd> x(parts);
  VectorXd b, v = scene.state().v;
  std::vector<double> assembly, factor, solve, step;
  DynamicsRow row{.letters = letters, .threads = threads, .tetrahedra = scene.tetrahedra()};
  row.nodes = world.node_count();
  const Stopwatch watch{threads};
  for (int k = 0; k <= steps; ++k) {  // the first warms up
    assembly.push_back(watch.ms([&] { lineariser.linearise(scene.state(), dt, A, b); }));
    for (int i = 0; i < parts; ++i)
      x[i] = b.segment(3 * world.components()[i].first_node, A[i].size());
    factor.push_back(watch.ms(
        [&] { tbb::parallel_for(0, parts, [&](int i) { (void)factors[i].factor(A[i]); }); }));
    solve.push_back(
        watch.ms([&] { tbb::parallel_for(0, parts, [&](int i) { factors[i].solve(x[i]); }); }));
    step.push_back(watch.ms([&] {
      lineariser.linearise(scene.state(), dt, A, b);
      (void)solver.solve(A, b, v);
      scene.advance(v);
    }));
    row.momentum_error = std::max(row.momentum_error, momentum_error(A, v, b));
    VectorXd apart(v.size());  // what was timed in parts is the same solve
    for (int i = 0; i < parts; ++i)
      apart.segment(3 * world.components()[i].first_node, x[i].size()) = x[i];
    if (apart != v)
      throw Error(
          fmt::format("bench dynamics: step {} of {} letters: two ways to solve one system "
                      "differ by {:g} m/s",
                      k, letters, (apart - v).lpNorm<Eigen::Infinity>()));
  }
  const auto median_of_later = [](std::vector<double> times) {
    times.erase(times.begin());
    return median(std::move(times));
  };
  row.assembly_ms = median_of_later(assembly);
  row.factor_ms = median_of_later(factor);
  row.solve_ms = median_of_later(solve);
  row.step_ms = median_of_later(step);
  return row;
}

}  // namespace

std::vector<DynamicsRow> measure_dynamics(const BenchOptions& options)
{
  const int all_threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  const int steps = options.quick ? 5 : 100;
  std::vector<DynamicsRow> rows;
  for (const int letters : options.quick ? std::vector{13, 26} : std::vector{41, 82, 164, 328}) {
    for (const int threads : {1, all_threads}) {
      if (threads == 1 && !rows.empty() && rows.back().letters == letters) continue;  // one core
      if (!options.quiet)
        fmt::print(stderr, "bench dynamics: {} letters, {} threads\n", letters, threads);
      tbb::task_arena(threads).execute([&] { rows.push_back(measure(letters, threads, steps)); });
    }
  }
  return rows;
}

int run_dynamics_bench(const BenchOptions& options)
{
  const std::vector<DynamicsRow> rows = measure_dynamics(options);
  if (!options.json_file.empty()) write_text(options.json_file, dynamics_json(rows));
  if (!options.plot_file.empty()) write_text(options.plot_file, dynamics_plot(rows));
  fmt::print("{}", dynamics_table(rows));
  const std::vector<Claim> claims = dynamics_claims(rows);
  return exit_code(claims, options.quick);
}

}  // namespace tact
