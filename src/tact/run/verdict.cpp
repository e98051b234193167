#include <tact/run/verdict.hpp>

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace tact {
namespace {

constexpr double told_cone = 1e-9;  // N s: less is round-off
// Less of momentum and energy is what any step leaves: not worth a word.
constexpr double told_momentum = 1e-9;
constexpr double told_energy = 1e-9;  // J

std::string count_of(std::int64_t count, const char* one, const char* many)
{
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string share_of(std::int64_t count, std::int64_t all, const char* one, const char* many)
{
  if (all < count || all == 0) return count_of(count, one, many);  // not recorded
  return fmt::format("{} of {}", count, count_of(all, one, many));
}

std::string asked_words(std::optional<double> tolerance)
{
  return tolerance ? fmt::format("asked: {:.3g} m/s", *tolerance)
                   : "what was asked is not recorded";
}

std::string unconverged_words(const StepAccount& account, std::optional<double> tolerance)
{
  // An island may be above the tolerance where all contacts together are not.
  const bool together = tolerance && account.missed_residual <= *tolerance;
  return fmt::format("the solver missed its tolerance in {} ({} {:.3g} m/s, {})",
                     share_of(account.unconverged, account.solves, "solve", "solves"),
                     together ? "some islands of contacts, all together" : "worst residual",
                     account.missed_residual, asked_words(tolerance));
}

std::string cut_words(const StepAccount& account)
{
  return fmt::format("the last resort had to end {}",
                     share_of(account.cut_steps, account.steps, "step", "steps"));
}

std::string cost_words(const StepAccount& account)
{
  std::string text;
  if (account.momentum_loss_max > told_momentum)
    text += fmt::format("; a step lost up to {:.3g} of the momentum of what touches",
                        account.momentum_loss_max);
  if (account.energy_gain_max > told_energy)
    text += fmt::format("; a step gained up to {:.3g} J from nowhere", account.energy_gain_max);
  return text;
}

Sentence residual_sentence(const FrameCertificate& certificate, std::optional<double> tolerance)
{
  // The judge's own sums may differ from the solver's by round-off.
  const bool missed = tolerance && certificate.residual > *tolerance * (1.0 + 1e-9);
  return {fmt::format("The laws of contact and motion hold to {:.3g} m/s ({}).",
                      certificate.residual, asked_words(tolerance)),
          missed};
}

void add_contact_sentences(const FrameCertificate& c, std::optional<double> tolerance,
                           std::vector<Sentence>& sentences)
{
  if (c.contacts == 0) {
    sentences.push_back({"Nothing is in contact."});
    return;
  }
  sentences.push_back({fmt::format("{} in the problem, {} of them push.",
                                   count_of(c.contacts, "contact", "contacts"), c.active)});
  sentences.push_back(residual_sentence(c, tolerance));
  const bool leaves = c.cone_violation > told_cone;
  sentences.push_back(
      {leaves ? fmt::format("Friction leaves its cone by {:.3g} N s.", c.cone_violation)
              : "Friction stays within its cone.",
       leaves});
  sentences.push_back({fmt::format("Momentum is kept to {:.3g} m/s.", c.momentum)});
}

}  // namespace

StepAccount account_of(const Frame& frame)
{
  if (frame.account.steps > 0 || frame.step == 0) return frame.account;
  const FrameCertificate& c = frame.certificate;
  StepAccount account{.steps = 1,
                      .unconverged = c.unconverged,
                      .cut_steps = c.cut > 0 ? 1 : 0,
                      .halvings = c.halvings,
                      .missed_residual = c.unconverged > 0 ? c.residual : 0.0,
                      .clearance_min = c.clearance};
  if (account.missed()) {
    account.first_missed = frame.step;
    account.first_missed_t = frame.t;
  }
  return account;
}

std::string miss_of(const StepAccount& account, std::optional<double> tolerance)
{
  if (!account.missed()) return "";
  std::string text;
  if (account.unconverged > 0) text = unconverged_words(account, tolerance);
  if (account.cut_steps > 0) text += (text.empty() ? "" : "; ") + cut_words(account);
  if (account.steps > 1)
    text +=
        fmt::format("; first in step {} at {:.4g} s", account.first_missed, account.first_missed_t);
  text += cost_words(account);
  text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return text + ".";
}

FrameVerdict judge_frame(const Frame& frame, std::optional<double> tolerance)
{
  if (frame.step == 0) return {.good = true, .summary = "The start: nothing has moved yet."};
  const FrameCertificate& c = frame.certificate;
  FrameVerdict verdict;
  std::vector<Sentence>& sentences = verdict.sentences;
  if (c.clearance > 0.0)
    sentences.push_back({fmt::format("No surfaces touch: at least {:.3g} mm are between any two.",
                                     1e3 * c.clearance)});
  add_contact_sentences(c, tolerance, sentences);
  sentences.push_back({fmt::format(
      "{} of refinement, {}.", count_of(c.passes, "pass", "passes"),
      c.halvings == 0 ? "no halving of the step"
                      : count_of(c.halvings, "halving", "halvings") + " of the step")});
  if (std::string miss = miss_of(account_of(frame), tolerance); !miss.empty())
    sentences.push_back({std::move(miss), true});
  verdict.good = std::ranges::none_of(sentences, &Sentence::bad);
  verdict.summary =
      verdict.good ? "Sound: all that was asked holds." : "Not all that was asked holds.";
  return verdict;
}

}  // namespace tact
