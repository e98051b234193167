// What exports have in common, and the formats that are simple enough to be looked at here. OBJ and
// PLY are read back by tact's own reader in tests/cli.
#include <filesystem>
#include <sstream>

#include <doctest/doctest.h>

#include <files/messages.hpp>
#include <files/temporary_folder.hpp>
#include <recording/frames.hpp>
#include <recording/full_disk.hpp>
#include <tact/core/error.hpp>
#include <tact/recording/exports.hpp>
#include <tact/recording/wrench.hpp>

using namespace tact;
namespace fs = std::filesystem;

namespace {

std::vector<std::string> lines_of(const std::string& text)
{
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> cells_of(const std::string& line)
{
  std::vector<std::string> cells;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
  return cells;
}

Vector3d vector_at(const std::vector<std::string>& cells, std::size_t first)
{
  return {std::stod(cells[first]), std::stod(cells[first + 1]), std::stod(cells[first + 2])};
}

}  // namespace

TEST_CASE("frames are selected as in Python")
{
  using Frames = std::vector<int>;
  CHECK(select_frames("", 4) == Frames{0, 1, 2, 3});
  CHECK(select_frames(":", 3) == Frames{0, 1, 2});
  CHECK(select_frames("::2", 5) == Frames{0, 2, 4});
  CHECK(select_frames("1:4", 5) == Frames{1, 2, 3});
  CHECK(select_frames("1:4:2", 5) == Frames{1, 3});
  CHECK(select_frames("3:", 5) == Frames{3, 4});
  CHECK(select_frames(":-1", 3) == Frames{0, 1});
  CHECK(select_frames("-2:", 5) == Frames{3, 4});
  CHECK(select_frames("-9:2", 5) == Frames{0, 1});
  CHECK(select_frames("2:99", 4) == Frames{2, 3});
  CHECK(select_frames("0", 4) == Frames{0});
  CHECK(select_frames("-1", 4) == Frames{3});
  CHECK(select_frames("0:2147483647:2147483647", 4) == Frames{0});
}

TEST_CASE("selections that mean nothing or select nothing are refused")
{
  for (const char* wrong :
       {"a", "1:b", "1:2:3:4", "1.5", "::0", "::-1", "1-3", " 1", "99999999999"})
    check_complaint(message_of([&] { select_frames(wrong, 5); }), "frames", wrong, "A:B:K");
  for (const char* nothing : {"5", "2147483647", "-2147483648", "-6", "5:", "3:3", "4:2"})
    check_complaint(message_of([&] { select_frames(nothing, 5); }), "frames", nothing, "none");
  check_complaint(message_of([] { select_frames("", 0); }), "frames", "", "has none");
}

TEST_CASE("formats are found by name, with help for a slip of the pen")
{
  for (const char* name : {"obj", "ply", "vtu", "usda", "glb", "csv", "poses"})
    CHECK(export_format(name).name == name);
  check_complaint(message_of([] { export_format("vtk"); }), "format", "\"vtk\"", "mean \"vtu\"?");
}

TEST_CASE("files a frame are named by the frame of the recording")
{
  const TemporaryFolder folder;
  make_recording(folder.path(), sample_header(), 5);
  const Recording recording = Recording::open(folder.path());
  std::vector<int> told;
  const auto files = export_format("obj").write({.recording = recording,
                                                 .frames = select_frames("1::2", 5),
                                                 .folder = folder.path() / "deep" / "obj",
                                                 .begin_frame = [&](int k) { told.push_back(k); }});
  REQUIRE(files.size() == 2);
  CHECK(files[0] == folder.path() / "deep" / "obj" / "frame_00001.obj");
  CHECK(files[1].filename() == "frame_00003.obj");
  CHECK(told == std::vector<int>{1, 3});
  for (const fs::path& file : files) CHECK(fs::exists(file));
  CHECK(std::distance(fs::directory_iterator(folder.path() / "deep" / "obj"), {}) == 2);
}

TEST_CASE("an export that cannot be written is told and leaves no half of a file")
{
  const TemporaryFolder folder;
  make_recording(folder.path(), sample_header(30), 2);
  const Recording recording = Recording::open(folder.path());
  const fs::path out = folder.path() / "out";
  for (const ExportFormat& format : export_formats()) {
    CAPTURE(format.name);
    const FileSizeLimit limit(150);
    const ExportJob job{.recording = recording, .frames = {0, 1}, .folder = out};
    CHECK_THROWS_AS(format.write(job), WriteError);
    CHECK(fs::is_empty(out));
  }
  folder.file("file", "");
  const ExportJob job{.recording = recording, .frames = {0}, .folder = folder.path() / "file"};
  check_complaint(message_of([&] { export_format("obj").write(job); }), "file", "", "folder");
}

TEST_CASE("CSV has a line for each contact, and force is impulse over the length of its step")
{
  const TemporaryFolder folder;
  make_recording(folder.path(), sample_header(), 6);
  const Recording recording = Recording::open(folder.path());
  const auto files = export_format("csv").write(
      {.recording = recording, .frames = select_frames("", 6), .folder = folder.path()});
  REQUIRE(files ==
          std::vector<fs::path>{folder.path() / "contacts.csv", folder.path() / "forces.csv"});
  const std::vector<std::string> lines = lines_of(bytes_of(files[0]));
  const std::vector<std::string> heading = cells_of(lines.at(0));
  std::size_t line = 0;
  for (int k = 0; k < 6; ++k)
    for (const RecordedContact& contact : recording.contacts(k)) {
      const std::vector<std::string> cells = cells_of(lines.at(++line));
      REQUIRE(cells.size() == heading.size());
      CHECK(std::stoi(cells[0]) == k);
      CHECK(std::stod(cells[1]) == doctest::Approx(recording.times()[k]).epsilon(1e-11));
      CHECK(cells[2] == recording.header().bodies[contact.body_a].name);
      CHECK(cells[3] == (contact.body_b < 0 ? "world" : "ground"));
      CHECK(vector_at(cells, 4) == contact.point);
      CHECK(vector_at(cells, 7) == contact.normal);
      CHECK(std::stod(cells[10]) == contact.gap);
      CHECK(std::stod(cells[12]) == contact.normal_impulse);
      CHECK(vector_at(cells, 13) == contact.friction_impulse);
      const Vector3d impulse = contact.normal_impulse * contact.normal + contact.friction_impulse;
      const double dt = recording.frame(k).dt;
      CHECK((vector_at(cells, 16) * dt - impulse).norm() < 1e-15 * impulse.norm() + 1e-300);
    }
  CHECK(lines.size() == line + 1);
}

TEST_CASE("poses: rigid bodies as recorded, meshes and obstacles by how their points have turned")
{
  // A soft tetrahedron and an obstacle that turn by 0.5 rad a frame about the vertical while they
  // rise, the former with the velocities of that: 5 rad/s at 0.1 s a frame.
  RecordingHeader header = sample_header();
  header.dt = 0.1;
  const double spin = 5.0;
  const TemporaryFolder folder;
  auto writer = RecordingWriter::create(folder.path(), header);
  std::vector<Vector3d> corners;
  append_tetrahedron(corners, Matrix3d::Identity(), {-0.25, -0.25, -0.25}, 1.0);
  Vector3d rigid_place;
  for (int k = 0; k < 4; ++k) {
    Frame frame = sample_frame(header, k);
    frame.step = k;
    frame.t = 0.1 * k;
    const Matrix3d turn = turn_about_y(spin * frame.t);
    const Vector3d rise(3.0, 2.0 * frame.t, 0.0);
    const RecordedBody& soft = header.bodies[2];
    for (int n = 0; n < 4; ++n) {
      const Vector3d r = turn * corners[n];
      frame.q.segment<3>(soft.q_first + 3 * n) = r + rise;
      frame.v.segment<3>(soft.v_first + 3 * n) = Vector3d(0, 2, 0) + Vector3d(0, spin, 0).cross(r);
    }
    const RecordedBody& ground = header.bodies[3];
    for (int n = 0; n < 4; ++n) {
      Vector3d& x = frame.vertices[ground.first_vertex + n];
      x = turn * x + rise;
    }
    rigid_place = frame.q.head<3>();
    writer.append(std::move(frame));
  }
  writer.finish();
  const Recording recording = Recording::open(folder.path());
  const auto files = export_format("poses").write(
      {.recording = recording, .frames = select_frames("", 4), .folder = folder.path()});
  const std::vector<std::string> lines = lines_of(bytes_of(files.at(0)));
  REQUIRE(lines.size() == 1 + 4 * 4);
  CHECK(lines[0].starts_with("t,body,position_x"));
  const auto cells = [&](int body) { return cells_of(lines[1 + 4 * 3 + body]); };  // the last frame
  CHECK(cells(0).at(0) == "0.3");  // not 0.30000000000000004
  CHECK(vector_at(cells(0), 2) == rigid_place);
  const Vector3d half_turn(0.0, std::sin(0.75), 0.0);  // of 1.5 rad
  for (const int body : {2, 3}) {
    CAPTURE(body);
    CHECK((vector_at(cells(body), 5) - half_turn).norm() < 1e-9);
    CHECK(std::stod(cells(body).at(8)) == doctest::Approx(std::cos(0.75)));
    CHECK((vector_at(cells(body), 2) - Vector3d(3.0, 0.6, 0.0)).norm() < 1e-9);
  }
  CHECK((vector_at(cells(2), 9) - Vector3d(0, 2, 0)).norm() < 1e-9);
  CHECK((vector_at(cells(2), 12) - Vector3d(0, spin, 0)).norm() < 1e-9);
  CHECK(cells(3).at(9).empty());  // nobody recorded it
}

// Two contacts of known force on a body whose centre is known.
TEST_CASE("net wrenches: forces add up, torques are about the centre of mass, reaction is opposite")
{
  const RecordingHeader header = sample_header();
  Frame frame = sample_frame(header, 0);
  frame.dt = 0.5;
  const Vector3d centre(2.0, 1.0, 0.5);
  frame.q.head<3>() = centre;  // of "top", which is rigid
  frame.contacts.clear();
  for (const double side : {-1.0, 1.0}) {
    RecordedContact contact{.body_a = 0, .body_b = 3};
    contact.point = centre + Vector3d(side, -2.0, 0.0);
    contact.normal = Vector3d::UnitY();
    contact.normal_impulse = 3.0 + side;                  // N s: 4 N and 8 N
    contact.friction_impulse = Vector3d(0.0, 0.0, 0.25);  // N s: 0.5 N each
    frame.contacts.push_back(contact);
  }
  frame.contacts.push_back(
      {.body_a = 1, .body_b = 1, .normal = Vector3d::UnitX(), .normal_impulse = 9.0});
  const std::vector<BodyWrench> wrenches = net_wrenches(header, frame);
  REQUIRE(wrenches.size() == 2);
  CHECK(wrenches[0].body == 0);
  CHECK(wrenches[0].partner == 3);
  CHECK(wrenches[0].about == centre);
  CHECK(wrenches[0].wrench.force == Vector3d(0.0, 12.0, 1.0));
  // sum of r x f: (1, -2, 0) x (0, 8, 0.5) + (-1, -2, 0) x (0, 4, 0.5)
  CHECK(wrenches[0].wrench.torque == Vector3d(-2.0, 0.0, 4.0));
  CHECK(wrenches[1].body == 3);
  CHECK(wrenches[1].partner == 0);
  CHECK(wrenches[1].wrench.force == Vector3d(0.0, -12.0, -1.0));
  // The ground is a square about the origin.
  CHECK(wrenches[1].about == Vector3d::Zero());
}

TEST_CASE("momentum: what is left is what the terms of the balance do not explain")
{
  const RecordingHeader header = sample_header();
  Frame frame = sample_frame(header, 0);
  frame.dt = 0.1;
  frame.v.setZero();
  frame.v.head<6>() << 1.0, 2.0, 3.0, 40.0, 50.0, 60.0;  // "top", 2 kg; turning does not count
  frame.contacts = {{.body_a = 0, .body_b = 3, .normal = Vector3d::UnitY(), .normal_impulse = 5.0}};
  frame.momentum.assign(header.bodies.size(), {});
  frame.momentum[0] = {.before = {1.0, 0.0, 0.0}, .other = {0.5, 0.0, 6.0}};
  const MomentumCheck check = check_momentum(header, frame)[0];
  // (2, 4, 6) - (1, 0, 0) - 0.1 x 2 x (0, -9.81, 0) - (0, 5, 0) - (0.5, 0, 6)
  CHECK((check.left - Vector3d(0.5, 0.962, 0.0)).norm() < 1e-14);
  const double still = 2.0 * 1e-9;  // what round-off may move
  const double scale = std::sqrt(56.0) + 1.0 + 1.962 + 5.0 + std::sqrt(36.25) + still;
  CHECK(check.scale == doctest::Approx(scale).epsilon(1e-14));
  CHECK(check.error() == doctest::Approx(check.left.norm() / scale).epsilon(1e-14));
  CHECK(check_momentum(header, frame)[3].scale == 0.0);  // the ground takes any impulse
}

TEST_CASE("the PVD index gives every VTU file its time")
{
  const TemporaryFolder folder;
  make_recording(folder.path(), sample_header(), 3);
  const Recording recording = Recording::open(folder.path());
  export_format("vtu").write(
      {.recording = recording, .frames = {0, 2}, .folder = folder.path() / "vtu"});
  const std::string index = bytes_of(folder.path() / "vtu" / "recording.pvd");
  CHECK(contains(index, R"(<DataSet timestep="0" part="0" file="frame_00000.vtu"/>)"));
  CHECK(contains(index, R"(<DataSet timestep="0.06" part="0" file="frame_00002.vtu"/>)"));
  CHECK_FALSE(contains(index, "frame_00001"));
  CHECK(contains(bytes_of(folder.path() / "vtu" / "frame_00002.vtu"),
                 R"(Name="TimeValue" NumberOfTuples="1" format="ascii">0.06<)"));
}
