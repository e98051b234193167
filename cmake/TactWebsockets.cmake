# libwebsockets, which serves the viewer, as the target tact_websockets. Its own package asks for more
# libraries than are used here.
find_path(TACT_WEBSOCKETS_INCLUDE libwebsockets.h)
find_library(TACT_WEBSOCKETS_LIBRARY websockets)
mark_as_advanced(TACT_WEBSOCKETS_INCLUDE TACT_WEBSOCKETS_LIBRARY)
if(NOT TACT_WEBSOCKETS_INCLUDE OR NOT TACT_WEBSOCKETS_LIBRARY)
  message(FATAL_ERROR "libwebsockets not found: install libwebsockets-dev")
endif()
add_library(tact_websockets INTERFACE IMPORTED)
target_include_directories(tact_websockets SYSTEM INTERFACE ${TACT_WEBSOCKETS_INCLUDE})
target_link_libraries(tact_websockets INTERFACE ${TACT_WEBSOCKETS_LIBRARY})
