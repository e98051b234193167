#include <tact/viewer/server.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>
#include <libwebsockets.h>

#include <tact/core/error.hpp>
#include <tact/core/printable.hpp>
#include <tact/core/timer.hpp>
#include <tact/viewer/access.hpp>
#include <tact/viewer/page.hpp>

namespace tact {
namespace {

using Json = nlohmann::json;

constexpr std::size_t piece_bytes = 1 << 16;      // written at a time
constexpr std::size_t longest_command = 1 << 14;  // bytes; a page sends some hundred
constexpr std::size_t most_clients = 32;
constexpr lws_usec_t tick_microseconds = 100'000;

// One socket. What waits to be sent is bounded: the scene, one notice, one frame.
struct Client {
  bool wants_scene = true;
  Message notice;
  std::optional<FrameRequest> request;
  Message sending;
  std::size_t sent = 0;  // bytes of it
  std::string received;  // of a command that comes in pieces
};

std::string header_of(lws* connection, lws_token_indexes header)
{
  std::array<char, 256> text{};
  const int length = lws_hdr_copy(connection, text.data(), static_cast<int>(text.size()), header);
  return length > 0 ? std::string(text.data(), static_cast<std::size_t>(length)) : "";
}

std::string token_of(lws* connection)
{
  std::array<char, 128> text{};
  const char* token =
      lws_get_urlarg_by_name(connection, "token=", text.data(), static_cast<int>(text.size()));
  return token ? token : "";
}

Message notice_of(const std::string& text)
{
  return std::make_shared<std::string>(
      MessageWriter().finish({{"type", "notice"}, {"text", text}}));
}

}  // namespace

struct ViewServer::Impl {
  Impl(Session& shown, const ServerOptions& options);
  ~Impl();

  static int on_event(lws* connection, lws_callback_reasons reason, void* user, void* in,
                      std::size_t size);
  static void on_tick(lws_sorted_usec_list_t* timer);
  void schedule_tick();
  void wake_clients();

  // Nonzero closes the connection.
  int begin_page(lws* connection, const char* path);
  int write_page(lws* connection);
  int receive(lws* connection, std::string_view text);
  void obey(Client& client, const Json& command);
  int write(lws* connection);
  Message next_message(Client& client);
  bool admits_socket(lws* connection) const;

  Session& session;
  Gate gate;
  ServerReport report;
  std::unordered_map<lws*, Client> clients;
  std::unordered_map<lws*, std::size_t> pages;  // bytes sent of those under way
  std::vector<unsigned char> buffer;            // LWS_PRE bytes, then a piece
  lws_context* context = nullptr;

