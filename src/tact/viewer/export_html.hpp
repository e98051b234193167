// A recording as one HTML file that plays in any browser, without a server.
#pragma once

#include <tact/recording/exports.hpp>

namespace tact {

// Its writer throws Error where tact was built without the page.
ExportFormat html_format();

}  // namespace tact
