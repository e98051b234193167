// Who may talk to the server: the page that it gave out itself, on this machine.
#pragma once

#include <string>
#include <string_view>

namespace tact {

// 128 bits from the system's source of randomness, as hexadecimal digits.
std::string make_token();

// What a request says of itself. A browser sends the Origin of the page that opens a socket, and no
// page can change it; it sends the Host that it thinks it talks to, which a foreign name that
// points to this machine gives away.
struct AccessRequest {
  std::string_view token;
  std::string_view host;
  std::string_view origin;  // empty: none was sent
};

struct Gate {
  std::string token;
  int port = 0;

  bool admits_page(const AccessRequest& request) const;    // token and Host
  bool admits_socket(const AccessRequest& request) const;  // and the Origin
};

}  // namespace tact
