#include <doctest/doctest.h>

#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <bench/collision.hpp>

using namespace tact;

namespace {

// As many contacts and crossings, and trees at most the pairs of others.
void check_that_methods_agree(const std::vector<CollisionRow>& rows)
{
  for (const CollisionRow& a : rows) {
    for (const CollisionRow& b : rows) {
      if (a.scene != b.scene || a.triangles != b.triangles) continue;
      if (a.method == "trees")
        CHECK(a.pairs <= b.pairs);
      else if (b.method != "trees")
        CHECK(a.pairs == b.pairs);
      CHECK(a.contacts == b.contacts);
      CHECK(a.crossings == b.crossings);
    }
  }
}

}  // namespace

TEST_CASE("a quick run of the collision bench misses nothing and all its methods find the same")
{
  BenchOptions options;
  options.quick = true;
  options.quiet = true;
  const CollisionResults results = measure_collision(options);
  const std::vector<Claim> claims = collision_claims(results);
  CHECK_FALSE(claims.empty());
  for (const Claim& claim : claims) {
    CAPTURE(claim.name);
    if (!claim.timed) CHECK(claim.holds());
  }

  check_that_methods_agree(results.rows);

  // The keys that scripts read.
  const auto json = nlohmann::json::parse(collision_json(results));
  CHECK(json.at("bench") == "collision");
  std::set<std::string> scenes;
  for (const auto& row : json.at("rows")) {
    for (const char* key : {"triangles", "pairs", "broad_ms", "proximity_ms", "ccd_ms"}) {
      CHECK(row.at(key).is_number());
    }
    scenes.insert(row.at("scene"));
  }
  std::set<std::string> together;
  for (const auto& row : json.at("together")) {
    for (const char* key : {"speed", "spin", "triangles", "pairs", "look_ms", "step_ms"}) {
      CHECK(row.at(key).is_number());
    }
    together.insert(row.at("scene"));
  }
  CHECK(together == std::set<std::string>{"over ground", "spheres", "square cloth"});
  CHECK(scenes == std::set<std::string>{"cube pile", "long pile", "square cloth", "wide cloth"});
}
