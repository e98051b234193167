// What is said of figures: that nothing which was missed goes unsaid, and what was not recorded is
// not made up.
#include <doctest/doctest.h>

#include <tact/run/run_report.hpp>
#include <tact/run/verdict.hpp>

using namespace tact;

namespace {

// A frame of a sound step with contacts.
Frame sound_frame()
{
  Frame frame{.step = 12, .t = 0.06, .dt = 0.005};
  frame.certificate.clearance = 1e-3;
  frame.certificate.residual = 4e-4;
  frame.certificate.contacts = 5;
  frame.certificate.active = 4;
  frame.certificate.passes = 1;
  frame.account = {.steps = 3, .solves = 3, .clearance_min = 9e-4};
  return frame;
}

std::string bad_words(const FrameVerdict& verdict)
{
  std::string words;
  for (const Sentence& sentence : verdict.sentences)
    if (sentence.bad) words += sentence.text + " ";
  return words;
}

bool says(const std::string& text, const std::string& words)
{
  return text.find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("verdict: a step that kept what was asked is sound, and one that did not is not")
{
  Frame frame = sound_frame();
  CHECK(judge_frame(frame, 1e-3).good);
  CHECK_FALSE(judge_frame(frame, 3e-4).good);  // a residual above what was asked
  CHECK(says(bad_words(judge_frame(frame, 3e-4)), "hold to 0.0004 m/s (asked: 0.0003 m/s)"));
  CHECK(judge_frame(frame, std::nullopt).good);  // not recorded: nothing to hold it against
  frame.account.unconverged = 1;
  frame.account.missed_residual = 0.02;
  CHECK_FALSE(judge_frame(frame, 1e-3).good);
  CHECK(says(bad_words(judge_frame(frame, 1e-3)), "missed its tolerance in 1 of 3 solves"));
  frame.account.unconverged = 0;
  frame.account.cut_steps = 2;
  CHECK(says(bad_words(judge_frame(frame, 1e-3)), "The last resort had to end 2 of 3 steps"));
}

TEST_CASE("verdict: steps between frames are judged by what they counted")
{
  StepReport good, cut;
  good.solves = 1;
  good.clearance = 2e-3;
  cut.solves = 4;
  cut.unconverged = 2;
  cut.cut_steps = 3;  // parts of one step
  cut.missed_residual = 0.5;
  cut.momentum_loss = 0.25;
  cut.clearance = 1e-3;
  StepAccount account = account_of(good, 1, 0.01);
  CHECK_FALSE(account.missed());
  CHECK(miss_of(account, 1e-3).empty());
  account.add(account_of(cut, 2, 0.02));
  account.add(account_of(good, 3, 0.03));
  account.add(account_of(cut, 4, 0.04));
  CHECK(account.steps == 4);
  CHECK(account.cut_steps == 2);
  CHECK(account.clearance_min == 1e-3);
  CHECK(
      miss_of(account, 1e-3) ==
      "The solver missed its tolerance in 4 of 10 solves (worst residual 0.5 m/s, asked: 0.001 "
      "m/s); the last resort had to end 2 of 4 steps; first in step 2 at 0.02 s; a step lost up to "
      "0.25 of the momentum of what touches.");
}

TEST_CASE("verdict: islands may miss a tolerance that all contacts together keep")
{
  const StepAccount account{.steps = 1, .solves = 1, .unconverged = 1, .missed_residual = 5e-4};
  CHECK(says(miss_of(account, 1e-3), "some islands of contacts, all together 0.0005 m/s"));
  CHECK(says(miss_of(account, 1e-4), "worst residual 0.0005 m/s"));
}

TEST_CASE("verdict: what is not recorded is said to be so")
{
  Frame frame = sound_frame();
  frame.account = {};
  frame.certificate.unconverged = 2;
  const FrameVerdict verdict = judge_frame(frame, std::nullopt);
  CHECK_FALSE(verdict.good);
  CHECK(says(bad_words(verdict),
             "missed its tolerance in 2 solves (worst residual 0.0004 m/s, "
             "what was asked is not recorded)"));
}

TEST_CASE("totals come back from a checkpoint to the last bit")
{
  RunTotals totals;
  StepReport step;
  step.solves = 7;
  step.unconverged = 1;
  step.missed_residual = 0.1 / 3.0;
  step.momentum_loss = 1.0 / 7.0;
  step.energy_gain = 1e-300;
  step.clearance = 1e-3;
  step.passes = 3;
  step.islands = 2;
  step.audit = {.regions = 4, .difference = 0.1};
  totals.add(step, account_of(step, 5, 0.05), 0.01);
  const RunTotals back = totals_from(to_array(totals));
  CHECK(back.account == totals.account);
  CHECK(back.unrecorded == totals.unrecorded);
  CHECK(back.cmr_passes == totals.cmr_passes);
  CHECK(back.simulated_seconds == totals.simulated_seconds);
  CHECK(back.audit.regions == 4);
  CHECK(back.audit.difference == 0.1);
}
