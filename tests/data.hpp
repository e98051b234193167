// Where the shared test data lies: $TACT_DATA, or beside the checkout. Tests that need it start
// with
//   const auto folder = tact::test_data("lcp");
//   if (!folder) return;
// and are reported as skipped where it is absent.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

#include <doctest/doctest.h>

namespace tact {

inline std::optional<std::filesystem::path> test_data(const std::string& folder)
{
  const char* given = std::getenv("TACT_DATA");
  const std::filesystem::path path =
      std::filesystem::path(given ? given : TACT_DEFAULT_DATA) / folder;
  if (std::filesystem::is_directory(path)) return path;
  MESSAGE("skipped: no test data in ", path.string());  // CTest reads "skipped: "
  return std::nullopt;
}

}  // namespace tact
