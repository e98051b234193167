#include <tact/scene/scene_tables.hpp>

#include <tact/scene/scene_tables_bodies.hpp>
#include <tact/scene/scene_tables_joints.hpp>
#include <tact/setup/scene_description.hpp>
#include <tact/solvers/solvers.hpp>

namespace tact {
namespace {

using nlohmann::json;

constexpr Range coefficient{.low = 0.0, .high = 1000.0};
constexpr Range share{.low = 0.0, .high = 1.0};

json numbers_of(const Vector3d& v)
{
  return {v[0], v[1], v[2]};
}

KeyTable contact_table()
{
  const ContactSettings d;
  return {
      .name = "contact",
      .title = "the contact settings",
      .keys = {number_key("delta", "m", positive_length, nullptr,
                          "distance that contact keeps; without it a tenth of the finest "
                          "mesh's edges"),
               choice_key("solver", contact_method_names(), d.solver, "see `tact list solvers`"),
               number_key("tolerance", "m/s", positive, d.tolerance, "on the shared residual"),
               choice_key("friction", {"disc", "pyramid"}, d.friction,
                          "the set of friction impulses that a normal impulse allows"),
               integer_key("rows_per_pair", 0, 1e6, d.rows_per_pair,
                           "contact reduction: rows that two solids start with, beside those that "
                           "push; 0 gives every contact a row, for certified runs"),
               number_key("audit", "", share, d.audit,
                          "share of detached regions that are solved exactly as well; of "
                          "pcg-pgs, pgs, nncg and apgd")}};
}

KeyTable record_table()
{
  return {
      .name = "record",
      .title = "the recording settings",
      .keys = {integer_key("every", 1, 1e9, RecordSettings{}.every,
                           "steps from one recorded frame to the next"),
               list_key("forces", text_key("", nullptr, "a body's name"),
                        "bodies whose contact forces the report tells"),
               boolean_key("pattern", RecordSettings{}.pattern,
                           "draws pattern.svg: which contacts of the last step see which others, "
                           "island by island")}};
}

KeyTable camera_table()
{
  return {.name = "camera",
          .title = "a camera",
          .keys = {required(vector_key("from", 3, "m", any_number, nullptr, "where it stands")),
                   required(vector_key("to", 3, "m", any_number, nullptr, "what it looks at")),
                   number_key("field_of_view", "degrees", {.low = 1.0, .high = 170.0},
                              SceneCamera{}.field_of_view, "from the bottom to the top")}};
}

KeyTable end_table()
{
  return {
      .name = "end",
      .title = "an end of a spring",
      .keys = {vector_key("place", 3, "m", any_number, nullptr, "a fixed place in the world"),
               text_key("body", nullptr, "name of a body"),
               integer_key("vertex", 0, 1e9, nullptr, "of the body's surface, from 0"),
               vector_key("point", 3, "m", any_number, nullptr,
                          "in the body's own axes; rigid bodies and obstacles only")},
      .groups = {{.names = {"place", "body"}}, {.names = {"vertex", "point"}, .required = false}},
      .shorthand = "place"};
}

KeyTable spring_table()
{
  return {.name = "spring",
          .title = "a spring",
          .keys = {required(object_key("a", end_table(), "one end")),
                   required(object_key("b", end_table(), "the other end")),
                   required(number_key("stiffness", "N/m", not_negative, nullptr,
                                       "force per length that it is stretched")),
                   number_key("damping", "N s/m", not_negative, 0.0,
                              "force per velocity at which it lengthens"),
                   number_key("rest_length", "m", not_negative, nullptr,
                              "length without force; without it, that at the start")}};
}

KeyTable pin_table()
{
  const KeyTable inside{
      .name = "inside",
      .title = "a box of vertices",
      .keys = {required(vector_key("low", 3, "m", any_number, nullptr, "lowest corner")),
               required(vector_key("high", 3, "m", any_number, nullptr, "highest corner"))}};
  const Key vertex = integer_key("", 0, 1e9, nullptr, "a vertex");
  return {.name = "pin",
          .title = "a pin",
          .keys = {required(text_key("body", nullptr, "name of the body that is held")),
                   list_key("vertices", vertex, "vertices of its surface, from 0"),
                   object_key("inside", inside, "all its vertices that start in this box"),
                   vector_key("point", 3, "m", any_number, nullptr,
                              "in its own axes; rigid bodies only"),
                   text_key("to", nullptr, "name of the body that holds it; else the world does"),
                   list_key("to_vertices", vertex,
                            "that body's vertices, one for each; else its place at the start")},
          .groups = {{.names = {"vertices", "inside", "point"}}},
          .needs = {{"to_vertices", "to"}}};
}

KeyTable friction_table()
{
  return {.name = "friction",
          .title = "the friction of a pair",
          .keys = {required(list_key("bodies", text_key("", nullptr, "a body's name"),
                                     "the two bodies")),
                   required(number_key("mu", "", coefficient, nullptr, "Coulomb's coefficient")),
                   number_key("restitution", "", share, nullptr,
                              "speed after over speed before; without it, the scene's")}};
}

std::vector<Key> make_settings_keys()
{
  const RunOptions run;
  const SceneDescription scene;
  constexpr Range seconds{.low = 0.0, .high = 1e9, .open_low = true};
  const Key schema = text_key("$schema", nullptr, "for editors; not read");
  const Key name = text_key("name", nullptr, "else the name of the file");
  const Key dt = number_key("dt", "s", seconds, run.dt, "length of a step");
  const Key time = number_key("time", "s", seconds, run.time, "how long to simulate");
  return {schema,
          name,
          dt,
          time,
          integer_key("seed", 0, 9007199254740992.0, run.seed, "of what the scene has of chance"),
          vector_key("gravity", 3, "m/s^2", any_number, numbers_of(scene.gravity), "acceleration"),
          vector_key("wind", 3, "m/s", any_number, numbers_of(scene.wind),
                     "velocity of the air, felt by bodies with drag"),
          number_key("mu", "", coefficient, scene.friction.mu, "Coulomb's coefficient of friction"),
          number_key("restitution", "", share, scene.friction.restitution,
                     "speed after an impact over speed before"),
          choice_key("integrator", {"implicit", "explicit"}, run.integrator,
                     "how steps are made; explicit ones are cut into stable substeps"),
          choice_key("nonconvex", {"none", "selection", "max", "sum"}, run.nonconvex,
                     "unions of half-spaces at sharp corners, and how their sides are found"),
          object_key("contact", contact_table(), "how contact is found and solved"),
          object_key("record", record_table(), "what is written"),
          object_key("camera", camera_table(), "for pictures; else they show everything")};
}

KeyTable make_scene_file_table()
{
  KeyTable table{.name = "scene-file", .title = "a scene file", .keys = settings_keys()};
  const std::vector<Key> lists = {
      list_key(
          "include", path_key("", "a file"),
          "scene files, relative to this one: their bodies, springs, pins, joints and friction "
          "come first, their settings hold where this file has none"),
      list_key("bodies", variant_key("", body_tables(), "a body"), "what there is"),
      list_key("springs", object_key("", spring_table(), "a spring"),
               "between points of bodies and places in the world"),
      list_key("pins", object_key("", pin_table(), "a pin"), "points that are held where they are"),
      list_key("joints", variant_key("", joint_tables(), "a joint"),
               "hard joints between rigid bodies, obstacles and the world"),
      list_key("friction", object_key("", friction_table(), "a pair"),
               "pairs of bodies with a friction of their own")};
  table.keys.insert(table.keys.end(), lists.begin(), lists.end());
  return table;
}

}  // namespace

const std::vector<Key>& settings_keys()
{
  static const std::vector<Key> keys = make_settings_keys();
  return keys;
}

const KeyTable& scene_file_table()
{
  static const KeyTable table = make_scene_file_table();
  return table;
}

}  // namespace tact
