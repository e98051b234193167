// Settings of a scene, in and out: time, gravity, friction, contact, recording, camera.
#include <cmath>

#include <fmt/format.h>

#include <tact/core/error.hpp>
#include <tact/files/text_file.hpp>
#include <tact/scene/scene_document.hpp>

namespace tact {
namespace {

using nlohmann::json;

constexpr double max_steps = 1e9;

json vector_json(const Vector3d& v)
{
  return {v[0], v[1], v[2]};
}

void set(const JsonValue& from, const char* key, double& value)
{
  if (const auto given = from.find(key)) value = given->number();
}

void set(const JsonValue& from, const char* key, std::string& value)
{
  if (const auto given = from.find(key)) value = given->text();
}

void set(const JsonValue& from, const char* key, bool& value)
{
  if (const auto found = from.find(key)) value = found->value().get<bool>();
}

void set(const JsonValue& from, const char* key, Vector3d& value)
{
  if (const auto given = from.find(key)) value = vector3(*given);
}

void apply_contact(const JsonValue& contact, ContactSettings& settings)
{
  set(contact, "delta", settings.delta);
  set(contact, "solver", settings.solver);
  set(contact, "tolerance", settings.tolerance);
  set(contact, "friction", settings.friction);
  if (const auto rows = contact.find("rows_per_pair"))
    settings.rows_per_pair = rows->value().get<int>();
  set(contact, "audit", settings.audit);
}

void apply_record(const JsonValue& record, SceneDescription& scene)
{
  RecordSettings& settings = scene.run.record;
  if (const auto every = record.find("every")) settings.every = every->value().get<int>();
  set(record, "pattern", settings.pattern);
  const auto forces = record.find("forces");
  if (!forces) return;
  settings.forces.clear();
  std::vector<std::string> names;
  for (const BodyDescription& body : scene.bodies) names.push_back(body.name);
  for (int i = 0; i < forces->array_size(); ++i) {
    const std::string name = forces->at(i).text();
    const int body = scene.find(name);
    if (body < 0) forces->at(i).reject("the name of a body" + did_you_mean(name, names));
    settings.forces.push_back(body);
  }
}

void apply_camera(const JsonValue& camera, std::optional<SceneCamera>& settings)
{
  SceneCamera result;
  set(camera, "from", result.from);
  set(camera, "to", result.to);
  set(camera, "field_of_view", result.field_of_view);
  if (result.from == result.to) camera.reject("a camera that looks at itself", "two places");
  settings = result;
}

}  // namespace

void apply_settings(const JsonValue& settings, SceneDescription& scene)
{
  set(settings, "name", scene.name);
  set(settings, "dt", scene.run.dt);
  set(settings, "time", scene.run.time);
  set(settings, "integrator", scene.run.integrator);
  set(settings, "nonconvex", scene.run.nonconvex);
  if (const auto seed = settings.find("seed")) scene.run.seed = seed->value().get<std::uint64_t>();
  set(settings, "gravity", scene.gravity);
  set(settings, "wind", scene.wind);
  set(settings, "mu", scene.friction.mu);
  set(settings, "restitution", scene.friction.restitution);
  if (const auto contact = settings.find("contact")) apply_contact(*contact, scene.run.contact);
  if (const auto record = settings.find("record")) apply_record(*record, scene);
  if (const auto camera = settings.find("camera")) apply_camera(*camera, scene.run.camera);
  const double steps = scene.run.time / scene.run.dt;
  if (steps > max_steps)
    settings.reject(fmt::format("{:.3g} steps (a time of {} s at a dt of {} s)", steps,
                                scene.run.time, scene.run.dt),
                    fmt::format("at most {:g}", max_steps));
}

json settings_of(const SceneDescription& scene)
{
  const ContactSettings& contact = scene.run.contact;
  json settings = {{"name", scene.name},
                   {"dt", scene.run.dt},
                   {"time", scene.run.time},
                   {"seed", scene.run.seed},
                   {"gravity", vector_json(scene.gravity)},
                   {"wind", vector_json(scene.wind)},
                   {"mu", scene.friction.mu},
                   {"restitution", scene.friction.restitution},
                   {"integrator", scene.run.integrator},
                   {"nonconvex", scene.run.nonconvex},
                   {"contact",
                    {{"solver", contact.solver},
                     {"tolerance", contact.tolerance},
                     {"friction", contact.friction},
                     {"rows_per_pair", contact.rows_per_pair},
                     {"audit", contact.audit}}},
                   {"record",
                    {{"every", scene.run.record.every},
                     {"forces", json::array()},
                     {"pattern", scene.run.record.pattern}}}};
  if (contact.delta > 0.0) settings["contact"]["delta"] = contact.delta;
  for (const int body : scene.run.record.forces)
    settings["record"]["forces"].push_back(scene.bodies[body].name);
  if (const auto& camera = scene.run.camera)
    settings["camera"] = {{"from", vector_json(camera->from)},
                          {"to", vector_json(camera->to)},
                          {"field_of_view", camera->field_of_view}};
  return settings;
}

}  // namespace tact
