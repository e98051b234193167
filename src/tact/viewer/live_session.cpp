#include <tact/viewer/live_session.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include <tact/core/error.hpp>
#include <tact/core/printable.hpp>
#include <tact/core/timer.hpp>
#include <tact/setup/step_options.hpp>
#include <tact/solvers/solvers.hpp>
#include <tact/viewer/contact_image.hpp>
#include <tact/viewer/live_simulation.hpp>
#include <tact/viewer/scene_encoder.hpp>

namespace tact {
namespace {

using Json = nlohmann::json;

// What pages have asked for and the simulation has not looked at yet: a fixed size, however many
// ask.
struct Wishes {
  bool running = false;
  int steps = 0;  // single ones, at most one a look
  bool reset = false;
  bool save = false;
  bool refresh = false;  // tell pages, though nothing has moved
  double speed = 1.0;    // simulated seconds a second, at most
  LiveSettings settings;
  std::optional<Pull> pull;

  bool any(bool can_step) const
  {
    return (running && can_step) || steps > 0 || reset || save || refresh;
  }
};

// Holds a simulation back to real time, but does not make it catch up.
class Pace {
 public:
  // Seconds to wait after a step to time t.
  double wait(double t, double speed)
  {
    if (t < t_ || speed != speed_) begin(t, speed);
    const double ahead = (t - t_) / speed - timer_.seconds();
    if (ahead < -0.1) begin(t, speed);
    return std::max(0.0, ahead);
  }

  void begin(double t, double speed)
  {
    t_ = t;
    speed_ = speed;
    timer_ = Timer();
  }

 private:
  double t_ = 0.0, speed_ = 1.0;
  Timer timer_;
};

class LiveSession final : public Session {
 public:
  LiveSession(Scene scene, const LiveOptions& options)
      : options_(options),
        simulation_(std::move(scene), options.version),
        encoder_(simulation_.header(), simulation_.frame())
  {
    wishes_.settings = simulation_.settings();
    wishes_.running = options.running;
    publish();
    thread_ = std::thread([this] { simulate(); });
  }

  ~LiveSession() override
  {
    {
      const std::lock_guard lock(mutex_);
      stopped_ = true;
    }
    woken_.notify_all();
    thread_.join();
  }

  Message scene() override
  {
    Json solvers = Json::array();
    for (const std::string& name : contact_method_names()) solvers.push_back(name);
    return std::make_shared<std::string>(
        encoder_.scene({{"mode", "live"}, {"solvers", std::move(solvers)}}));
  }

  Message frame(const FrameRequest& request) override
  {
    const std::lock_guard lock(mutex_);
    return serial_ > request.after ? latest_ : nullptr;
  }

  void command(const Json& command) override
  {
    {
      const std::lock_guard lock(mutex_);
      note(command);
    }
    woken_.notify_all();
  }

  void on_news(std::function<void()> wake) override
  {
    const std::lock_guard lock(mutex_);
    wake_ = std::move(wake);
  }

 private:
  // With the lock held. Throws for what cannot be done.
  void note(const Json& command)
  {
    const auto what = command.value("do", "");
    if (what == "run") {
      wishes_.running = true;
      blocked_ = false;
    } else if (what == "pause") {
      wishes_.running = false;
    } else if (what == "step") {
      wishes_.running = blocked_ = false;
      wishes_.steps = 1;
    } else if (what == "reset") {
      wishes_.reset = true;
      blocked_ = false;
    } else if (what == "save") {
      wishes_.save = true;
    } else if (what == "set") {
      note_settings(command);
    } else if (what == "pull") {
      wishes_.pull = pull_of(command);
    } else if (what == "release") {
      wishes_.pull.reset();
    } else {
      throw Error(fmt::format(
          "found command \"{}\", expected run, pause, step, reset, save, set, pull or release",
          what));
    }
    wishes_.refresh = true;
  }

  void note_settings(const Json& command)
  {
    LiveSettings settings = wishes_.settings;
    settings.solver = command.value("solver", settings.solver);
    settings.dt = command.value("dt", settings.dt);
    if (command.contains("mu"))
      settings.mu =
          command["mu"].is_null() ? std::nullopt : std::optional(command["mu"].get<double>());
    validate(settings);
    const double speed = command.value("speed", wishes_.speed);
    if (!(speed > 0.0)) throw Error(fmt::format("speed: found {:g}, expected more than 0", speed));
    wishes_.settings = settings;
    wishes_.speed = speed;
    blocked_ = false;
  }

