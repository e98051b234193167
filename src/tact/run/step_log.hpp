// DIR/steps.csv: what every step of a run cost and how good it is, one line each. Recordings have
// no times of computing in them, so that they are the same on every machine.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <tact/sim/step_report.hpp>

namespace tact {

struct LoggedStep {
  std::int64_t step = 0;
  double t = 0.0;  // s, at its end
  int contacts = 0;
  int passes = 0;
  int halvings = 0;
  double residual = 0.0;                  // m/s
  int unconverged = 0;                    // solves
  int cut = 0;                            // parts of the step that the last resort ended
  double kinetic = 0.0, potential = 0.0;  // J, at its end
  double momentum_loss = 0.0;             // of that of what touches
  double energy_gain = 0.0;               // J
  PhaseSeconds phases;
  double output = 0.0;  // s
};

class StepLog {
 public:
  explicit StepLog(std::filesystem::path file) : file_(std::move(file)) {}

  void start();                         // a new run: what a former one left goes away
  void go_on_after(std::int64_t step);  // a resumed run: lines of later steps go away
  void add(const LoggedStep& step);
  void commit();  // appends the lines since the last time. Throws WriteError when the disk fails

 private:
  std::filesystem::path file_;
  std::string lines_;
};

// Throws Error when the file is not there or no such log. A last line that a kill cut off is left
// out.
std::vector<LoggedStep> read_step_log(const std::filesystem::path& file);

}  // namespace tact
