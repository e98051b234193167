#pragma once

#include <memory>
#include <stdexcept>

#include <tact/contact/contact_problem.hpp>

namespace tact {

// The input was right, but a step could not be computed. The message names step, time and bodies;
// the contact problem that could not be solved comes along, where there is one.
class StepError : public std::runtime_error {
 public:
  explicit StepError(const std::string& message, std::shared_ptr<const ContactProblem> problem = {})
      : std::runtime_error(message), problem_(std::move(problem))
  {
  }

  const std::shared_ptr<const ContactProblem>& problem() const { return problem_; }

 private:
  std::shared_ptr<const ContactProblem> problem_;
};

}  // namespace tact
