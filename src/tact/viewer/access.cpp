#include <tact/viewer/access.hpp>

#include <random>

#include <fmt/format.h>

namespace tact {
namespace {

bool is_own_host(std::string_view host, int port)
{
  return host == fmt::format("127.0.0.1:{}", port) || host == fmt::format("localhost:{}", port);
}

// In the same time wherever they differ.
bool same_token(std::string_view a, std::string_view b)
{
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (std::size_t k = 0; k < a.size(); ++k)
    difference |= static_cast<unsigned char>(a[k]) ^ static_cast<unsigned char>(b[k]);
  return difference == 0;
}

}  // namespace

std::string make_token()
{
  std::random_device source;
  std::string token;
  for (int k = 0; k < 4; ++k) token += fmt::format("{:08x}", source());
  return token;
}

bool Gate::admits_page(const AccessRequest& request) const
{
  return same_token(request.token, token) && is_own_host(request.host, port);
}

bool Gate::admits_socket(const AccessRequest& request) const
{
  constexpr std::string_view scheme = "http://";
  return admits_page(request) && request.origin.starts_with(scheme) &&
         is_own_host(request.origin.substr(scheme.size()), port);
}

}  // namespace tact
