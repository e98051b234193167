#include "arrays.hpp"

#include <array>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <tact/core/error.hpp>

namespace tact::python {
namespace {

static_assert(sizeof(Vector3d) == 3 * sizeof(double) && sizeof(Triangle) == 3 * sizeof(int));

py::array frozen(py::array array)
{
  array.attr("setflags")(py::arg("write") = false);
  return array;
}

// Places of the members in a struct that is not of standard layout, taken from one of them.
template <class Struct>
class Fields {
 public:
  template <class Member>
  void add(const char* name, const char* format, const Member Struct::*member)
  {
    names_.append(name);
    formats_.append(format);
    const auto* start = reinterpret_cast<const char*>(&sample_);
    offsets_.append(reinterpret_cast<const char*>(&(sample_.*member)) - start);
  }
  py::dtype type() const { return {names_, formats_, offsets_, sizeof(Struct)}; }

 private:
  Struct sample_{};
  py::list names_, formats_, offsets_;
};

py::dtype contact_type()
{
  Fields<RecordedContact> fields;
  fields.add("body_a", "i4", &RecordedContact::body_a);
  fields.add("body_b", "i4", &RecordedContact::body_b);
  fields.add("point", "(3,)f8", &RecordedContact::point);
  fields.add("normal", "(3,)f8", &RecordedContact::normal);
  fields.add("gap", "f8", &RecordedContact::gap);
  fields.add("mu", "f8", &RecordedContact::mu);
  fields.add("normal_impulse", "f8", &RecordedContact::normal_impulse);
  fields.add("friction_impulse", "(3,)f8", &RecordedContact::friction_impulse);
  fields.add("velocity", "(3,)f8", &RecordedContact::velocity);
  return fields.type();
}

struct WrenchRow {
  std::int32_t body, partner;
  double about[3], force[3], torque[3];
};

struct JointRow {
  std::int32_t body_a, body_b;
  double point[3], force[3], torque[3], gap, turn;
};

void put(const Vector3d& from, double* to)
{
  Eigen::Map<Vector3d>{to} = from;
}

template <class Row>
py::array table_of(const py::dtype& type, const std::vector<Row>& rows)
{
  return {type, {static_cast<py::ssize_t>(rows.size())}, rows.data()};
}

py::dtype wrench_type()
{
  Fields<WrenchRow> fields;
  fields.add("body", "i4", &WrenchRow::body);
  fields.add("partner", "i4", &WrenchRow::partner);
  fields.add("about", "(3,)f8", &WrenchRow::about);
  fields.add("force", "(3,)f8", &WrenchRow::force);
  fields.add("torque", "(3,)f8", &WrenchRow::torque);
  return fields.type();
}

py::dtype joint_type()
{
  Fields<JointRow> fields;
  fields.add("body_a", "i4", &JointRow::body_a);
  fields.add("body_b", "i4", &JointRow::body_b);
  fields.add("point", "(3,)f8", &JointRow::point);
  fields.add("force", "(3,)f8", &JointRow::force);
  fields.add("torque", "(3,)f8", &JointRow::torque);
  fields.add("gap", "f8", &JointRow::gap);
  fields.add("turn", "f8", &JointRow::turn);
  return fields.type();
}

std::string text_of(const std::vector<py::ssize_t>& shape)
{
  std::string text;
  for (const py::ssize_t size : shape)
    text += (text.empty() ? "" : ", ") + (size < 0 ? std::string("any") : std::to_string(size));
  return "(" + text + (shape.size() == 1 ? ",)" : ")");
}

}  // namespace

py::array view_of(const double* data, std::vector<py::ssize_t> shape, const py::object& owner)
{
  return frozen(py::array(py::dtype::of<double>(), std::move(shape), data, owner));
}

py::array view_of(std::span<const Vector3d> points, const py::object& owner)
{
  const auto* data = reinterpret_cast<const double*>(points.data());
  return view_of(data, {static_cast<py::ssize_t>(points.size()), 3}, owner);
}

py::array view_of(std::span<const Triangle> triangles, const py::object& owner)
{
  const std::vector<py::ssize_t> shape{static_cast<py::ssize_t>(triangles.size()), 3};
  return frozen(py::array(py::dtype::of<int>(), shape, triangles.data(), owner));
}

py::array contacts_view(const std::shared_ptr<const Frame>& frame)
{
  using Keeper = std::shared_ptr<const Frame>;
  const py::capsule owner(new Keeper(frame),
                          [](void* keeper) { delete static_cast<Keeper*>(keeper); });
  const std::vector<py::ssize_t> shape{static_cast<py::ssize_t>(frame->contacts.size())};
  return frozen(py::array(contact_type(), shape, frame->contacts.data(), owner));
}

py::array wrench_table(const RecordingHeader& header, const Frame& frame)
{
  std::vector<WrenchRow> rows;
  for (const BodyWrench& sum : net_wrenches(header, frame)) {
    WrenchRow& row = rows.emplace_back();
    row.body = sum.body;
    row.partner = sum.partner;
    put(sum.about, row.about);
    put(sum.wrench.force, row.force);
    put(sum.wrench.torque, row.torque);
  }
  return table_of(wrench_type(), rows);
}

py::array joint_table(const RecordingHeader& header, const Frame& frame)
{
  std::vector<JointRow> rows;
  for (std::size_t k = 0; k < frame.joints.size(); ++k) {
    const RecordedReaction& reaction = frame.joints[k];
    JointRow& row = rows.emplace_back();
    row.body_a = header.joints[k].body_a;
    row.body_b = header.joints[k].body_b;
    put(reaction.point, row.point);
    put(reaction.force / frame.dt, row.force);
    put(reaction.torque / frame.dt, row.torque);
    row.gap = reaction.gap;
    row.turn = reaction.turn;
  }
  return table_of(joint_type(), rows);
}

py::array copy_of(const VectorXd& x)
{
  return py::array_t<double>(x.size(), x.data());
}

py::array copy_of(const Vector3d& x)
{
  return py::array_t<double>(3, x.data());
}

void require_shape(const py::array& array, std::string_view name,
                   const std::vector<py::ssize_t>& shape)
{
  const std::vector<py::ssize_t> found(array.shape(), array.shape() + array.ndim());
  bool fits = found.size() == shape.size();
  for (std::size_t k = 0; fits && k < shape.size(); ++k)
    fits = shape[k] < 0 || shape[k] == found[k];
  if (!fits)
    throw Error(fmt::format("{}: found an array of shape {}, expected {}", name, text_of(found),
                            text_of(shape)));
}

VectorXd vector_from(const Doubles& array, std::string_view name)
{
  require_shape(array, name, {-1});
  return Eigen::Map<const VectorXd>(array.data(), array.size());
}

MatrixXd matrix_from(const Doubles& array, std::string_view name)
{
  require_shape(array, name, {-1, -1});
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  return Eigen::Map<const RowMajor>(array.data(), array.shape(0), array.shape(1));
}

}  // namespace tact::python
