#include <filesystem>

#include <doctest/doctest.h>
#include <hdf5.h>

#include <files/messages.hpp>
#include <files/temporary_folder.hpp>
#include <recording/frames.hpp>
#include <tact/core/error.hpp>

using namespace tact;
namespace fs = std::filesystem;

namespace {

void check_same(const RecordedBody& a, const RecordedBody& b)
{
  CHECK(a.name == b.name);
  CHECK(a.kind == b.kind);
  CHECK(a.first_vertex == b.first_vertex);
  CHECK(a.vertex_count == b.vertex_count);
  CHECK(a.triangles == b.triangles);
  CHECK(a.q_first == b.q_first);
  CHECK(a.q_size == b.q_size);
  CHECK(a.v_first == b.v_first);
  CHECK(a.v_size == b.v_size);
  CHECK(a.masses == b.masses);
}

// What is wrong with a recording that is opened and read to its end.
std::string complaint(const fs::path& path)
{
  return message_of([&path] {
    const Recording recording = Recording::open(path);
    for (int k = 0; k < recording.frame_count(); ++k) recording.frame(k);
  });
}

}  // namespace

TEST_CASE("a recording comes back bit for bit, while it grows and when it is finished")
{
  const TemporaryFolder folder;
  RecordingWriter writer = RecordingWriter::create(folder.path(), sample_header());
  write_frames(writer, 0, 3);
  writer.commit();
  write_frames(writer, 3, 4);
  check_frames(Recording::open(folder.path()), 3);
  writer.commit();
  write_frames(writer, 4, 9);
  CHECK(writer.committed_count() == 4);
  CHECK(writer.frame_count() == 9);
  const Recording growing = Recording::open(folder.path() / "recording.h5");
  check_frames(growing, 4);
  CHECK_FALSE(growing.finished());
  writer.finish();
  const Recording recording = Recording::open(folder.path());
  check_frames(recording, 9);
  CHECK(recording.finished());
  CHECK_FALSE(fs::exists(folder.path() / "segments"));
}

TEST_CASE("the header of a recording comes back")
{
  const TemporaryFolder folder;
  const RecordingHeader header = sample_header();
  make_recording(folder.path(), header, 1);
  const RecordingHeader read = Recording::open(folder.path()).header();
  CHECK(read.scene == header.scene);
  CHECK(read.version == header.version);
  CHECK(read.seed == header.seed);
  CHECK(read.dt == header.dt);
  CHECK(read.gravity == header.gravity);
  CHECK(read.contact_distance == header.contact_distance);
  CHECK(read.friction == header.friction);
  CHECK(read.tolerance == header.tolerance);
  CHECK(read.format == recording_format);
  CHECK(read.scene_json == header.scene_json);
  REQUIRE(read.bodies.size() == header.bodies.size());
  for (std::size_t i = 0; i < read.bodies.size(); ++i) check_same(read.bodies[i], header.bodies[i]);
}

TEST_CASE("numbers that are not finite and signed zeros are stored as they are")
{
  const TemporaryFolder folder;
  RecordingWriter writer = RecordingWriter::create(folder.path(), sample_header());
  Frame frame = sample_frame(writer.header(), 0);
  frame.q[0] = std::numeric_limits<double>::quiet_NaN();
  frame.q[1] = -std::numeric_limits<double>::infinity();
  frame.v[0] = -0.0;
  frame.v[1] = std::numeric_limits<double>::denorm_min();
  writer.append(frame);
  writer.finish();
  CHECK(same_bits(Recording::open(folder.path()).frame(0), frame));
}

TEST_CASE("a recording may lack bodies, contacts and texts")
{
  const TemporaryFolder folder;
  RecordingWriter writer = RecordingWriter::create(folder.path(), {.dt = 0.5});
  writer.append({.t = 0.25});
  writer.finish();
  const Recording recording = Recording::open(folder.path());
  CHECK(recording.header().scene.empty());
  CHECK(recording.header().scene_json.empty());
  REQUIRE(recording.frame_count() == 1);
  CHECK(recording.frame(0).t == 0.25);
  CHECK(recording.frame(0).vertices.empty());
}

TEST_CASE("the same frames give the same file however they were committed")
{
  const TemporaryFolder once, often;
  const RecordingHeader header = sample_header(30);
  make_recording(once.path(), header, 10);
  RecordingWriter writer = RecordingWriter::create(often.path(), header);
  for (int k = 0; k < 10; ++k) {
    write_frames(writer, k, k + 1);
    if (k % 3 != 1) writer.commit();
  }
  writer.finish();
  CHECK((bytes_of(once.path() / "recording.h5") == bytes_of(often.path() / "recording.h5")));
}

