// Changes to a JSON document from the command line: --set /json/pointer=value
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace tact {

// Sets what the pointer (RFC 6901) of "/pointer=value" points to; objects on the way that are not
// there are made. A value that is no JSON is taken as a text. Throws Error when the text has
// another form, when an index is none of its array, or when the way leads through what is no object
// or array.
void apply_patch(nlohmann::json& document, const std::string& patch);

}  // namespace tact
