// Recordings as one page.
#include <doctest/doctest.h>

#include <files/temporary_folder.hpp>
#include <recording/sample.hpp>
#include <tact/files/text_file.hpp>
#include <tact/recording/recording_writer.hpp>
#include <tact/viewer/export_html.hpp>
#include <tact/viewer/page.hpp>

namespace tact {
namespace {

// A sheet of side x side vertices that falls, folds and ripples, with contacts all over it: a
// motion that no two neighbours share.
Recording folding_sheet(const std::filesystem::path& folder, int side, int frames)
{
  RecordingHeader header = sample_header(side);
  header.bodies = {header.bodies[1]};
  header.bodies[0].first_vertex = header.bodies[0].q_first = header.bodies[0].v_first = 0;
  RecordingWriter writer = RecordingWriter::create(folder, header);
  Random random(5);
  for (int k = 0; k < frames; ++k) {
    const double t = k / 60.0;
    Frame frame;
    frame.step = k;
    frame.t = t;
    frame.dt = 1.0 / 60.0;
    for (int i = 0; i < side; ++i)
      for (int j = 0; j < side; ++j) {
        const double u = 1.0 * i / side, w = 1.0 * j / side;
        const double fold = 0.1 * std::sin(25.0 * u + 7.0 * t) * std::sin(19.0 * w - 5.0 * t);
        frame.vertices.push_back(
            Vector3d(u + 0.3 * fold, 1.0 - 0.2 * t + fold, w * std::cos(fold)) +
            random.in_cube(5e-5));
      }
    frame.q.setZero(header.q_size());
    frame.v.setZero(header.v_size());
    for (int c = 0; c < 1500; ++c) {
      RecordedContact contact;
      contact.body_b = 0;
      contact.point = frame.vertices[random.below(side * side)];
      contact.normal = random.in_cube(1.0).normalized();
      contact.normal_impulse = random.uniform();
      contact.mu = 0.3;
      frame.contacts.push_back(contact);
    }
    writer.append(std::move(frame));
  }
  writer.finish();
  return Recording::open(folder);
}

TEST_SUITE("slow")
{
  TEST_CASE("240 frames of 10000 vertices make a page of less than 8 MB")
  {
    if (compressed_page().empty()) {
      MESSAGE("skipped: tact was built without the page");
      return;
    }
    const TemporaryFolder folder;
    const Recording recording = folding_sheet(folder.path() / "run", 100, 240);
    ExportJob job{.recording = recording, .frames = select_frames("", recording.frame_count())};
    job.folder = folder.path() / "html";
    const auto files = html_format().write(job);
    REQUIRE(files.size() == 1);
    const auto bytes = std::filesystem::file_size(files[0]);
    MESSAGE("bytes: ", bytes);
    CHECK(bytes < 8'000'000);
  }
}

TEST_CASE("an exported page is the page with the recording in its place and nothing from elsewhere")
{
  if (compressed_page().empty()) {
    MESSAGE("skipped: tact was built without the page");
    return;
  }
  const TemporaryFolder folder;
  const Recording recording = folding_sheet(folder.path() / "run", 6, 3);
  ExportJob job{.recording = recording, .frames = {0, 2}};
  job.folder = folder.path() / "html";
  const std::string text = read_text(html_format().write(job).at(0));
  CHECK(text.starts_with("<!doctype html>"));
  CHECK(text.find("<script id=\"recording\"") != std::string::npos);
  CHECK(text.find("<!-- recording -->") == std::string::npos);
  for (const char* outside : {"<script src", "<link rel=\"stylesheet\"", "@import"})
    CHECK(text.find(outside) == std::string::npos);
}

}  // namespace
}  // namespace tact
