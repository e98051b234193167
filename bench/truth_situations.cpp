#include <bench/truth_situations.hpp>

#include <string>

#include <tact/samples/masonry_arch.hpp>
#include <tact/scene/scene_file.hpp>
#include <tact/setup/scene_builder.hpp>
#include <tact/setup/step_options.hpp>
#include <tact/sim/stepper.hpp>

namespace tact {
namespace {

ContactProblem problem_after(const World& world, const StepOptions& options, double dt, int steps)
{
  Stepper stepper(world, options);
  State state = world.start();
  for (int k = 0; k < steps; ++k) (void)stepper.step(state, dt);
  return stepper.last().problem;
}

ContactProblem of_scene(const char* name, const std::vector<std::string>& patches, int steps)
{
  const Scene scene = build_scene(read_scene(name, patches));
  return problem_after(scene.world, step_options(scene.run), scene.run.dt, steps);
}

ContactProblem of_arch(int steps)
{
  const MasonryArch arch;
  StepOptions options;
  options.contact.delta = arch.joint;
  options.contact.solver.tolerance = 1e-4;
  return problem_after(masonry_arch(arch), options, 0.01, steps);
}

}  // namespace

std::vector<TruthSituation> truth_situations()
{
  return {
      {"slope",
       [] {
         return of_scene("block-on-slope", {"/angle=26.5", "/mu=0.5"}, 20);
       }},
      {"stick-slip",
       [] {
         return of_scene("table-incline",
                         {"/integrator=implicit", "/angle=15", "/height=0.24", "/drop=0.005"}, 60);
       }},
      {"stack-1000:1", [] { return of_scene("mass-ratio", {}, 20); }},
      {"masonry-arch", [] { return of_arch(5); }},
      {"peg-in-hole", [] { return of_scene("peg-in-hole", {}, 10); }},
      {"cloth-pinch", [] { return of_scene("pinch-lift", {"/vertices=13"}, 60); }},
  };
}

}  // namespace tact
