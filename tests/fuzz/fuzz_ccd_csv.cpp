// Feeds bytes to the readers of motion queries and of contact times: the first tells which, the
// rest is the file. Bad text must give one line of complaint. What is read must be answered, and
// the answer must not depend on the direction of time.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <tact/collision/ccd.hpp>
#include <tact/collision/ccd_families.hpp>
#include <tact/core/error.hpp>
#include <tact/files/ccd_io.hpp>
#include <tact/files/ccd_times.hpp>

namespace {

constexpr std::string_view file_name = "fuzz";
constexpr std::size_t answered = 2;  // queries: extreme coordinates may take milliseconds each

void read_and_answer(tact::CcdKind kind, std::string_view content)
{
  const auto queries = tact::parse_ccd_queries(content, kind, file_name);
  for (std::size_t i = 0; i < std::min(queries.size(), answered); ++i) {
    const tact::CcdQuery& query = queries[i].query;
    const tact::ContactTime forward = tact::contact(query);
    const tact::ContactTime backward = tact::contact(tact::time_reversed(query));
    if (forward.contact != backward.contact) std::abort();
    // The first contact of one direction is not after the last, which is the first of the other.
    if (forward.contact && forward.time > 1.0 - backward.time + 2e-9) std::abort();
  }
}

void read(std::uint8_t what, std::string_view content)
{
  switch (what % 3) {
    case 0: return read_and_answer(tact::CcdKind::vertex_face, content);
    case 1: return read_and_answer(tact::CcdKind::edge_edge, content);
    case 2: (void)tact::parse_reference_times(content, file_name);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
  if (size == 0) return 0;
  const std::string_view content(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    read(data[0], content);
  } catch (const tact::Error& error) {
    const std::string_view message = error.what();
    const bool by_reader = message.starts_with("fuzz: ");
    if (!by_reader || message.find('\n') != std::string_view::npos) std::abort();
  }
  return 0;
}
