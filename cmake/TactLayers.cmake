# One static library a layer, one test program a layer.

# tact_layer(lcp SOURCES a.cpp b.cpp USES linalg core LIBRARIES Some::lib)
# makes tact_lcp; headers are included as <tact/lcp/...>.
function(tact_layer name)
  cmake_parse_arguments(ARG "" "" "SOURCES;USES;LIBRARIES" ${ARGN})
  add_library(tact_${name} STATIC ${ARG_SOURCES})
  target_include_directories(tact_${name} PUBLIC ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../src)
  list(TRANSFORM ARG_USES PREPEND tact_)
  target_link_libraries(tact_${name} PUBLIC ${ARG_USES} ${ARG_LIBRARIES})
  if(name STREQUAL "core")
    target_precompile_headers(tact_core PRIVATE <Eigen/Dense> <string> <vector>)
  else()
    target_precompile_headers(tact_${name} REUSE_FROM tact_core)
  endif()
endfunction()

# tact_tests(lcp SOURCES test_pgs.cpp ... USES lcp) makes the program test_lcp and tells CTest each
# of its cases. A case in the suite "slow" gets that label; one that says "skipped: why", because data
# or a program is absent, counts as skipped.
function(tact_tests name)
  cmake_parse_arguments(ARG "" "" "SOURCES;USES" ${ARGN})
  add_executable(test_${name} ${PROJECT_SOURCE_DIR}/tests/main.cpp ${ARG_SOURCES})
  list(TRANSFORM ARG_USES PREPEND tact_)
  target_include_directories(test_${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(test_${name} PRIVATE ${ARG_USES} doctest::doctest)
  target_compile_definitions(test_${name} PRIVATE
    TACT_DEFAULT_DATA="${PROJECT_SOURCE_DIR}/../shared/data")
  target_precompile_headers(test_${name} REUSE_FROM tact_core)
  set(skipped SKIP_REGULAR_EXPRESSION "MESSAGE: skipped: ")
  # A name that CTest passes on wrongly, such as one with a semicolon, runs nothing: that is a failure.
  set(nothing FAIL_REGULAR_EXPRESSION "test cases: +0 ")
  doctest_discover_tests(test_${name} TEST_PREFIX "${name}: " ADD_LABELS 1 PROPERTIES ${skipped} ${nothing})
endfunction()
