// What the two JSON forms of contact problems say alike of a contact and of a bilateral row: all
// but the blocks.
#pragma once

#include <nlohmann/json.hpp>

#include <tact/contact/contact_problem.hpp>
#include <tact/files/json_reader.hpp>

namespace tact {

ContactRows read_contact_law(const JsonValue& json);
void write_contact_law(nlohmann::ordered_json& json, const ContactRows& contact);

BilateralRow read_bias_and_limits(const JsonValue& json);
void write_bias_and_limits(nlohmann::ordered_json& json, const BilateralRow& row);

}  // namespace tact
