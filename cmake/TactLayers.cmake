# One static library a layer, one test program a layer.

# Folders of a layer are compiled apart: local names are to differ within one folder only.
function(tact_group_by_folder target)
  get_target_property(sources ${target} SOURCES)
  set(folders ${sources})
  list(FILTER folders INCLUDE REGEX "^[a-z_]+/")
  if(NOT folders)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
  foreach(source IN LISTS sources)
    get_filename_component(folder ${source} DIRECTORY)
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP "folder_${folder}")
  endforeach()
endfunction()

# tact_layer(lcp SOURCES a.cpp b.cpp USES linalg core LIBRARIES Some::lib)
# makes tact_lcp; headers are included as <tact/lcp/...>. FUSED says that all of the layer gains from fused
# multiply-add, and that its answers are measured or held to something else by tests; nobody reads the errno
# of its square roots. GLUE says that the layer reads, writes and arranges (tact_glue below).
function(tact_layer name)
  cmake_parse_arguments(ARG "GLUE;FUSED" "" "SOURCES;USES;LIBRARIES" ${ARGN})
  add_library(tact_${name} STATIC ${ARG_SOURCES})
  target_include_directories(tact_${name} PUBLIC ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../src)
  set_property(GLOBAL APPEND PROPERTY TACT_LAYERS ${name})
  set_property(GLOBAL APPEND PROPERTY TACT_LIBRARIES ${ARG_LIBRARIES})
  list(TRANSFORM ARG_USES PREPEND tact_)
  target_link_libraries(tact_${name} PUBLIC ${ARG_USES} ${ARG_LIBRARIES})
  tact_group_by_folder(tact_${name})
  tact_part_of_modules(tact_${name})
  if(name STREQUAL "core")
    target_precompile_headers(tact_core PRIVATE <Eigen/Dense> <string> <vector>)
  elseif(ARG_GLUE)
    tact_glue(tact_${name})
  elseif(name STREQUAL "linalg")  # the lowest of the fused ones
    target_precompile_headers(tact_linalg PRIVATE <Eigen/Dense> <algorithm> <string> <vector>)
  elseif(ARG_FUSED)
    target_precompile_headers(tact_${name} REUSE_FROM tact_linalg)
  else()
    target_precompile_headers(tact_${name} REUSE_FROM tact_core)
  endif()
  if(ARG_FUSED)
    target_compile_options(tact_${name} PRIVATE -ffp-contract=fast -fno-math-errno)
  endif()
endfunction()

# Where the Python module is wanted, libraries are compiled once, for it and for programs. Functions are inlined
# and called as in programs: nobody puts others in their place.
function(tact_part_of_modules target)
  get_target_property(done ${target} POSITION_INDEPENDENT_CODE)
  if(TACT_PYTHON AND TACT_BUILD_APPS AND NOT done AND NOT TACT_SANITIZE AND NOT TACT_THREAD_SANITIZE)
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_compile_options(${target} PRIVATE -fno-semantic-interposition)
  endif()
endfunction()

# tact_glue(tact_cli): a library that spends its time in the layers below it, and in JSON. Optimising it
# little saves a third of the time to compile it and is not felt when it runs.
function(tact_glue target)
  target_compile_options(${target} PRIVATE ${TACT_GLUE_OPTIONS})
  tact_part_of_modules(${target})
  if(target STREQUAL "tact_recording")  # the lowest of them
    target_precompile_headers(tact_recording PRIVATE <Eigen/Dense> <fmt/format.h> <nlohmann/json.hpp>
      <algorithm> <cmath> <filesystem> <map> <string> <vector>)
  else()
    target_precompile_headers(${target} REUSE_FROM tact_recording)
  endif()
endfunction()

# tact_uses(tact_cli PUBLIC scene run): what is no layer links these layers; where the library is shared, that.
function(tact_uses target visibility)
  get_property(layers GLOBAL PROPERTY TACT_LAYERS)
  foreach(name IN LISTS ARGN)
    if(BUILD_SHARED_LIBS AND name IN_LIST layers)
      target_link_libraries(${target} ${visibility} tact_library)
    else()
      target_link_libraries(${target} ${visibility} tact_${name})
    endif()
  endforeach()
endfunction()

# tact_optimised_first(tact): functions of templates are compiled by many libraries, and the linker takes the
# first that it meets. That must not be one of glue: the layers that compute come first, and those named further.
function(tact_optimised_first target)
  if(TACT_GLUE_OPTIONS AND NOT BUILD_SHARED_LIBS)
    set(layers core linalg lcp contact solvers joints geometry collision bodies sim ${ARGN})
    list(TRANSFORM layers REPLACE "(.+)" "$<TARGET_FILE:tact_\\1>" OUTPUT_VARIABLE libraries)
    target_link_options(${target} PRIVATE
      LINKER:--push-state,--whole-archive ${libraries} LINKER:--pop-state)
  endif()
endfunction()

# tact_tests(lcp SOURCES test_pgs.cpp ... USES lcp) makes the program test_lcp, which links what all test
# programs share (tests/CMakeLists.txt), and tells CTest each of its cases (DiscoverTests.cmake).
function(tact_tests name)
  cmake_parse_arguments(ARG "" "" "SOURCES;USES" ${ARGN})
  add_executable(test_${name} ${ARG_SOURCES})
  tact_uses(test_${name} PRIVATE ${ARG_USES})
  target_link_libraries(test_${name} PRIVATE tact_test_main)
  target_compile_options(test_${name} PRIVATE ${TACT_GLUE_OPTIONS})
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
