// Contacts and forces of every frame as two tables:
//   contacts.csv   a line for each contact, with the mean force of its step: impulse / dt
//   forces.csv     a line for each body and each partner that it touches: net force and torque; and
//                  one for each joint and either body that it joins
#include <iterator>

#include <fmt/compile.h>
#include <fmt/format.h>

#include <tact/recording/atomic_file.hpp>
#include <tact/recording/csv_text.hpp>
#include <tact/recording/export_formats.hpp>
#include <tact/recording/wrench.hpp>

namespace tact {
namespace {

constexpr const char* contact_heading =
    "frame,time,body_a,body_b,point_x,point_y,point_z,normal_x,normal_y,normal_z,gap,mu,"
    "normal_impulse,friction_impulse_x,friction_impulse_y,friction_impulse_z,"
    "force_x,force_y,force_z\n";

constexpr const char* wrench_heading =
    "frame,time,body,partner,force_x,force_y,force_z,torque_x,torque_y,torque_z,"
    "about_x,about_y,about_z,joint,motor,friction,limit\n";

void append_contact(std::string& text, const RecordedContact& c, double dt)
{
  append_vector(text, c.point, ',');
  append_vector(text, c.normal, ',');
  fmt::format_to(std::back_inserter(text), FMT_COMPILE("{},{},{},"), c.gap, c.mu, c.normal_impulse);
  append_vector(text, c.friction_impulse, ',');
  append_vector(text, c.impulse() / dt, '\n');
}

void append_wrench(std::string& text, const BodyWrench& w)
{
  append_vector(text, w.wrench.force, ',');
  append_vector(text, w.wrench.torque, ',');
  append_vector(text, w.about, ',');
}

void append_motion(std::string& text, std::string_view joint, const JointWrench& wrench)
{
  fmt::format_to(std::back_inserter(text), FMT_COMPILE("{},{},{},{}\n"), joint, wrench.motor,
                 wrench.friction, wrench.limit);
}

}  // namespace

ExportedFiles export_csv(const ExportJob& job)
{
  const RecordingHeader& header = job.recording.header();
  const BodyNames name(header);
  make_folder(job.folder);
  const ExportedFiles paths{job.folder / "contacts.csv", job.folder / "forces.csv"};
  AtomicFile contacts(paths[0]), forces(paths[1]);
  contacts.write(contact_heading);
  forces.write(wrench_heading);
  std::vector<std::string> joint_names;
  for (const RecordedJoint& joint : header.joints) joint_names.push_back(csv_quoted(joint.name));
  std::string contact_lines, force_lines;
  const auto begin_line = [&](std::string& text, int k, int body, int other) {
    fmt::format_to(std::back_inserter(text), FMT_COMPILE("{},{},{},{},"), k,
                   csv_time(job.recording.times()[k]), name(body), name(other));
  };
  for (const int k : job.frames) {
    job.begin_frame(k);
    contact_lines.clear();
    force_lines.clear();
    const Frame frame = job.recording.frame(k);
    for (const RecordedContact& contact : frame.contacts) {
      begin_line(contact_lines, k, contact.body_a, contact.body_b);
      append_contact(contact_lines, contact, frame.dt);
    }
    for (const BodyWrench& wrench : net_wrenches(header, frame)) {
      begin_line(force_lines, k, wrench.body, wrench.partner);
      append_wrench(force_lines, wrench);
      force_lines += ",,,\n";
    }
    for (const JointWrench& reaction : joint_wrenches(header, frame)) {
      begin_line(force_lines, k, reaction.on.body, reaction.on.partner);
      append_wrench(force_lines, reaction.on);
      append_motion(force_lines, joint_names[reaction.joint], reaction);
    }
    contacts.write(contact_lines);
    forces.write(force_lines);
  }
  contacts.commit();
  forces.commit();
  return paths;
}

}  // namespace tact
