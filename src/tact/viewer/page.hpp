// The page, as viewer/ builds it: one HTML file with script and style inside.
#pragma once

#include <span>
#include <string>

namespace tact {

// Compressed by gzip; empty where tact was built without npm.
std::span<const unsigned char> compressed_page();

// Throws Error where there is none, and tells how to get one.
std::string page_text();

}  // namespace tact
