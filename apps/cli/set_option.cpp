#include <cli/set_option.hpp>

#include <CLI/CLI.hpp>

namespace tact::cli {

void add_set_option(CLI::App& app, const std::shared_ptr<std::vector<std::string>>& patches)
{
  app.add_option_function<std::vector<std::string>>(
         "--set",
         [patches](const std::vector<std::string>& values) {
           patches->insert(patches->end(), values.begin(), values.end());
         },
         "/json/pointer=value: changes any value of the scene; may be given several times")
      ->type_name("PATCH")
      ->take_all();
}

}  // namespace tact::cli
