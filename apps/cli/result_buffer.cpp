#include <unistd.h>

#include <cerrno>
#include <cstring>

#include <cli/result_buffer.hpp>

namespace tact::cli {

ResultBuffer::ResultBuffer(int descriptor) : descriptor_(descriptor)
{
  setp(held_.data(), held_.data() + held_.size());
}

int ResultBuffer::sync()
{
  const char* from = pbase();
  while (from < pptr() && failure_ == 0) {
    const ssize_t written = ::write(descriptor_, from, static_cast<std::size_t>(pptr() - from));
    if (written > 0)
      from += written;
    else if (written == 0 || errno != EINTR)
      failure_ = written == 0 ? EIO : errno;
  }
  setp(held_.data(), held_.data() + held_.size());
  return failure_ == 0 ? 0 : -1;
}

ResultBuffer::int_type ResultBuffer::overflow(int_type c)
{
  if (sync() != 0) return traits_type::eof();
  return traits_type::eq_int_type(c, traits_type::eof()) ? traits_type::not_eof(c)
                                                         : sputc(traits_type::to_char_type(c));
}

std::string lost_results(int cause)
{
  return std::string("cannot write the results: ") + std::strerror(cause ? cause : EIO);
}

}  // namespace tact::cli