  // The timer first in it, so that its address is the other's.
  struct Tick {
    lws_sorted_usec_list_t timer{};
    Impl* server = nullptr;
  } tick;
};

ViewServer::Impl::Impl(Session& shown, const ServerOptions& options)
    : session(shown), buffer(LWS_PRE + piece_bytes)
{
  static const std::array<lws_protocols, 2> protocols{{
      {"tact", &Impl::on_event, 0, piece_bytes, 0, nullptr, 0},
      {nullptr, nullptr, 0, 0, 0, nullptr, 0},
  }};
  lws_set_log_level(0, nullptr);
  lws_context_creation_info info{};
  info.port = options.port;
  info.iface = "127.0.0.1";
  info.protocols = protocols.data();
  info.user = this;
  info.options = LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND | LWS_SERVER_OPTION_DISABLE_IPV6;
  info.vhost_name = "tact";
  context = lws_create_context(&info);
  lws_vhost* host = context ? lws_get_vhost_by_name(context, "tact") : nullptr;
  if (!host) {
    if (context) lws_context_destroy(context);
    throw Error(fmt::format(
        "view: cannot listen on 127.0.0.1:{}; another program may have the port (--port)",
        options.port));
  }
  gate.port = lws_get_vhost_listen_port(host);
  gate.token = options.token.empty() ? make_token() : options.token;
  tick.server = this;
  schedule_tick();
  session.on_news([this] { lws_cancel_service(context); });
}

ViewServer::Impl::~Impl()
{
  session.on_news({});
  lws_sul_cancel(&tick.timer);
  lws_context_destroy(context);
}

void ViewServer::Impl::schedule_tick()
{
  lws_sul_schedule(context, 0, &tick.timer, &Impl::on_tick, tick_microseconds);
}

void ViewServer::Impl::on_tick(lws_sorted_usec_list_t* timer)
{
  Impl& server = *reinterpret_cast<Tick*>(timer)->server;
  server.session.tick();
  server.wake_clients();
  server.schedule_tick();
}

void ViewServer::Impl::wake_clients()
{
  for (const auto& [connection, client] : clients)
    if (client.request || client.sending || client.wants_scene || client.notice)
      lws_callback_on_writable(connection);
}

int ViewServer::Impl::on_event(lws* connection, lws_callback_reasons reason, void* user, void* in,
                               std::size_t size)
{
  Impl& server = *static_cast<Impl*>(lws_context_user(lws_get_context(connection)));
  switch (reason) {
    case LWS_CALLBACK_HTTP: return server.begin_page(connection, static_cast<const char*>(in));
    case LWS_CALLBACK_HTTP_WRITEABLE: return server.write_page(connection);
    case LWS_CALLBACK_CLOSED_HTTP: server.pages.erase(connection); return 0;
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
      if (server.admits_socket(connection)) return 0;
      lws_return_http_status(connection, HTTP_STATUS_FORBIDDEN, nullptr);
      return 1;
    case LWS_CALLBACK_ESTABLISHED:
      if (server.clients.size() >= most_clients) return 1;
      server.clients[connection];
      lws_callback_on_writable(connection);
      return 0;
    case LWS_CALLBACK_CLOSED: server.clients.erase(connection); return 0;
    case LWS_CALLBACK_RECEIVE:
      return server.receive(connection, {static_cast<const char*>(in), size});
    case LWS_CALLBACK_SERVER_WRITEABLE: return server.write(connection);
    case LWS_CALLBACK_EVENT_WAIT_CANCELLED: server.wake_clients(); return 0;
    // Its default work includes what HTTP needs between events.
    default: return lws_callback_http_dummy(connection, reason, user, in, size);
  }
}

bool ViewServer::Impl::admits_socket(lws* connection) const
{
  const std::string token = token_of(connection);
  const std::string host = header_of(connection, WSI_TOKEN_HOST);
  const std::string origin = header_of(connection, WSI_TOKEN_ORIGIN);
  return gate.admits_socket({token, host, origin});
}

int ViewServer::Impl::begin_page(lws* connection, const char* path)
{
  const std::string token = token_of(connection);
  const std::string host = header_of(connection, WSI_TOKEN_HOST);
  const bool found = std::strcmp(path, "/") == 0;
  if (!found || !gate.admits_page({token, host, {}})) {
    const unsigned status = found ? HTTP_STATUS_FORBIDDEN : HTTP_STATUS_NOT_FOUND;
    const char* text = found ? "The address lacks the token that `tact view` printed." : nullptr;
    if (lws_return_http_status(connection, status, text) != 0) return -1;
    return lws_http_transaction_completed(connection) != 0 ? -1 : 0;
  }
  unsigned char* const start = buffer.data() + LWS_PRE;
  unsigned char* const end = start + piece_bytes;
  unsigned char* at = start;
  const auto add = [&](const char* name, std::string_view value) {
    return lws_add_http_header_by_name(connection, reinterpret_cast<const unsigned char*>(name),
                                       reinterpret_cast<const unsigned char*>(value.data()),
                                       static_cast<int>(value.size()), &at, end) == 0;
  };
  // The token is in the address: nothing of the page leaves this machine or is framed by others.
  const bool whole =
      lws_add_http_common_headers(connection, HTTP_STATUS_OK, "text/html; charset=utf-8",
                                  compressed_page().size(), &at, end) == 0 &&
      add("content-encoding:", "gzip") && add("cache-control:", "no-store") &&
      add("referrer-policy:", "no-referrer") && add("x-content-type-options:", "nosniff") &&
      add("content-security-policy:",
          "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src "
          "data: "
          "blob:; connect-src 'self' ws://127.0.0.1:* ws://localhost:*; frame-ancestors 'none'") &&
      lws_finalize_write_http_header(connection, start, &at, end) == 0;
  if (!whole) return 1;
  pages[connection] = 0;
  lws_callback_on_writable(connection);
  return 0;
}

int ViewServer::Impl::write_page(lws* connection)
{
  const auto found = pages.find(connection);
  if (found == pages.end()) return 0;
  const std::span<const unsigned char> page = compressed_page();
  const auto rest = page.subspan(found->second);
  const std::size_t size = std::min(rest.size(), piece_bytes);
  std::copy_n(rest.data(), size, buffer.data() + LWS_PRE);
  const bool last = size == rest.size();
  if (lws_write(connection, buffer.data() + LWS_PRE, size,
                last ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP) < 0)
    return 1;
  found->second += size;
  if (!last) {
    lws_callback_on_writable(connection);
    return 0;
  }
  pages.erase(connection);
  return lws_http_transaction_completed(connection) != 0 ? -1 : 0;
}

int ViewServer::Impl::receive(lws* connection, std::string_view text)
{
  Client& client = clients.at(connection);
  client.received += text;
  if (client.received.size() > longest_command) return 1;
  if (!lws_is_final_fragment(connection) || lws_remaining_packet_payload(connection) > 0) return 0;
  const Json command = Json::parse(client.received, nullptr, false);
  client.received.clear();
  if (!command.is_object()) return 1;
  obey(client, command);
  lws_callback_on_writable(connection);
  return 0;
}

void ViewServer::Impl::obey(Client& client, const Json& command)
{
  try {
    if (command.contains("frame") || command.contains("after"))
      client.request = FrameRequest{.frame = command.value("frame", std::int64_t{0}),
                                    .after = command.value("after", std::int64_t{-1})};
    else
      session.command(command);
  } catch (const Json::exception&) {  // no page of ours sends that
    client.notice = notice_of("found a command with a value of another kind than expected");
  } catch (const std::exception& error) {  // the page is told, whatever it is
    client.notice = notice_of(told(error));
  }
}

// Null: nothing to send now.
Message ViewServer::Impl::next_message(Client& client)
{
  if (client.wants_scene) {
    client.wants_scene = false;
    return session.scene();
  }
  if (client.notice) return std::exchange(client.notice, nullptr);
  if (!client.request) return nullptr;
  Message frame = session.frame(*client.request);
  if (!frame) return nullptr;
  client.request.reset();
  ++report.frames;
  return frame;
}

int ViewServer::Impl::write(lws* connection)
{
  const Timer timer;
  Client& client = clients.at(connection);
  if (!client.sending) {
    try {
      client.sending = next_message(client);
    } catch (const std::exception& error) {  // a damaged frame: the page goes on with others
      client.request.reset();
      client.sending = notice_of(told(error));
    }
    client.sent = 0;
  }
  if (!client.sending) return 0;
  const std::string& message = *client.sending;
  const std::size_t size = std::min(message.size() - client.sent, piece_bytes);
  std::copy_n(message.data() + client.sent, size, buffer.data() + LWS_PRE);
  const bool first = client.sent == 0, last = client.sent + size == message.size();
  const int flags = lws_write_ws_flags(LWS_WRITE_BINARY, first ? 1 : 0, last ? 1 : 0);
  if (lws_write(connection, buffer.data() + LWS_PRE, size, static_cast<lws_write_protocol>(flags)) <
      0)
    return 1;
  client.sent += size;
  report.bytes += static_cast<std::int64_t>(size);
  if (last) client.sending.reset();
  if (!last || client.notice || client.request) lws_callback_on_writable(connection);
  report.seconds += timer.seconds();
  return 0;
}

ViewServer::ViewServer(Session& session, const ServerOptions& options)
    : impl_(std::make_unique<Impl>(session, options))
{
}

ViewServer::~ViewServer() = default;

int ViewServer::port() const
{
  return impl_->gate.port;
}

const std::string& ViewServer::token() const
{
  return impl_->gate.token;
}

std::string ViewServer::address() const
{
  return fmt::format("http://127.0.0.1:{}/?token={}", port(), token());
}

void ViewServer::run(const std::atomic<bool>& stop)
{
  while (!stop.load(std::memory_order_relaxed) && lws_service(impl_->context, 0) >= 0) continue;
}

ServerReport ViewServer::report() const
{
  return impl_->report;
}

}  // namespace tact
