// The server: who is let in, what frames cost, and what a slow page does to others.
#include <atomic>
#include <set>
#include <thread>

#include <doctest/doctest.h>

#include <files/temporary_folder.hpp>
#include <recording/sample.hpp>
#include <tact/core/error.hpp>
#include <tact/core/timer.hpp>
#include <tact/recording/recording_writer.hpp>
#include <tact/viewer/access.hpp>
#include <tact/viewer/recording_session.hpp>
#include <tact/viewer/scene_encoder.hpp>
#include <tact/viewer/server.hpp>

#include "socket_client.hpp"

namespace tact {
namespace {

// Serves in a thread of its own until it goes.
class Serving {
 public:
  explicit Serving(Session& session) : server_(session, {}), thread_([this] { server_.run(stop_); })
  {
  }
  ~Serving() { stop(); }
  Serving(const Serving&) = delete;
  Serving& operator=(const Serving&) = delete;

  ServerReport stop()
  {
    stop_ = true;
    if (thread_.joinable()) thread_.join();
    return server_.report();
  }

  int port() const { return server_.port(); }
  const std::string& token() const { return server_.token(); }

 private:
  std::atomic<bool> stop_ = false;
  ViewServer server_;
  std::thread thread_;
};

// A waving sheet: every request is a new frame, made when it is asked for. Keeps count of messages
// that somebody still holds.
class WavingSheet final : public Session {
 public:
  explicit WavingSheet(int side) : header_(sample_header(side))
  {
    header_.bodies = {header_.bodies[1]};
    header_.bodies[0].first_vertex = header_.bodies[0].q_first = header_.bodies[0].v_first = 0;
    wave();
    encoder_.emplace(header_, frame_);
  }

  Message scene() override { return std::make_shared<std::string>(encoder_->scene({})); }

  Message frame(const FrameRequest&) override
  {
    wave();
    const Message message =
        std::make_shared<std::string>(encoder_->frame(frame_, {{"serial", frame_.step}}));
    std::erase_if(given_, [](const auto& old) { return old.expired(); });
    given_.push_back(message);
    most_held_ = std::max(most_held_.load(), static_cast<int>(given_.size()));
    return message;
  }

  void command(const nlohmann::json& command) override
  {
    throw Error("found " + command.dump() + ", expected nothing");
  }
  void on_news(std::function<void()>) override {}

  int most_held() const { return most_held_; }
  int vertices() const { return header_.vertex_count(); }

 private:
  void wave()
  {
    ++frame_.step;
    const int side = static_cast<int>(std::lround(std::sqrt(header_.vertex_count())));
    frame_.vertices.resize(header_.vertex_count());
    for (int k = 0; k < header_.vertex_count(); ++k) {
      const double u = 1.0 * (k / side) / side, w = 1.0 * (k % side) / side;
      frame_.vertices[k] = {u, 0.1 * std::sin(20.0 * u + 0.1 * static_cast<double>(frame_.step)),
                            w};
    }
  }

