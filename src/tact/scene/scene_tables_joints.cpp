#include <tact/scene/scene_tables_joints.hpp>

#include <tact/joints/joint.hpp>

namespace tact {
namespace {

KeyTable joint_end_table()
{
  return {.name = "joint-end",
          .title = "a side of a joint",
          .keys = {text_key("body", nullptr, "name of a rigid body or an obstacle"),
                   vector_key("point", 3, "m", any_number, nullptr, "in the body's own axes"),
                   vector_key("place", 3, "m", any_number, nullptr,
                              "in the world, which is this side of the joint")},
          .groups = {{.names = {"body", "place"}}},
          .needs = {{"point", "body"}},
          .shorthand = "body"};
}

std::vector<Key> common_keys(const std::string& type)
{
  return {required(choice_key("type", {type}, nullptr, "which motion the joint leaves")),
          text_key("name", nullptr, "in reports; without it type and number, as \"hinge-0\""),
          required(object_key("a", joint_end_table(), "one side; a name alone is a body")),
          object_key("b", joint_end_table(), "the other side; without it the world"),
          vector_key("at", 3, "m", any_number, nullptr,
                     "where the joint is at the start, in the world, unless a side says it"),
          boolean_key("collide", false, "whether the two bodies collide with each other")};
}

// A number, or one over time.
Key course_key(const std::string& name, const std::string& unit, const std::string& doc)
{
  const Key value = number_key("value", unit, any_number, nullptr, "at that time");
  const KeyTable key{.name = "course-key",
                     .title = "a keyframe",
                     .keys = {required(number_key("t", "s", {.low = 0.0, .high = 1e9}, nullptr,
                                                  "later than the one before")),
                              required(value)}};
  return object_key(name,
                    {.name = "course",
                     .title = "a number over time",
                     .keys = {number_key("value", unit, any_number, nullptr, "all the time"),
                              list_key("keyframes", object_key("", key, "a keyframe"),
                                       "linear in between; before and after as at the ends")},
                     .groups = {{.names = {"value", "keyframes"}}},
                     .shorthand = "value"},
                    doc);
}

// What acts along or about the motion that is left.
std::vector<Key> motion_keys(bool turns)
{
  const std::string place = turns ? "rad" : "m", force = turns ? "N m" : "N";
  const std::string push = turns ? "torque" : "force";
  const KeyTable motor{
      .name = turns ? "turning-motor" : "sliding-motor",
      .title = "a motor",
      .keys = {course_key("speed", place + "/s", "the speed that it keeps"),
               course_key("position", place, "the position that it keeps, 0 at the start"),
               course_key(push, force, "what it gives, whatever comes of it"),
               number_key("max_" + push, force, positive, nullptr,
                          "the most that it gives; without it, as much as it takes")},
      .groups = {{.names = {"speed", "position", push}}}};
  return {vector_key("limits", 2, place, any_number, nullptr,
                     "the ends of its range, hard; 0 is where it is at the start"),
          number_key("friction", force, not_negative, 0.0,
                     "dry: the most that it gives against the motion"),
          object_key("motor", motor, "drives b against a")};
}

std::vector<Key> with_motion(Key axis, bool turns)
{
  std::vector<Key> keys = motion_keys(turns);
  keys.insert(keys.begin(), std::move(axis));
  return keys;
}

Key axis_key(const char* doc)
{
  return required(vector_key("axis", 3, "", any_number, nullptr, doc));
}

std::vector<Key> own_keys(JointKind kind)
{
  switch (kind) {
    case JointKind::hinge:
      return with_motion(axis_key("what it turns about, in the world at the start, of any length"),
                         true);
    case JointKind::slider:
      return with_motion(axis_key("what it slides along, in the world at the start, of any length"),
                         false);
    case JointKind::cylinder:
      return with_motion(
          axis_key("what it slides along and turns about, in the world at the start"), false);
    case JointKind::universal:
      return {axis_key("what a turns about, in the world at the start, of any length"),
              required(vector_key("axis_b", 3, "", any_number, nullptr,
                                  "what b turns about, at right angles to axis at the start"))};
    case JointKind::distance:
      return {number_key("length", "m", positive_length, nullptr,
                         "what it keeps; without it, the distance at the start"),
              boolean_key("rope", false,
                          "keeps its points from being further apart than its length only, which "
                          "may be more than the distance at the start")};
    case JointKind::weld:
    case JointKind::ball: break;
  }
  return {};
}

const char* title_of(JointKind kind)
{
  switch (kind) {
    case JointKind::weld: return "a weld: no motion is left";
    case JointKind::ball: return "a ball joint: turns freely about a point";
    case JointKind::hinge: return "a hinge: turns about an axis";
    case JointKind::slider: return "a slider: slides along an axis";
    case JointKind::cylinder: return "a cylinder joint: slides along an axis and turns about it";
    case JointKind::universal: return "a universal joint: turns about two axes at right angles";
    case JointKind::distance: return "a distance: two points stay as far apart as they are";
  }
  return "a joint";
}

}  // namespace

std::vector<KeyTable> joint_tables()
{
  std::vector<KeyTable> tables;
  for (std::size_t k = 0; k < joint_kinds.size(); ++k) {
    const auto kind = static_cast<JointKind>(k);
    const std::string type(joint_kinds[k]);
    KeyTable table{.name = type, .title = title_of(kind), .keys = common_keys(type)};
    for (Key& key : own_keys(kind)) table.keys.push_back(std::move(key));
    tables.push_back(std::move(table));
  }
  return tables;
}

}  // namespace tact
