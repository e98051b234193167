// Recordings in the formats of other programs. Each file is written beside its place and renamed.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tact/recording/recording.hpp>

namespace tact {

struct ExportJob {
  const Recording& recording;
  std::vector<int> frames = {};                             // ascending, at least one
  std::filesystem::path folder = {};                        // made where it is missing
  std::function<void(int frame)> begin_frame = [](int) {};  // told as the work goes on
};

struct ExportFormat {
  std::string_view name;
  std::string_view summary;
  // Returns the files that it wrote. Throws WriteError when the disk fails or is full.
  std::vector<std::filesystem::path> (*write)(const ExportJob& job);
};

std::span<const ExportFormat> export_formats();

// The one of that name among these. Throws Error with the nearest spelling when there is none.
const ExportFormat& export_format(std::string_view name,
                                  std::span<const ExportFormat> formats = export_formats());

// "obj, ply or glb": the names of some formats.
std::string names_of(std::span<const ExportFormat> formats);

// "A:B:K" means what it does in Python: from A, to before B, each K-th; parts may be left out, and
// negative numbers count from the end. "A" is one frame, "" all of them. Error when it is none of
// these, or when it selects nothing.
std::vector<int> select_frames(std::string_view selection, int frame_count);

}  // namespace tact
