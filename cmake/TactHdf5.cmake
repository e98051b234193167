# The serial HDF5 library and its C interface, as the target tact_hdf5. CMake's own module asks for a
# C compiler, which nothing else here needs.
find_path(TACT_HDF5_INCLUDE hdf5.h PATH_SUFFIXES hdf5/serial)
find_library(TACT_HDF5_LIBRARY NAMES hdf5_serial hdf5)
if(NOT TACT_HDF5_INCLUDE OR NOT TACT_HDF5_LIBRARY)
  message(FATAL_ERROR "HDF5 not found: install libhdf5-dev")
endif()
add_library(tact_hdf5 INTERFACE IMPORTED)
target_include_directories(tact_hdf5 SYSTEM INTERFACE ${TACT_HDF5_INCLUDE})
target_link_libraries(tact_hdf5 INTERFACE ${TACT_HDF5_LIBRARY})
