// One frame as an HDF5 group.
#include <array>
#include <cstddef>

#include <fmt/core.h>

#include <tact/recording/recording_layout.hpp>

namespace tact::layout {
namespace {

// The rows as they lie in the file: plain numbers, so that any HDF5 tool shows a table.
struct ContactRow {
  std::int32_t body_a, body_b;
  std::array<double, 3> point, normal;
  double gap, mu, normal_impulse;
  std::array<double, 3> friction_impulse;
  std::array<std::int32_t, 4> vertices;
  std::array<double, 4> weights;
  std::array<double, 3> tangent, velocity;
  double response;
};

struct MomentumRow {
  std::array<double, 3> before, other, left;
  double mass;  // older recordings have none: it stays 0
};

struct ReactionRow {
  std::array<double, 3> force, torque, point;
  double gap, turn, motor, friction, limit;
};

hdf5::Handle compound_type(std::size_t size)
{
  return {H5Tcreate(H5T_COMPOUND, size), H5Tclose, "make a table type"};
}

void add_column(const hdf5::Handle& type, const char* name, std::size_t offset, hid_t column)
{
  hdf5::require(H5Tinsert(type.id(), name, offset, column) >= 0, "make a table type");
}

hdf5::Handle array_type(hid_t entry, hsize_t size)
{
  return {H5Tarray_create2(entry, 1, &size), H5Tclose, "make a vector type"};
}

hdf5::Handle contact_type()
{
  const hid_t integer = hdf5::native_type<std::int32_t>();
  const hid_t number = hdf5::native_type<double>();
  const hdf5::Handle vector = array_type(number, 3);
  const hdf5::Handle four_integers = array_type(integer, 4), four_numbers = array_type(number, 4);
  hdf5::Handle type = compound_type(sizeof(ContactRow));
  add_column(type, "body_a", offsetof(ContactRow, body_a), integer);
  add_column(type, "body_b", offsetof(ContactRow, body_b), integer);
  add_column(type, "point", offsetof(ContactRow, point), vector.id());
  add_column(type, "normal", offsetof(ContactRow, normal), vector.id());
  add_column(type, "gap", offsetof(ContactRow, gap), number);
  add_column(type, "mu", offsetof(ContactRow, mu), number);
  add_column(type, "normal_impulse", offsetof(ContactRow, normal_impulse), number);
  add_column(type, "friction_impulse", offsetof(ContactRow, friction_impulse), vector.id());
  add_column(type, "vertices", offsetof(ContactRow, vertices), four_integers.id());
  add_column(type, "weights", offsetof(ContactRow, weights), four_numbers.id());
  add_column(type, "tangent", offsetof(ContactRow, tangent), vector.id());
  add_column(type, "velocity", offsetof(ContactRow, velocity), vector.id());
  add_column(type, "response", offsetof(ContactRow, response), number);
  return type;
}

hdf5::Handle momentum_type()
{
  const hdf5::Handle vector = array_type(hdf5::native_type<double>(), 3);
  hdf5::Handle type = compound_type(sizeof(MomentumRow));
  add_column(type, "before", offsetof(MomentumRow, before), vector.id());
  add_column(type, "other", offsetof(MomentumRow, other), vector.id());
  add_column(type, "left", offsetof(MomentumRow, left), vector.id());
  add_column(type, "mass", offsetof(MomentumRow, mass), hdf5::native_type<double>());
  return type;
}

hdf5::Handle reaction_type()
{
  const hid_t number = hdf5::native_type<double>();
  const hdf5::Handle vector = array_type(number, 3);
  hdf5::Handle type = compound_type(sizeof(ReactionRow));
  add_column(type, "force", offsetof(ReactionRow, force), vector.id());
  add_column(type, "torque", offsetof(ReactionRow, torque), vector.id());
  add_column(type, "point", offsetof(ReactionRow, point), vector.id());
  add_column(type, "gap", offsetof(ReactionRow, gap), number);
  add_column(type, "turn", offsetof(ReactionRow, turn), number);
  add_column(type, "motor", offsetof(ReactionRow, motor), number);
  add_column(type, "friction", offsetof(ReactionRow, friction), number);
  add_column(type, "limit", offsetof(ReactionRow, limit), number);
  return type;
}

// A certificate is stored as it is: numbers and whole numbers of 32 bits.
hdf5::Handle certificate_type()
{
  static_assert(sizeof(int) == sizeof(std::int32_t));
  const hid_t integer = hdf5::native_type<std::int32_t>();
  const hid_t number = hdf5::native_type<double>();
  hdf5::Handle type = compound_type(sizeof(FrameCertificate));
  add_column(type, "clearance", offsetof(FrameCertificate, clearance), number);
  add_column(type, "residual", offsetof(FrameCertificate, residual), number);
  add_column(type, "natural", offsetof(FrameCertificate, natural), number);
  add_column(type, "momentum", offsetof(FrameCertificate, momentum), number);
  add_column(type, "natural_max", offsetof(FrameCertificate, natural_max), number);
  add_column(type, "cone_violation", offsetof(FrameCertificate, cone_violation), number);
  add_column(type, "momentum_error", offsetof(FrameCertificate, momentum_error), number);
  add_column(type, "body_momentum_error", offsetof(FrameCertificate, body_momentum_error), number);
  add_column(type, "bilateral", offsetof(FrameCertificate, bilateral), number);
  add_column(type, "passes", offsetof(FrameCertificate, passes), integer);
  add_column(type, "halvings", offsetof(FrameCertificate, halvings), integer);
  add_column(type, "cut", offsetof(FrameCertificate, cut), integer);
  add_column(type, "unconverged", offsetof(FrameCertificate, unconverged), integer);
  add_column(type, "contacts", offsetof(FrameCertificate, contacts), integer);
  add_column(type, "active", offsetof(FrameCertificate, active), integer);
  return type;
}

// As it is, too.
hdf5::Handle account_type()
{
  const hid_t integer = hdf5::native_type<std::int64_t>();
  const hid_t number = hdf5::native_type<double>();
  hdf5::Handle type = compound_type(sizeof(StepAccount));
  add_column(type, "steps", offsetof(StepAccount, steps), integer);
  add_column(type, "solves", offsetof(StepAccount, solves), integer);
  add_column(type, "unconverged", offsetof(StepAccount, unconverged), integer);
  add_column(type, "cut_steps", offsetof(StepAccount, cut_steps), integer);
  add_column(type, "halvings", offsetof(StepAccount, halvings), integer);
  add_column(type, "islands_max", offsetof(StepAccount, islands_max), integer);
  add_column(type, "island_contacts_max", offsetof(StepAccount, island_contacts_max), integer);
  add_column(type, "first_missed", offsetof(StepAccount, first_missed), integer);
  add_column(type, "first_missed_t", offsetof(StepAccount, first_missed_t), number);
  add_column(type, "missed_residual", offsetof(StepAccount, missed_residual), number);
  add_column(type, "momentum_loss_max", offsetof(StepAccount, momentum_loss_max), number);
  add_column(type, "energy_gain_max", offsetof(StepAccount, energy_gain_max), number);
  add_column(type, "clearance_min", offsetof(StepAccount, clearance_min), number);
  return type;
}

std::array<double, 3> to_row(const Vector3d& x)
{
  return {x[0], x[1], x[2]};
}

Vector3d from_row(const std::array<double, 3>& x)
{
  return {x[0], x[1], x[2]};
}

hdf5::PackedTable pack_contacts(const std::vector<RecordedContact>& contacts)
{
  std::vector<ContactRow> rows;
  rows.reserve(contacts.size());
  for (const RecordedContact& c : contacts)
    rows.push_back({c.body_a, c.body_b, to_row(c.point), to_row(c.normal), c.gap, c.mu,
                    c.normal_impulse, to_row(c.friction_impulse), c.vertices, c.weights,
                    to_row(c.tangent), to_row(c.velocity), c.response});
  return hdf5::pack(sizeof(ContactRow), {rows.size()}, rows.data());
}

hdf5::PackedTable pack_momentum(const std::vector<MomentumBalance>& momentum)
{
  std::vector<MomentumRow> rows;
  rows.reserve(momentum.size());
  for (const MomentumBalance& m : momentum)
    rows.push_back({to_row(m.before), to_row(m.other), to_row(m.left), m.mass});
  return hdf5::pack(sizeof(MomentumRow), {rows.size()}, rows.data());
}

std::vector<MomentumBalance> read_momentum(const hdf5::Handle& group, std::size_t bodies)
{
  const hdf5::Table table(group, "momentum");
  std::vector<MomentumRow> rows(table.shape().entries());
  hdf5::require(rows.empty() || rows.size() == bodies, "find the momentum of every body");
  table.read(momentum_type().id(), rows.data());
  std::vector<MomentumBalance> momentum;
  for (const MomentumRow& r : rows)
    momentum.push_back({from_row(r.before), from_row(r.other), from_row(r.left), r.mass});
  return momentum;
}

std::optional<hdf5::PackedTable> pack_joints(const std::vector<RecordedReaction>& joints)
{
  if (joints.empty()) return std::nullopt;
  std::vector<ReactionRow> rows;
  for (const RecordedReaction& j : joints)
    rows.push_back({to_row(j.force), to_row(j.torque), to_row(j.point), j.gap, j.turn, j.motor,
                    j.friction, j.limit});
  return hdf5::pack(sizeof(ReactionRow), {rows.size()}, rows.data());
}

std::vector<RecordedReaction> read_joints(const hdf5::Handle& group, std::size_t expected)
{
  std::vector<RecordedReaction> joints;
  if (!hdf5::exists(group, "joints")) return joints;
  const hdf5::Table table(group, "joints");
  std::vector<ReactionRow> rows(table.shape().entries());
  hdf5::require(rows.size() == expected, "find the reaction of every joint");
  table.read(reaction_type().id(), rows.data());
  for (const ReactionRow& r : rows)
    joints.push_back({from_row(r.force), from_row(r.torque), from_row(r.point), r.gap, r.turn,
                      r.motor, r.friction, r.limit});
  return joints;
}

// All of a frame but its tables.
struct FrameLabel {
  std::int64_t step = 0;
  double t = 0.0;
  double dt = 0.0;
  FrameCertificate certificate{};
  StepAccount account{};
};

hdf5::Handle create_labelled_group(const hdf5::Handle& file, int k, const FrameLabel& label)
{
  hdf5::Handle group = hdf5::create_group(file, frame_group(k));
  hdf5::write_attribute<std::int64_t>(group, "step", label.step);
  hdf5::write_attribute<double>(group, "t", label.t);
  hdf5::write_attribute<double>(group, "dt", label.dt);
  hdf5::write_attribute(group, "certificate", certificate_type().id(), &label.certificate);
  hdf5::write_attribute(group, "account", account_type().id(), &label.account);
  return group;
}

FrameLabel read_label(const hdf5::Handle& group)
{
  FrameLabel label;
  label.step = hdf5::read_attribute<std::int64_t>(group, "step");
  label.t = hdf5::read_attribute<double>(group, "t");
  label.dt = hdf5::read_attribute<double>(group, "dt");
  hdf5::read_attribute(group, "certificate", certificate_type().id(), &label.certificate);
  if (hdf5::has_attribute(group, "account"))
    hdf5::read_attribute(group, "account", account_type().id(), &label.account);
  return label;
}

hdf5::PackedTable pack_vector(const VectorXd& x)
{
  return hdf5::pack(sizeof(double), {static_cast<std::size_t>(x.size())}, x.data());
}

VectorXd read_vector(const hdf5::Handle& group, const char* name, int expected_size)
{
  const hdf5::Table table(group, name);
  hdf5::require(table.shape().entries() == static_cast<std::size_t>(expected_size),
                fmt::format("find {} numbers in {}", expected_size, name));
  VectorXd x(expected_size);
  table.read(hdf5::native_type<double>(), x.data());
  return x;
}

}  // namespace

PackedFrame pack(const Frame& frame)
{
  static_assert(sizeof(Vector3d) == 3 * sizeof(double));
  return {.step = frame.step,
          .t = frame.t,
          .dt = frame.dt,
          .certificate = frame.certificate,
          .account = frame.account,
          .vertices = hdf5::pack(sizeof(double), {frame.vertices.size(), 3}, frame.vertices.data()),
          .q = pack_vector(frame.q),
          .v = pack_vector(frame.v),
          .contacts = pack_contacts(frame.contacts),
          .momentum = pack_momentum(frame.momentum),
          .joints = pack_joints(frame.joints)};
}

void write_frame(const hdf5::Handle& file, int k, const PackedFrame& frame)
{
  const hdf5::Handle group = create_labelled_group(
      file, k, {frame.step, frame.t, frame.dt, frame.certificate, frame.account});
  const hid_t number = hdf5::native_type<double>();
  hdf5::write_table(group, "vertices", number, frame.vertices);
  hdf5::write_table(group, "q", number, frame.q);
  hdf5::write_table(group, "v", number, frame.v);
  hdf5::write_table(group, "contacts", contact_type().id(), frame.contacts);
  hdf5::write_table(group, "momentum", momentum_type().id(), frame.momentum);
  if (frame.joints) hdf5::write_table(group, "joints", reaction_type().id(), *frame.joints);
}

// Table by table: the header of a group copied whole keeps the history of its source, and the same
// frames would not give the same bytes.
void copy_frame(const hdf5::Handle& source, const hdf5::Handle& target, int k)
{
  const hdf5::Handle from = hdf5::open_group(source, frame_group(k));
  const hdf5::Handle to = create_labelled_group(target, k, read_label(from));
  for (const char* table : {"vertices", "q", "v", "contacts", "momentum"})
    hdf5::copy(from, to, table);
  if (hdf5::exists(from, "joints")) hdf5::copy(from, to, "joints");
}

std::vector<Vector3d> read_vertices(const hdf5::Handle& group, int expected_count)
{
  const hdf5::Table table(group, "vertices");
  hdf5::require(
      table.shape().rows == static_cast<std::size_t>(expected_count) && table.shape().columns == 3,
      fmt::format("find {} vertices", expected_count));
  std::vector<Vector3d> vertices(table.shape().rows);
  table.read(hdf5::native_type<double>(), vertices.data());
  return vertices;
}

std::vector<RecordedContact> read_contacts(const hdf5::Handle& group)
{
  const hdf5::Table table(group, "contacts");
  std::vector<ContactRow> rows(table.shape().entries());
  table.read(contact_type().id(), rows.data());
  std::vector<RecordedContact> contacts;
  contacts.reserve(rows.size());
  for (const ContactRow& r : rows)
    contacts.push_back({r.body_a, r.body_b, from_row(r.point), from_row(r.normal), r.gap, r.mu,
                        r.normal_impulse, from_row(r.friction_impulse), r.vertices, r.weights,
                        from_row(r.tangent), from_row(r.velocity), r.response});
  return contacts;
}

Frame read_frame(const hdf5::Handle& group, const RecordingHeader& header)
{
  const FrameLabel label = read_label(group);
  Frame frame;
  frame.step = label.step;
  frame.t = label.t;
  frame.dt = label.dt;
  frame.certificate = label.certificate;
  frame.account = label.account;
  frame.vertices = read_vertices(group, header.vertex_count());
  frame.q = read_vector(group, "q", header.q_size());
  frame.v = read_vector(group, "v", header.v_size());
  frame.contacts = read_contacts(group);
  frame.momentum = read_momentum(group, header.bodies.size());
  frame.joints = read_joints(group, header.joints.size());
  return frame;
}

}  // namespace tact::layout
