#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <tact/core/error.hpp>

using namespace tact;

TEST_CASE("the nearest spelling is named when it is near and nothing is named when none is")
{
  const std::vector<std::string> known{"lemke", "lemke-cone", "pgs", "block-pivoting"};
  CHECK(did_you_mean("lemkee", known) == "; did you mean \"lemke\"?");
  CHECK(did_you_mean("lemke-coen", known) == "; did you mean \"lemke-cone\"?");
  CHECK(did_you_mean("gps", known) == "; did you mean \"pgs\"?");
  CHECK(did_you_mean("block", known) == "; did you mean \"block-pivoting\"?");  // a beginning
  CHECK(did_you_mean("newton", known).empty());
  CHECK(
      did_you_mean("fbx", {"obj", "ply", "glb"}).empty());  // two letters of three are another word
  CHECK(did_you_mean("obk", {"obj", "ply", "glb"}) == "; did you mean \"obj\"?");
  CHECK(did_you_mean("lemke", {}).empty());
}
