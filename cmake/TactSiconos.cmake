# Siconos (Apache 2.0, Debian's libsiconos-numerics-dev), for `tact bench solvers` alone: target
# tact_siconos where it is installed, else none. Sanitizers would report its leaks as ours.
if(TACT_SANITIZE)
  return()
endif()
find_path(TACT_SICONOS_INCLUDE SiconosNumerics.h PATH_SUFFIXES siconos/numerics)
find_path(TACT_SICONOS_CONFIG SiconosConfig.h PATH_SUFFIXES siconos)
find_library(TACT_SICONOS_LIBRARY siconos_numerics)
mark_as_advanced(TACT_SICONOS_INCLUDE TACT_SICONOS_CONFIG TACT_SICONOS_LIBRARY)
if(TACT_SICONOS_INCLUDE AND TACT_SICONOS_CONFIG AND TACT_SICONOS_LIBRARY)
  add_library(tact_siconos INTERFACE IMPORTED)
  target_include_directories(tact_siconos SYSTEM INTERFACE ${TACT_SICONOS_INCLUDE} ${TACT_SICONOS_CONFIG})
  target_link_libraries(tact_siconos INTERFACE ${TACT_SICONOS_LIBRARY})
endif()
