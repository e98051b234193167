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

# tact_tests(lcp SOURCES test_pgs.cpp ... USES lcp) makes the program test_lcp, which links what all test
# programs share (tests/CMakeLists.txt), and tells CTest each of its cases (DiscoverTests.cmake).
function(tact_tests name)
  cmake_parse_arguments(ARG "" "" "SOURCES;USES" ${ARGN})
  add_executable(test_${name} ${ARG_SOURCES})
  list(TRANSFORM ARG_USES PREPEND tact_)
  target_link_libraries(test_${name} PRIVATE ${ARG_USES} tact_test_main)
  target_precompile_headers(test_${name} REUSE_FROM tact_test_main)

  set(cases ${CMAKE_CURRENT_BINARY_DIR}/test_${name}_cases.cmake)
  if(NOT EXISTS ${cases})
    file(WRITE ${cases} "add_test([==[${name}: not built]==] test_${name})\n")
  endif()
  add_custom_command(TARGET test_${name} POST_BUILD BYPRODUCTS ${cases} VERBATIM
    COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:test_${name}> -DNAME=${name} -DFILE=${cases}
      -P ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/DiscoverTests.cmake)
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${cases})
endfunction()
