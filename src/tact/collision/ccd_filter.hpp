// Stages box, cubic and subdivision: proofs in plain double. What they leave undecided is `unsure`.
#pragma once

#include <tact/collision/ccd.hpp>
#include <tact/collision/ccd_polynomials.hpp>

namespace tact {

enum class Verdict { no, yes, unsure };

struct FilterAnswer {
  Verdict verdict = Verdict::unsure;
  CcdStage stage = CcdStage::subdivision;  // the one that decided; the last one tried if unsure
  double time = 0.0;  // yes: at most 5e-10 before the first contact, never after it
};

[[nodiscard]] FilterAnswer filter_contact(const CcdQuery& query, const FilterBounds& bounds = {});

}  // namespace tact