  Pull pull_of(const Json& command) const
  {
    const auto to = command.at("to").get<std::array<double, 3>>();
    const Pull pull{.body = command.at("body").get<int>(),
                    .vertex = command.at("vertex").get<int>(),
                    .to = {to[0], to[1], to[2]}};
    const World& world = simulation_.scene().world;
    const bool known = pull.body >= 0 && pull.body < world.body_count();
    if (!known || world.place(pull.body).component < 0 || pull.vertex < 0 ||
        pull.vertex >= world.body(pull.body).vertex_count() || !pull.to.allFinite())
      throw Error("pull: expected a vertex of a body that can move, and a place");
    return pull;
  }

  // The thread of the simulation.
  void simulate()
  {
    for (;;) {
      Wishes now;
      {
        std::unique_lock lock(mutex_);
        woken_.wait(lock, [this] { return stopped_ || wishes_.any(!blocked_); });
        if (stopped_) return;
        now = wishes_;
        wishes_.steps = 0;
        wishes_.reset = wishes_.save = wishes_.refresh = false;
      }
      const double wait = fulfil(now);
      publish();
      if (wait > 0.0) hold_back(wait);
    }
  }

  // Returns how long to wait, s.
  double fulfil(const Wishes& now)
  {
    try {
      simulation_.change(now.settings);
      if (now.reset) simulation_.reset();
      simulation_.pull(now.pull);
      if (now.save) tell("Saved " + simulation_.save_problem(options_.folder).string());
      if (now.steps > 0 || (now.running && !now.reset)) return advance(now);
    } catch (const std::exception& error) {  // no memory, a full disk: the page is told
      tell(told(error));
      block();
    }
    return 0.0;
  }

  double advance(const Wishes& now)
  {
    if (!simulation_.step()) {
      block();
      return 0.0;
    }
    return now.running ? pace_.wait(simulation_.frame().t, now.speed) : 0.0;
  }

  void hold_back(double seconds)
  {
    std::unique_lock lock(mutex_);
    woken_.wait_for(lock, std::chrono::duration<double>(seconds),
                    [this] { return stopped_ || wishes_.refresh; });
  }

  // No more steps until someone changes something.
  void block()
  {
    const std::lock_guard lock(mutex_);
    blocked_ = true;
    wishes_.running = false;
  }

  void tell(std::string text)
  {
    ++notice_;
    notice_text_ = std::move(text);
  }

  void publish()
  {
    MessageWriter message;
    ContactImage image;
    if (simulation_.problem()) image = contact_image(contact_partners(*simulation_.problem()));
    message.add("pattern", image.pixels);
    Json extra = state_of_simulation();
    extra["pattern"] = to_json(image);
    {
      const std::lock_guard lock(mutex_);
      extra["serial"] = serial_ + 1;
      extra["running"] = wishes_.running;
    }
    auto latest = std::make_shared<std::string>(
        encoder_.frame(simulation_.frame(), std::move(extra), std::move(message)));
    const std::lock_guard lock(mutex_);
    ++serial_;
    latest_ = std::move(latest);
    if (wake_) wake_();
  }

  Json state_of_simulation() const
  {
    const LiveSettings& settings = simulation_.settings();
    const PhaseSeconds& seconds = simulation_.report().seconds;
    Json state = {{"tolerance", simulation_.scene().run.contact.tolerance},
                  {"settings",
                   {{"solver", settings.solver},
                    {"dt", settings.dt},
                    {"mu", settings.mu ? Json(*settings.mu) : Json()},
                    {"scene_mu", simulation_.scene().friction.mu}}},
                  {"failure", simulation_.failure()},
                  {"notice", {{"serial", notice_}, {"text", notice_text_}}}};
    if (simulation_.frame().step == 0) return state;
    state["step_seconds"] = simulation_.step_seconds();
    state["history"] = simulation_.report().history;
    state["seconds"] = {{"dynamics", seconds.dynamics},
                        {"broad_phase", seconds.broad_phase},
                        {"narrow_phase", seconds.narrow_phase},
                        {"solve", seconds.solve}};
    return state;
  }

  LiveOptions options_;
  LiveSimulation simulation_;  // of the thread, but for what is constant
  SceneEncoder encoder_;
  Pace pace_;
  int notice_ = 0;
  std::string notice_text_;

  std::mutex mutex_;  // of what follows
  std::condition_variable woken_;
  Wishes wishes_;
  bool blocked_ = false;  // the last step failed
  bool stopped_ = false;
  std::int64_t serial_ = 0;
  Message latest_;
  std::function<void()> wake_;
  std::thread thread_;
};

}  // namespace

std::unique_ptr<Session> start_live_session(Scene scene, const LiveOptions& options)
{
  return std::make_unique<LiveSession>(std::move(scene), options);
}

}  // namespace tact