TEST_CASE("frames that are not there are told by number")
{
  const TemporaryFolder folder;
  make_recording(folder.path(), sample_header(), 2);
  const Recording recording = Recording::open(folder.path());
  for (const int k : {-1, 2})
    check_complaint(message_of([&] { recording.frame(k); }), "recording.h5", std::to_string(k),
                    "expected 0 to 1");
}

TEST_CASE("a folder without a recording is told")
{
  const TemporaryFolder folder;
  check_complaint(complaint(folder.path()), folder.path().string(), "recording.h5", "no recording");
  check_complaint(complaint(folder.path() / "absent"), "absent", "", "no such folder");
}

TEST_CASE("a truncated recording is told at every length and never read")
{
  const TemporaryFolder folder;
  make_recording(folder.path(), sample_header(), 3);
  const fs::path file = folder.path() / "recording.h5";
  const std::string whole = bytes_of(file);
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{8}, std::size_t{50},
                                 std::size_t{100}, whole.size() / 3, whole.size() - 1}) {
    CAPTURE(size);
    folder.file("recording.h5", whole.substr(0, size));
    check_complaint(complaint(folder.path()), "recording.h5", "", "damaged");
  }
}

TEST_CASE("files of another kind are told apart from damaged ones")
{
  const TemporaryFolder folder;
  folder.file("recording.h5", "frame,time\n0,0\n");
  check_complaint(complaint(folder.path()), "recording.h5", "", "HDF5");
  const fs::path foreign = folder.path() / "foreign.h5";
  H5Fclose(H5Fcreate(foreign.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  check_complaint(complaint(foreign), "foreign.h5", "", "of another kind");
}

TEST_CASE("a missing or truncated segment is told with its frame")
{
  const TemporaryFolder folder;
  {
    RecordingWriter writer = RecordingWriter::create(folder.path(), sample_header());
    write_frames(writer, 0, 2);
    writer.commit();
    write_frames(writer, 2, 4);
    writer.commit();
  }
  const std::string segment = "segments/00001.h5";
  folder.file(segment, bytes_of(folder.path() / segment).substr(0, 500));
  check_complaint(complaint(folder.path()), "recording.h5", "frame 2", segment);
  fs::remove(folder.path() / segment);
  check_complaint(complaint(folder.path()), "recording.h5", "frame 2", segment);
  CHECK(same_bits(Recording::open(folder.path()).frame(1), sample_frame(sample_header(), 1)));
}

TEST_CASE("headers that contradict themselves are refused")
{
  const auto refusal = [](auto change) {
    RecordingHeader header = sample_header();
    change(header);
    return message_of([&header] { validate(header); });
  };
  CHECK(refusal([](RecordingHeader&) {}) == "");
  CHECK(contains(refusal([](auto& h) { h.dt = 0.0; }), "dt = 0"));
  CHECK(contains(refusal([](auto& h) { h.bodies[2].name = "top"; }), "second body"));
  CHECK(contains(refusal([](auto& h) { h.bodies[1].kind = "gas"; }), "\"gas\""));
  CHECK(contains(refusal([](auto& h) { h.bodies[1].first_vertex = 5; }), "expected 4, 7, 6"));
  CHECK(contains(refusal([](auto& h) { h.bodies[3].vertex_count = -4; }), "size -4"));
  CHECK(contains(refusal([](auto& h) { h.bodies[0].triangles[0][2] = 4; }), "vertex 4"));
  CHECK(contains(refusal([](auto& h) { h.bodies[0].masses.pop_back(); }), "1 masses"));
  CHECK(contains(refusal([](auto& h) { h.friction = "ice"; }), "\"ice\""));
}

TEST_CASE("frames that do not fit the header are refused and leave no trace")
{
  const TemporaryFolder folder;
  RecordingWriter writer = RecordingWriter::create(folder.path(), sample_header());
  Frame frame = sample_frame(writer.header(), 0);
  frame.vertices.pop_back();
  check_complaint(message_of([&] { writer.append(frame); }), "", "36 vertices", "expected 37");
  write_frames(writer, 0, 1);
  check_complaint(message_of([&] { write_frames(writer, 0, 1); }), "", "t = 0 s", "after 0 s");
  writer.finish();
  check_frames(Recording::open(folder.path()), 1);
}
