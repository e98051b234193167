// A client of the server as plain as can be: blocking, one request at a time.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

namespace tact {

class SocketClient {
 public:
  explicit SocketClient(int port, const char* address = "127.0.0.1")
      : descriptor_(::socket(AF_INET, SOCK_STREAM, 0))
  {
    sockaddr_in place{};
    place.sin_family = AF_INET;
    place.sin_port = htons(static_cast<std::uint16_t>(port));
    ::inet_pton(AF_INET, address, &place.sin_addr);
    connected_ = ::connect(descriptor_, reinterpret_cast<sockaddr*>(&place), sizeof place) == 0;
    const timeval patience{.tv_sec = 20, .tv_usec = 0};
    ::setsockopt(descriptor_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  }
  ~SocketClient() { ::close(descriptor_); }
  SocketClient(const SocketClient&) = delete;
  SocketClient& operator=(const SocketClient&) = delete;

  bool connected() const { return connected_; }

  // The status of the answer, 0 where the connection was closed instead.
  int ask(const std::string& path, const std::string& headers)
  {
    write(fmt::format("GET {} HTTP/1.1\r\n{}\r\n", path, headers));
    std::string head;
    char letter = 0;
    while (head.find("\r\n\r\n") == std::string::npos && ::recv(descriptor_, &letter, 1, 0) == 1)
      head += letter;
    return head.starts_with("HTTP/1.1 ") ? std::stoi(head.substr(9, 3)) : 0;
  }

  // Opens the socket of the page; true once it is open.
  bool upgrade(int port, const std::string& token)
  {
    return ask("/?token=" + token,
               fmt::format("Host: 127.0.0.1:{0}\r\nOrigin: http://127.0.0.1:{0}\r\n{1}", port,
                           upgrade_headers())) == 101;
  }

  static std::string upgrade_headers()
  {
    return "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
           "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: tact\r\n";
  }

  // A short text in one frame (RFC 6455), masked by zeros.
  void send(const std::string& text)
  {
    REQUIRE(text.size() < 126);
    std::string frame{'\x81'};
    frame += static_cast<char>(0x80u | text.size());
    frame.append(4, '\0');
    write(frame + text);
  }

  // One message, whatever its number of frames; empty where the connection was closed.
  std::string receive()
  {
    std::string message;
    for (bool last = false; !last;) {
      const std::string start = read(2);
      if (start.size() < 2) return {};
      last = (static_cast<unsigned char>(start[0]) & 0x80u) != 0;
      std::size_t size = static_cast<unsigned char>(start[1]) & 0x7fu;
      if (size >= 126) {
        const std::string length = read(size == 126 ? 2 : 8);
        size = 0;
        for (const char byte : length) size = size << 8u | static_cast<unsigned char>(byte);
      }
      message += read(size);
    }
    return message;
  }

 private:
  void write(const std::string& bytes)
  {
    REQUIRE(::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL) ==
            static_cast<ssize_t>(bytes.size()));
  }

  std::string read(std::size_t count)
  {
    std::string bytes(count, '\0');
    std::size_t have = 0;
    while (have < count) {
      const ssize_t got = ::recv(descriptor_, bytes.data() + have, count - have, 0);
      if (got <= 0) break;
      have += static_cast<std::size_t>(got);
    }
    bytes.resize(have);
    return bytes;
  }

  int descriptor_;
  bool connected_ = false;
};

}  // namespace tact
