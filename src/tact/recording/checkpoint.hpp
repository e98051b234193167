// Everything that a run needs to go on as if it had never stopped, bit for bit.
//
//   DIR/checkpoint.bin       the newest
//   DIR/checkpoint.old.bin   the one before it
//
// A checkpoint is written beside its place, forced to the disk and renamed, so that a kill at any
// moment leaves a good one. Order in a run: RecordingWriter::commit(), then write_checkpoint(). A
// run that starts anew in a folder calls remove_checkpoints() first.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <tact/core/types.hpp>

namespace tact {

// What the stepper or the report wants to keep, in whichever form suits it; or in both.
struct NamedArray {
  std::string name;
  std::vector<double> doubles;
  std::vector<std::uint8_t> bytes;

  bool operator==(const NamedArray&) const = default;
};

struct Checkpoint {
  std::int64_t step = 0;
  double t = 0.0;  // s
  int frames = 0;  // recorded until then; the recording is resumed after these
  VectorXd q = {};
  VectorXd v = {};
  std::vector<NamedArray> extra = {};
  std::string scene_json = {};  // the scene as it was run: a resumed run compares it with its own
};

// The array of that name; Error when there is none.
const NamedArray& array(const Checkpoint& checkpoint, std::string_view name);

// What the file holds, and back. Throws Error for bytes that are no checkpoint, torn or damaged.
std::string to_bytes(const Checkpoint& checkpoint);
Checkpoint checkpoint_from(std::string_view bytes);

// Makes the folder where there is none. Throws WriteError when the disk fails or is full; the
// checkpoints that were there are then still there.
void write_checkpoint(const std::filesystem::path& folder, const Checkpoint& checkpoint);

bool has_checkpoint(const std::filesystem::path& folder);

// The newest that is whole. Error when there is none: absent, torn, or not a checkpoint.
Checkpoint read_checkpoint(const std::filesystem::path& folder);

void remove_checkpoints(const std::filesystem::path& folder);

}  // namespace tact
