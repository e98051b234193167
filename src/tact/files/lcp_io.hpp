// LCP, MLCP and BLCP files: NAME.json beside NAME.M.mtx and NAME.q.mtx (docs/files.md).
#pragma once

#include <filesystem>

#include <tact/files/json_reader.hpp>
#include <tact/lcp/lcp_problem.hpp>

namespace tact {

// M is stored dense (8 n^2 bytes) and solvers factor it, so larger claims are refused at the door.
inline constexpr int max_lcp_size = 5000;

LcpProblem read_lcp(const std::filesystem::path& file);

// The same from a document already open; matrix files are found relative to its folder.
LcpProblem read_lcp(const JsonValue& root);

// Writes NAME.M.mtx and NAME.q.mtx, then NAME.json, which thus never names what is not there.
// Loses nothing: reading gives the same bits.
void write_lcp(const std::filesystem::path& file, const LcpProblem& problem);

}  // namespace tact
