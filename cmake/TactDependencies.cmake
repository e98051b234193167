# Everything comes from Debian packages; the root scripts ./demo and ./check install them.
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(fmt REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(CLI11 2.1 REQUIRED)
find_package(Threads REQUIRED)
find_package(TBB REQUIRED)
find_package(Freetype REQUIRED)
include(TactHdf5)
find_package(PNG REQUIRED)
if(TACT_BUILD_TESTS)
  find_package(doctest REQUIRED)
  include(doctest)  # doctest_discover_tests
endif()
