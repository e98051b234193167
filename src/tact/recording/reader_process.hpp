// Reads untrusted files in a process of its own: the HDF5 library can crash, hang or spoil its
// memory on damaged metadata, and no check of ours comes before its own reading.
#pragma once

#include <sys/types.h>

#include <functional>
#include <shared_mutex>
#include <string>
#include <string_view>

#include <tact/core/error.hpp>

namespace tact {

// Work beside the calling thread holds this, shared: a copy of the process has the calling thread
// alone, and what others hold locked while it is made, memory above all, stays locked in it.
std::shared_mutex& no_copies_now();

// The other process ended instead of answering; what() says how.
class ReaderDied : public Error {
 public:
  using Error::Error;
};

// A copy of this process that answers requests, in bytes, until this object ends. Only answers come
// back: nothing else that it does is seen here. It keeps no file of this process open but the ends
// of a terminal. Ctrl-C does not end it, the end of this process does. One thread at a time.
class ReaderProcess {
 public:
  // Called in the copy; an Error that it throws is thrown again by ask().
  using Answer = std::function<std::string(std::string_view request)>;

  // `longest`: s that an answer may take.
  explicit ReaderProcess(Answer answer, unsigned longest = 60)
      : answer_(std::move(answer)), longest_(longest)
  {
  }
  ~ReaderProcess() { end(); }
  ReaderProcess(const ReaderProcess&) = delete;
  ReaderProcess& operator=(const ReaderProcess&) = delete;

  // Starts the copy at the first request, and anew at the first after one that it died of. Throws
  // ReaderDied for that one, also where the answer takes too long.
  std::string ask(std::string_view request);

 private:
  void start();
  int end();  // its status as waitpid tells it
  [[noreturn]] void mourn();

  Answer answer_;
  unsigned longest_;
  pid_t copy_ = -1;
  int line_ = -1;  // to the copy
};

}  // namespace tact
