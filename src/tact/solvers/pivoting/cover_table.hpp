// Fixed random covering vectors for pivoting methods: the same numbers in every run.
#pragma once

namespace tact {

// (c_n, c_1, c_2) with c_n in [1, 2) and |(c_1, c_2)| <= 0.3, for index 0, 1, 2, ... (repeats after
// 1024). Random ones make ties impossible while z0 > 0; tangential parts of 0.03 or less tie
// sticking contacts and end most tall stacks early.
const double* cover_vector(int index);

}  // namespace tact
