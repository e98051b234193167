// Serves the page and its socket on 127.0.0.1, to whoever has the token.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include <tact/viewer/session.hpp>

namespace tact {

struct ServerOptions {
  int port = 0;            // 0: any that is free
  std::string token = {};  // empty: a random one
};

// What serving frames has cost so far.
struct ServerReport {
  std::int64_t frames = 0;
  std::int64_t bytes = 0;
  double seconds = 0.0;  // of work: making messages and handing them to the system
};

class ViewServer {
 public:
  // Throws Error when the port is taken. The session must outlive this.
  ViewServer(Session& session, const ServerOptions& options);
  ~ViewServer();
  ViewServer(const ViewServer&) = delete;
  ViewServer& operator=(const ViewServer&) = delete;

  int port() const;
  const std::string& token() const;
  std::string address() const;  // http://127.0.0.1:PORT/?token=...

  // Serves until `stop` is set; it is looked at some times a second.
  void run(const std::atomic<bool>& stop);

  ServerReport report() const;  // after run()

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tact
