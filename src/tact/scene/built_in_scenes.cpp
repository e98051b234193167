#include <tact/scene/built_in_scenes.hpp>

#include <iterator>

#include <fmt/format.h>

#include <tact/core/error.hpp>
#include <tact/samples/cloth_scenes.hpp>
#include <tact/samples/pinch_lift_scene.hpp>
#include <tact/samples/rigid_scenes.hpp>
#include <tact/samples/soft_scenes.hpp>
#include <tact/scene/built_in_scene.hpp>
#include <tact/scene/built_in_scene_groups.hpp>

namespace tact {
namespace {

Range from(double low, double high)
{
  return {.low = low, .high = high};
}

BuiltInScene falling_cloth_scene()
{
  using S = FallingCloth;
  return built_in_scene<S>(
      "falling-cloth",
      "a sheet falls on its edge and lays itself in folds on the ground [Otaduy09]", falling_cloth,
      {{"vertices", &S::vertices, "", from(3, 1000), "along each edge"},
       {"size", &S::size, "m", positive_length, "of an edge"},
       {"mass", &S::mass, "kg", positive, "of the sheet"},
       {"height", &S::height, "m", positive_length, "of the lower edge above the ground"},
       {"stretch", &S::stretch, "N/m", positive, "stiffness along edges; that of shear is half"},
       {"bend", &S::bend, "N/m", not_negative, "stiffness across two edges"},
       {"damping", &S::damping, "s", not_negative, "of the springs, over their stiffness"},
       {"drag", &S::drag, "N s/m^3", not_negative, "of the air, over area and velocity"}});
}

BuiltInScene letters_scene()
{
  using S = Letters;
  return built_in_scene<S>(
      "letters", "soft letters fall into a box in one pile, then walls push in [Otaduy09]", letters,
      {{"count", &S::count, "", from(1, 10000), "letters"},
       {"columns", &S::columns, "", from(1, 100), "of a falling layer, along x"},
       {"rows", &S::rows, "", from(1, 100), "of a falling layer, along z"},
       {"height", &S::height, "m", positive_length, "of a capital letter"},
       {"depth", &S::depth, "m", positive_length, "of a letter"},
       {"tetrahedra", &S::tetrahedra, "", from(6, 5000), "of a letter, on average"},
       {"young", &S::young, "Pa", positive, "Young's modulus"},
       {"density", &S::density, "kg/m^3", positive, "of a letter"},
       {"damping", &S::damping, "s", not_negative, "Rayleigh's beta"},
       {"push", &S::push, "", from(0.0, 0.8), "how far the walls come in, over the width"},
       {"push_start", &S::push_start, "s", from(0.0, 1e6), "when they start"},
       {"push_end", &S::push_end, "s", from(0.0, 1e6), "when they stop"}});
}

BuiltInScene unified_scene()
{
  using S = Unified;
  return built_in_scene<S>(
      "unified", "rigid bodies, soft solids and cloth in one pile [Otaduy09]", unified,
      {{"layers", &S::layers, "", from(1, 100), "of four solids and a sheet"},
       {"vertices", &S::vertices, "", from(3, 500), "along each edge of a sheet"},
       {"size", &S::size, "m", positive_length, "of a solid"},
       {"young", &S::young, "Pa", positive, "Young's modulus"},
       {"cells", &S::cells, "", from(1, 40), "of a soft solid, from side to side"}});
}

BuiltInScene dress_scene()
{
  using S = Dress;
  return built_in_scene<S>(
      "dress",
      "a bodice and a skirt of six layers on a dancer who steps, kicks and turns [Otaduy09]", dress,
      {{"layers", &S::layers, "", from(1, 20), "of the skirt"},
       {"around", &S::around, "", from(8, 1000), "vertices around a layer"},
       {"down", &S::down, "", from(3, 1000), "vertices down a layer"},
       {"separation", &S::separation, "m", positive_length, "between layers and from the body"},
       {"length", &S::length, "m", positive_length, "along the innermost layer"},
       {"flare", &S::flare, "", from(0.0, 2.0), "growth of the radius over the descent"},
       {"ruffle", &S::ruffle, "m", from(0.0, 1.0), "height of the waves at the hem"},
       {"waves", &S::waves, "", from(0, 100), "around the hem"},
       {"turn", &S::turn, "s", from(0.1, 3.0), "for the turn by 360 degrees"},
       {"kick", &S::kick, "degrees", from(0.0, 80.0), "of the right leg"},
       {"stretch", &S::stretch, "N/m", positive, "stiffness along edges; that of shear is half"},
       {"bend", &S::bend, "N/m", not_negative, "stiffness across two edges"}});
}

BuiltInScene pinch_lift_scene()
{
  using S = PinchLift;
  return built_in_scene<S>(
      "pinch-lift", "two pads pinch a sheet, lift it, hold it and let go", pinch_lift,
      {{"vertices", &S::vertices, "", from(5, 500), "along each edge of the sheet"},
       {"size", &S::size, "m", positive_length, "of an edge"},
       {"mass", &S::mass, "kg", positive, "of the sheet"},
       {"pad", &S::pad, "m", positive_length, "edge of a pad"},
       {"stiffness", &S::stiffness, "N/m", positive, "of each of a pad's four springs"},
       {"squeeze", &S::squeeze, "m", positive_length, "that the jaws close beyond the sheet"},
       {"lift", &S::lift, "m", not_negative, "height"},
       {"hold", &S::hold, "s", from(0.1, 1e5), "how long"}});
}

BuiltInScene mass_ratio_scene()
{
  using S = MassRatio;
  return built_in_scene<S>(
      "mass-ratio", "a stack whose top box is 1,000 times heavier than those below", mass_ratio,
      {{"ratio", &S::ratio, "", positive, "mass of the top box over that of another"},
       {"boxes", &S::boxes, "", from(1, 1000), "of the stack"},
       {"size", &S::size, "m", positive_length, "of a box"},
       {"density", &S::density, "kg/m^3", positive, "of the light boxes"},
       {"gap", &S::gap, "m", positive_length, "under each box at the start"}});
}

BuiltInScene block_on_slope_scene()
{
  using S = BlockOnSlope;
  return built_in_scene<S>(
      "block-on-slope", "a block stays up to an angle of atan(mu) [Lazarevych10]", block_on_slope,
      {{"angle", &S::angle, "degrees", from(0.0, 89.0), "of the slope"},
       {"size", &S::size, "m", positive_length, "of the block"},
       {"gap", &S::gap, "m", positive_length, "under the block at the start"}});
}

BuiltInScene hanging_cloth_scene()
{
  using S = HangingCloth;
  return built_in_scene<S>(
      "hanging-cloth", "a sheet held at two corners swings down", hanging_cloth,
      {{"vertices", &S::vertices, "", from(3, 1000), "along each edge"},
       {"size", &S::size, "m", positive_length, "of an edge"},
       {"mass", &S::mass, "kg", positive, "of the sheet"},
       {"stretch", &S::stretch, "N/m", positive, "stiffness along edges; that of shear is half"},
       {"bend", &S::bend, "N/m", not_negative, "stiffness across two edges"}});
}

BuiltInScene spinning_bodies_scene()
{
  using S = SpinningBodies;
  return built_in_scene<S>("spinning-bodies",
                           "free rigid bodies spin without gravity; the box flips", spinning_bodies,
                           {{"spin", &S::spin, "rad/s", any_number, "of all bodies"},
                            {"size", &S::size, "m", positive_length, "of the bodies"}});
}

BuiltInScene soft_beam_scene()
{
  using S = SoftBeam;
  constexpr Range poisson{.low = -1.0, .high = 0.5, .open_low = true, .open_high = true};
  return built_in_scene<S>(
      "soft-beam", "a soft bar held at one end bends under its weight", soft_beam,
      {{"length", &S::length, "m", positive_length, "along x"},
       {"width", &S::width, "m", positive_length, "along z"},
       {"height", &S::height, "m", positive_length, "along y"},
       {"cells", &S::cells, "", from(1, 30), "across the height; elsewhere in proportion"},
       {"young", &S::young, "Pa", positive, "Young's modulus"},
       {"poisson", &S::poisson, "", poisson, "Poisson's ratio"},
       {"density", &S::density, "kg/m^3", positive, "of the bar"},
       {"damping", &S::damping, "s", not_negative, "Rayleigh's beta"}});
}

BuiltInScene chain_scene()
{
  using S = Chain;
  return built_in_scene<S>("chain", "rigid links pinned end to end swing from a fixed point", chain,
                           {{"links", &S::links, "", from(1, 1000), "of the chain"},
                            {"length", &S::length, "m", positive_length, "of a link"},
                            {"radius", &S::radius, "m", positive_length, "of a link"},
                            {"density", &S::density, "kg/m^3", positive, "of a link"}});
}

BuiltInScene drop_letters_scene()
{
  using S = DropLetters;
  return built_in_scene<S>("drop-letters", "a word of soft letters falls on the ground",
                           drop_letters,
                           {{"text", &S::text, "", {}, "ASCII letters, digits and signs"},
                            {"height", &S::height, "m", positive_length, "of a capital letter"},
                            {"depth", &S::depth, "m", positive_length, "of a letter"},
                            {"drop", &S::drop, "m", positive_length, "height above the ground"},
                            {"tetrahedra", &S::tetrahedra, "", from(6, 5000), "of a letter, about"},
                            {"young", &S::young, "Pa", positive, "Young's modulus"},
                            {"density", &S::density, "kg/m^3", positive, "of a letter"}});
}

}  // namespace

const std::vector<BuiltInScene>& built_in_scenes()
{
  static const std::vector<BuiltInScene> scenes = [] {
    std::vector<BuiltInScene> all = {
        falling_cloth_scene(),   letters_scene(),    unified_scene(),        dress_scene(),
        pinch_lift_scene(),      mass_ratio_scene(), block_on_slope_scene(), hanging_cloth_scene(),
        spinning_bodies_scene(), soft_beam_scene(),  chain_scene(),          drop_letters_scene()};
    for (auto group :
         {coupling_built_ins(), region_built_ins(), lloyd_built_ins(), edge_built_ins()})
      std::move(group.begin(), group.end(), std::back_inserter(all));
    return all;
  }();
  return scenes;
}

const BuiltInScene& find_built_in_scene(const JsonValue& name)
{
  std::vector<std::string> names;
  for (const BuiltInScene& scene : built_in_scenes()) {
    if (name.value() == scene.name) return scene;
    names.push_back(scene.name);
  }
  const std::string given = name.value().is_string() ? name.text() : "";
  name.reject("the name of a built-in scene (`tact list scenes`)" + did_you_mean(given, names));
}

std::string parameter_names(const BuiltInScene& scene)
{
  std::vector<std::string> names;
  for (const Key& key : scene.parameters) names.push_back(key.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace tact
