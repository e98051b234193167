# The page of the viewer: bundled by esbuild from viewer/ and compressed, then part of the program.
# Without npm the program has no page, and `tact view` says so.
option(TACT_WITH_VIEWER "Build the page of `tact view` (needs npm)" ON)
set(TACT_PAGE_FILE ${PROJECT_BINARY_DIR}/page.html.gz)

find_program(TACT_NPM npm)
mark_as_advanced(TACT_NPM)
if(NOT TACT_WITH_VIEWER OR NOT TACT_NPM)
  if(TACT_WITH_VIEWER)
    message(STATUS "npm not found: tact is built without the page of the viewer")
  endif()
  file(WRITE ${TACT_PAGE_FILE} "")
  return()
endif()

file(GLOB page_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/viewer/src/*)
add_custom_command(OUTPUT ${TACT_PAGE_FILE} VERBATIM
  COMMAND ${PROJECT_SOURCE_DIR}/viewer/build ${PROJECT_SOURCE_DIR}/build/viewer ${TACT_PAGE_FILE}
  DEPENDS ${page_sources} ${PROJECT_SOURCE_DIR}/viewer/index.html ${PROJECT_SOURCE_DIR}/viewer/build.mjs
    ${PROJECT_SOURCE_DIR}/viewer/build ${PROJECT_SOURCE_DIR}/viewer/package-lock.json
  COMMENT "Bundling the page of the viewer")
# The rule belongs to this folder; a target makes it known to the layer that includes the file.
add_custom_target(tact_page DEPENDS ${TACT_PAGE_FILE})
