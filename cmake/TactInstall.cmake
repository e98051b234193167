# `cmake --install`: the command, the library in one piece, the headers that <tact/tact.hpp> needs, and what
# find_package(tact) reads. The prefix may be moved afterwards.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# The headers that FILE includes, itself among them, as paths below src/: those that users get.
function(tact_headers_of file variable)
  set(found ${file})
  set(open ${file})
  while(open)
    list(POP_FRONT open header)
    file(STRINGS ${PROJECT_SOURCE_DIR}/src/${header} lines REGEX "^#include <tact/")
    foreach(line IN LISTS lines)
      string(REGEX REPLACE "^#include <([^>]+)>.*" "\\1" included "${line}")
      if(NOT included IN_LIST found)
        list(APPEND found ${included})
        list(APPEND open ${included})
      endif()
    endforeach()
  endwhile()
  set(${variable} ${found} PARENT_SCOPE)
endfunction()

# How Eigen aligns its fixed sizes follows from the processor built for, and is part of the layout of classes.
# Users have to build with the library's.
function(tact_eigen_alignment variable)
  get_target_property(includes Eigen3::Eigen INTERFACE_INCLUDE_DIRECTORIES)
  set(source ${PROJECT_BINARY_DIR}/eigen_alignment.cpp)
  file(WRITE ${source} "#include <cstdio>\n#include <Eigen/Core>\nint main()\n{\n"
    "  std::printf(\"%d;%d\", EIGEN_MAX_ALIGN_BYTES, EIGEN_MAX_STATIC_ALIGN_BYTES);\n}\n")
  set(arch)
  if(TACT_ARCH)
    set(arch -march=${TACT_ARCH})
  endif()
  try_run(ran compiled ${PROJECT_BINARY_DIR}/eigen_alignment ${source}
    CMAKE_FLAGS "-DINCLUDE_DIRECTORIES=${includes}" COMPILE_DEFINITIONS ${arch} RUN_OUTPUT_VARIABLE bytes)
  if(NOT compiled OR NOT ran EQUAL 0)
    message(FATAL_ERROR "the alignment of Eigen's types could not be found out")
  endif()
  list(GET bytes 0 most)
  list(GET bytes 1 most_static)
  set(${variable} EIGEN_MAX_ALIGN_BYTES=${most} EIGEN_MAX_STATIC_ALIGN_BYTES=${most_static} PARENT_SCOPE)
endfunction()

# The library: all layers in one, static, or shared with BUILD_SHARED_LIBS.
function(tact_make_library)
  get_property(layers GLOBAL PROPERTY TACT_LAYERS)
  get_property(libraries GLOBAL PROPERTY TACT_LIBRARIES)
  list(REMOVE_DUPLICATES libraries)
  set(linked ${libraries})
  list(REMOVE_ITEM linked Eigen3::Eigen nlohmann_json::nlohmann_json)  # headers alone
  list(TRANSFORM layers REPLACE "(.+)" "$<TARGET_OBJECTS:tact_\\1>" OUTPUT_VARIABLE objects)
  add_library(tact_library ${objects})
  set_target_properties(tact_library PROPERTIES OUTPUT_NAME tact EXPORT_NAME tact LINKER_LANGUAGE CXX
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  target_compile_features(tact_library PUBLIC cxx_std_20)
  tact_eigen_alignment(alignment)
  target_compile_definitions(tact_library INTERFACE $<INSTALL_INTERFACE:${alignment}>)
  target_include_directories(tact_library INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(tact_library PUBLIC Eigen3::Eigen PRIVATE ${linked}
    INTERFACE $<BUILD_INTERFACE:${libraries}>)
endfunction()
tact_make_library()

if(BUILD_SHARED_LIBS)
  set(tact_kind shared)
else()
  set(tact_kind static)
endif()
set(tact_package ${CMAKE_INSTALL_LIBDIR}/cmake/tact)
install(TARGETS tact_library EXPORT tact-${tact_kind})
install(EXPORT tact-${tact_kind} NAMESPACE tact:: DESTINATION ${tact_package})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/tact-config.cmake.in
  ${PROJECT_BINARY_DIR}/tact-config.cmake INSTALL_DESTINATION ${tact_package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tact-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tact-config.cmake ${PROJECT_BINARY_DIR}/tact-config-version.cmake
  cmake/TactHdf5.cmake cmake/TactMetis.cmake cmake/TactWebsockets.cmake DESTINATION ${tact_package})

tact_headers_of(tact/tact.hpp headers)
tact_headers_of(tact/geometry/shapes.hpp shapes)
list(APPEND headers ${shapes})
list(REMOVE_DUPLICATES headers)
foreach(header IN LISTS headers)
  get_filename_component(folder ${header} DIRECTORY)
  install(FILES src/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/${folder})
endforeach()

if(TARGET tact)
  if(BUILD_SHARED_LIBS)
    file(RELATIVE_PATH up /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR})
    set_target_properties(tact PROPERTIES INSTALL_RPATH "$ORIGIN/${up}")
  endif()
  install(TARGETS tact)
endif()
