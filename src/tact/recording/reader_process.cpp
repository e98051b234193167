#include <tact/recording/reader_process.hpp>

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <new>

#include <fmt/core.h>

namespace tact {
namespace {

constexpr std::size_t piece = 16 << 20;  // B: memory is made as bytes come, not as announced
constexpr std::uint8_t answered = 1, refused = 0;

// Whether all was sent or received: not where the other end is gone.
bool send_all(int line, const void* data, std::size_t size)
{
  const char* next = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t sent = ::send(line, next, size, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    next += sent;
    size -= static_cast<std::size_t>(sent);
  }
  return true;
}

bool receive_all(int line, void* data, std::size_t size)
{
  char* next = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t received = ::recv(line, next, size, 0);
    if (received < 0 && errno == EINTR) continue;
    if (received <= 0) return false;
    next += received;
    size -= static_cast<std::size_t>(received);
  }
  return true;
}

bool send_text(int line, std::string_view text)
{
  const std::uint64_t size = text.size();
  return send_all(line, &size, sizeof size) && send_all(line, text.data(), text.size());
}

bool receive_text(int line, std::string& text)
{
  std::uint64_t left = 0;
  if (!receive_all(line, &left, sizeof left)) return false;
  text.clear();
  while (left > 0) {
    const std::size_t size = std::min<std::uint64_t>(left, piece), before = text.size();
    text.resize(before + size);
    if (!receive_all(line, text.data() + before, size)) return false;
    left -= size;
  }
  return true;
}

// Handlers of this program would report a crash that is none of its own; locks and sockets of it
// are not to be held any longer than it does.
int leave_the_program(int line)
{
  for (const int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGALRM})
    std::signal(signal, SIG_DFL);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_IGN);
  constexpr int first_free = 3;  // behind those of the terminal
  if (line != first_free) ::dup2(line, first_free);
  ::close_range(first_free + 1, ~0U, 0);
  return first_free;
}

[[noreturn]] void serve(int line, const ReaderProcess::Answer& answer, unsigned longest)
{
  std::string request, text;
  while (receive_text(line, request)) {
    ::alarm(longest);
    std::uint8_t kind = answered;
    try {
      text = answer(request);
    } catch (const std::bad_alloc&) {
      kind = refused;
      text = "found more data than there is memory";
    } catch (const std::exception& error) {
      kind = refused;
      text = error.what();
    }
    ::alarm(0);
    if (!send_all(line, &kind, sizeof kind) || !send_text(line, text)) break;
  }
  ::_exit(0);
}

}  // namespace

std::shared_mutex& no_copies_now()
{
  static std::shared_mutex mutex;
  return mutex;
}

void ReaderProcess::start()
{
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw Error(fmt::format("cannot start a process that reads: {}", std::strerror(errno)));
  int why = 0;
  {
    const std::unique_lock alone(no_copies_now());
    copy_ = ::fork();
    if (copy_ == 0) serve(leave_the_program(ends[1]), answer_, longest_);
    why = errno;
  }
  ::close(ends[1]);
  line_ = ends[0];
  if (copy_ > 0) return;
  end();
  throw Error(fmt::format("cannot start a process that reads: {}", std::strerror(why)));
}

int ReaderProcess::end()
{
  int status = 0;
  if (line_ >= 0) ::close(line_);
  line_ = -1;
  if (copy_ > 0) {
    ::kill(copy_, SIGKILL);  // it has nothing to lose; one that died already keeps its status
    while (::waitpid(copy_, &status, 0) < 0 && errno == EINTR) {
    }
  }
  copy_ = -1;
  return status;
}

void ReaderProcess::mourn()
{
  const int status = end();
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  if (signal == SIGALRM) throw ReaderDied(fmt::format("reading it took more than {} s", longest_));
  throw ReaderDied(fmt::format("the HDF5 library crashes on it (signal {})", signal));
}

std::string ReaderProcess::ask(std::string_view request)
{
  if (copy_ < 0) start();
  std::uint8_t kind = refused;
  std::string text;
  if (!send_text(line_, request) || !receive_all(line_, &kind, sizeof kind) ||
      !receive_text(line_, text))
    mourn();
  if (kind == refused) throw Error(text);
  return text;
}

}  // namespace tact
