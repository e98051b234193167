# cmake -DSOURCE=<checkout> -DHEADER=<file> -P WriteCommit.cmake
# Writes a header with the commit of the checkout, "unknown" outside git. An unchanged header keeps
# its time, so that nothing is compiled again.
set(commit "")
if(EXISTS ${SOURCE}/.git)
  execute_process(
    COMMAND git --no-optional-locks -C ${SOURCE} describe --always --dirty --abbrev=12 --exclude=*
    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(NOT commit)
  set(commit unknown)
endif()
file(CONFIGURE OUTPUT ${HEADER} CONTENT
"#pragma once

namespace tact::cli {

inline constexpr const char* commit = \"${commit}\";

}  // namespace tact::cli
")