  RecordingHeader header_;
  Frame frame_;
  std::optional<SceneEncoder> encoder_;
  std::vector<std::weak_ptr<const std::string>> given_;
  std::atomic<int> most_held_ = 0;
};

TEST_CASE("tokens are 128 bits and differ")
{
  std::set<std::string> tokens;
  for (int k = 0; k < 100; ++k) {
    tokens.insert(make_token());
    CHECK(tokens.begin()->size() == 32);
  }
  CHECK(tokens.size() == 100);
}

TEST_CASE("the gate admits its own page on this machine and nobody else")
{
  const Gate gate{.token = "secret", .port = 8080};
  CHECK(gate.admits_page({"secret", "127.0.0.1:8080", ""}));
  CHECK(gate.admits_page({"secret", "localhost:8080", ""}));
  for (const AccessRequest& wrong :
       {AccessRequest{"", "127.0.0.1:8080", ""}, AccessRequest{"Secret", "127.0.0.1:8080", ""},
        AccessRequest{"secret", "127.0.0.1:80", ""}, AccessRequest{"secret", "evil.example", ""},
        AccessRequest{"secret", "", ""}})
    CHECK_FALSE(gate.admits_page(wrong));
  CHECK(gate.admits_socket({"secret", "127.0.0.1:8080", "http://127.0.0.1:8080"}));
  for (const char* origin :
       {"", "null", "http://evil.example", "https://127.0.0.1:8080", "http://127.0.0.1:80801",
        "http://127.0.0.1:8080.evil.example", "http://localhost"})
    CHECK_FALSE(gate.admits_socket({"secret", "127.0.0.1:8080", origin}));
}

TEST_CASE("requests without the token or from a foreign page are refused")
{
  WavingSheet sheet(4);
  const Serving serving(sheet);
  const std::string host = fmt::format("Host: 127.0.0.1:{}\r\n", serving.port());
  const std::string good = "/?token=" + serving.token();
  const auto status = [&](const std::string& path, const std::string& headers) {
    SocketClient client(serving.port());
    REQUIRE(client.connected());
    return client.ask(path, headers);
  };
  CHECK(status("/", host) == 403);
  CHECK(status("/?token=0123", host) == 403);
  CHECK(status(good, fmt::format("Host: evil.example:{}\r\n", serving.port())) == 403);
  CHECK(status("/etc/passwd", host) == 404);
  const std::string upgrade = host + SocketClient::upgrade_headers();
  const std::string own = fmt::format("Origin: http://127.0.0.1:{}\r\n", serving.port());
  CHECK(status(good, upgrade + own) == 101);
  CHECK(status(good, upgrade) != 101);
  CHECK(status(good, upgrade + "Origin: http://evil.example\r\n") != 101);
  CHECK(status("/", upgrade + own) != 101);
}

TEST_CASE("a page gets the scene and then one frame for each request")
{
  WavingSheet sheet(4);
  Serving serving(sheet);
  SocketClient client(serving.port());
  REQUIRE(client.upgrade(serving.port(), serving.token()));
  const std::string scene = client.receive();
  CHECK(read_message(scene).head["type"] == "scene");
  for (int k = 0; k < 5; ++k) {
    client.send(R"({"frame": 0})");
    const std::string frame = client.receive();
    CHECK(read_message(frame).head["type"] == "frame");
  }
  client.send(R"({"do": "dance"})");
  const std::string notice = client.receive();
  CHECK(read_message(notice).head["type"] == "notice");
  CHECK(serving.stop().frames == 5);
}

TEST_CASE("a page that sends what is no command is shown the door")
{
  WavingSheet sheet(4);
  const Serving serving(sheet);
  SocketClient client(serving.port());
  REQUIRE(client.upgrade(serving.port(), serving.token()));
  client.receive();
  client.send("[1, 2");
  CHECK(client.receive().empty());
}

TEST_CASE("a page that asks and does not read holds one frame and slows nobody")
{
  WavingSheet sheet(150);  // 135 kB a frame: several pieces
  Serving serving(sheet);
  SocketClient slow(serving.port()), quick(serving.port());
  REQUIRE(slow.upgrade(serving.port(), serving.token()));
  REQUIRE(quick.upgrade(serving.port(), serving.token()));
  for (int k = 0; k < 20; ++k) slow.send(R"({"frame": 0})");  // and never reads
  quick.receive();
  for (int k = 0; k < 200; ++k) {
    quick.send(R"({"frame": 0})");
    REQUIRE_FALSE(quick.receive().empty());
    slow.send(R"({"frame": 0})");
  }
  // At any time one on its way to each, and the one that is being made.
  CHECK(sheet.most_held() <= 3);
}

TEST_SUITE("slow")
{
  TEST_CASE("20000 moving vertices cost the server less than a 60th of a second a frame")
  {
    WavingSheet sheet(142);
    CHECK(sheet.vertices() >= 20000);
    Serving serving(sheet);
    SocketClient client(serving.port());
    REQUIRE(client.upgrade(serving.port(), serving.token()));
    client.receive();
    constexpr int frames = 300;
    const Timer timer;
    for (int k = 0; k < frames; ++k) {
      client.send(R"({"frame": 0})");
      REQUIRE_FALSE(client.receive().empty());
    }
    const double wall = timer.seconds();
    const ServerReport report = serving.stop();
    REQUIRE(report.frames == frames);
    MESSAGE(
        fmt::format("{:.2f} ms of work a frame of {:.0f} kB, {:.0f} frames a second on loopback",
                    1e3 * report.seconds / frames,
                    1e-3 * static_cast<double>(report.bytes) / frames, frames / wall));
    CHECK(report.seconds / frames < 1.0 / 60.0);
  }
}

TEST_CASE("a recording that grows is seen to grow")
{
  const TemporaryFolder folder;
  const RecordingHeader header = sample_header();
  RecordingWriter writer = RecordingWriter::create(folder.path(), header);
  Frame frame;
  frame.vertices.assign(header.vertex_count(), Vector3d::Ones());
  frame.q.setOnes(header.q_size());
  frame.v.setZero(header.v_size());
  writer.append(frame);
  writer.commit();
  const std::unique_ptr<Session> session = open_recording_session(folder.path());
  CHECK(read_message(*session->frame({.frame = 5})).head["frames"] == 1);
  frame.step = 1;
  frame.t = 0.01;
  writer.append(frame);
  writer.commit();
  const Timer timer;
  nlohmann::json head;
  do {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    session->tick();
    head = read_message(*session->frame({.frame = 5, .after = 0})).head;
  } while (head["frames"] != 2 && timer.seconds() < 10.0);
  CHECK(head["frames"] == 2);
  CHECK(head["frame"] == 1);
  CHECK(head["new_times"] == nlohmann::json::array({0.01}));
  CHECK(head["finished"] == false);
  writer.finish();
  CHECK(read_message(*session->frame({.frame = 1})).head["frame"] == 1);  // merged meanwhile
  CHECK_THROWS_AS(session->command({{"do", "run"}}), Error);
}

}  // namespace
}  // namespace tact
