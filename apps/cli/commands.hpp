// The commands: each declares its options and gives back what to do once they are filled.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include <cli/console.hpp>

namespace CLI {
class App;
}

namespace tact::cli {

using Action = std::function<int(const Console&)>;  // returns an ExitCode

struct Command {
  std::string_view name;
  std::string_view summary;
  std::string_view examples;  // lines to copy and paste; they open the help
  Action (*declare)(CLI::App& app);
};

Command run_command();
Command solve_command();
Command check_command();
Command schema_command();
Command list_command();
Command bench_command();
Command ccd_command();
Command verify_command();
Command fuzz_command();
Command export_command();
Command render_command();
Command view_command();
Command plot_command();
Command info_command();
Command diff_command();
Command new_command();

}  // namespace tact::cli
