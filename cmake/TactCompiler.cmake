# Language, warnings, sanitizers and ccache, for every target of the project.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

# Presets compile several sources as one (CMAKE_UNITY_BUILD) to share their headers. There,
# a local name may be that of another file's helper, and a source is an included file to the compiler.
if(NOT CMAKE_UNITY_BUILD)
  set(shadow -Wshadow)
elseif(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(shadow -Wshadow=local -Wno-subobject-linkage)
endif()

add_compile_options(-Wall -Wextra -Wpedantic ${shadow} -Wnon-virtual-dtor -Wold-style-cast
  -Woverloaded-virtual -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 finds uninitialised values and short arrays in its own AVX-512 headers where Eigen uses
  # them (GCC bug 105593). Clang, which knows the same warnings, has them on.
  add_compile_options(-Wno-maybe-uninitialized -Wno-uninitialized -Wno-array-bounds)
  # Its garbage collector looks through a whole precompiled header each time: a seventh of the time to
  # compile. So it is not to collect below 1.5 GB.
  add_compile_options("SHELL:--param ggc-min-expand=1000" "SHELL:--param ggc-min-heapsize=1500000")
endif()

# The same source gives the same bits however the compiler schedules it: no silent fused
# multiply-add. Kernels that gain from one and whose answers are certified ask for it by name.
add_compile_options(-ffp-contract=off)

if(TACT_ARCH)
  add_compile_options(-march=${TACT_ARCH})
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")
# For code that only reads, writes, arranges or tests.
if(TACT_QUICK_GLUE)
  set(TACT_GLUE_OPTIONS -Og)
endif()

if(TACT_SANITIZE)
  # Left out are the checks that more than double the time to compile Eigen and find what
  # AddressSanitizer or the processor finds too.
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
    -fno-sanitize=null,alignment,vptr,object-size,nonnull-attribute,returns-nonnull-attribute)
  add_link_options(-fsanitize=address,undefined)
  set(CMAKE_CXX_FLAGS_DEBUG "-O1 -g1")  # -O0 makes Eigen fifty times slower
  set(TACT_GLUE_OPTIONS)
endif()

# Parallel loops run on plain threads then (tests/tsan): oneTBB's library is not compiled with the sanitizer.
if(TACT_THREAD_SANITIZE)
  add_compile_options(-fsanitize=thread)
  add_link_options(-fsanitize=thread)
  include_directories(BEFORE ${PROJECT_SOURCE_DIR}/tests/tsan)
  set(CMAKE_CXX_FLAGS_RELEASE "-O1 -g1")
  set(TACT_GLUE_OPTIONS)
endif()

# Precompiled headers and ccache go together only with these sloppiness settings.
find_program(TACT_CCACHE ccache)
if(TACT_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER
    ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
    ${TACT_CCACHE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-fpch-preprocess)
  else()
    add_compile_options("SHELL:-Xclang -fno-pch-timestamp")
  endif()
endif()
