// The front door: the names that most programs need.
//
//   read_scene, build_scene, Scene          a scene file or a built-in scene, and what it makes
//   WorldBuilder, World, State              bodies in C++: constant in a step, and what changes
//   make_rigid_body, make_cloth_body, make_soft_body, make_obstacle
//   make_stepper                            steps a scene by its own settings
//   Stepper, StepOptions, StepResult        a step, and all that can be asked of it
//   run, RunSettings                        a run into a folder: recording, checkpoint, report
//   ContactProblem, solve_contact           one contact problem by any method of the table
//   add_contact_method                      a method of one's own
//   Error                                   what is wrong with the input, in one line
#pragma once

#include <tact/bodies/cloth.hpp>
#include <tact/bodies/obstacle.hpp>
#include <tact/bodies/rigid_body.hpp>
#include <tact/bodies/soft_solid.hpp>
#include <tact/contact/contact_problem.hpp>
#include <tact/core/error.hpp>
#include <tact/run/run.hpp>
#include <tact/scene/scene_file.hpp>
#include <tact/setup/scene_builder.hpp>
#include <tact/setup/step_options.hpp>
#include <tact/sim/stepper.hpp>
#include <tact/solvers/solvers.hpp>
