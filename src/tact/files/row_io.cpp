#include <tact/files/row_io.hpp>

#include <cmath>

namespace tact {

ContactRows read_contact_law(const JsonValue& json)
{
  ContactRows contact;
  if (const auto bias = json.find("bias")) contact.bias = bias->vector(3);
  contact.mu = json.member("mu", "a number >= 0").number_at_least(0.0);
  if (const auto e = json.find("restitution")) contact.restitution = e->number_in(0.0, 1.0);
  if (const auto approach = json.find("approach")) contact.approach = approach->number();
  return contact;
}

void write_contact_law(nlohmann::ordered_json& json, const ContactRows& contact)
{
  json["bias"] = {contact.bias[0], contact.bias[1], contact.bias[2]};
  json["mu"] = contact.mu;
  json["restitution"] = contact.restitution;
  json["approach"] = contact.approach;
}

BilateralRow read_bias_and_limits(const JsonValue& json)
{
  BilateralRow row;
  if (const auto bias = json.find("bias")) row.bias = bias->number();
  if (const auto lower = json.find("lower")) row.lower = lower->number();
  if (const auto upper = json.find("upper")) row.upper = upper->number_at_least(row.lower);
  return row;
}

void write_bias_and_limits(nlohmann::ordered_json& json, const BilateralRow& row)
{
  json["bias"] = row.bias;
  if (std::isfinite(row.lower)) json["lower"] = row.lower;
  if (std::isfinite(row.upper)) json["upper"] = row.upper;
}

}  // namespace tact
