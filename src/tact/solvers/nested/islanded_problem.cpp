#include <tact/solvers/nested/islanded_problem.hpp>

#include <fmt/core.h>

#include <tact/contact/judge.hpp>
#include <tact/core/error.hpp>
#include <tact/linalg/parallel.hpp>

namespace tact {

void IslandedProblem::begin(const ContactProblem& problem, int max_exact_nodes,
                            std::span<const BlockCholesky* const> factors)
{
  if (!problem.bilateral.empty())
    throw Error(fmt::format("contact problem: found {} bilateral rows, expected contacts only",
                            problem.bilateral.size()));
  if (!D.load(problem))
    throw Error("contact problem: a diagonal block of A is not positive definite");
  parts.begin(problem, D, max_exact_nodes, factors);
  sides.clear();
  scales.clear();
}

void IslandedProblem::append(const ContactProblem& problem)
{
  const int known = sides.contacts();
  if (problem.size() < known) throw Error("contact problem: contacts were removed since begin()");
  sides.append(problem, D, parts.component_of_node());
  scales.resize(problem.size());
  for_chunks(problem.size() - known, contacts_per_chunk, [&](int, int first, int last) {
    for (int c = known + first; c < known + last; ++c)
      scales[c] = response(problem, D, problem.contacts[c]);
  });
  parts.append(problem, sides, known);
  islands.find(sides, parts.size());
  part_at.assign(parts.size(), -1);
}

std::span<int> IslandedProblem::contacts_of(const Island& island)
{
  return std::span(islands.contacts).subspan(island.first_contact, island.contacts());
}

std::span<const int> IslandedProblem::components_of(const Island& island) const
{
  return std::span(islands.components)
      .subspan(island.first_component, island.last_component - island.first_component);
}

}  // namespace tact
