// Feeds bytes to the reader of scene files: the text of a scene, and behind a zero byte, if there
// is one, a change as --set takes it. Whatever they are, they must give a scene or one line of
// complaint.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <tact/core/error.hpp>
#include <tact/scene/scene_file.hpp>
#include <tact/setup/scene_builder.hpp>

namespace {

constexpr int small = 5000;  // vertices; what is larger is read, but not built

void read(const std::string& text, const std::vector<std::string>& patches)
{
  tact::SceneDescription scene = tact::read_scene_text("fuzz.json", text, patches);
  if (tact::size_of(scene).vertices > small) return;
  const tact::Scene built = tact::build_scene(scene);
  if (!built.state.q.allFinite() || !built.state.v.allFinite()) std::abort();
  // What was resolved reads as the same scene.
  if (tact::read_scene_text("again.json", scene.resolved).resolved != scene.resolved) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
  const std::string_view all(reinterpret_cast<const char*>(data), size);
  const std::size_t zero = all.find('\0');
  std::vector<std::string> patches;
  if (zero != all.npos) patches.emplace_back(all.substr(zero + 1));
  try {
    read(std::string(all.substr(0, zero)), patches);
  } catch (const tact::Error& error) {
    const std::string_view message = error.what();
    if (message.empty() || message.find('\n') != message.npos) std::abort();
  }
  return 0;
}
