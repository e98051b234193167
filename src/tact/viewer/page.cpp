#include <tact/viewer/page.hpp>

#include <algorithm>

#include <zlib.h>

#include <tact/core/error.hpp>

// The assembler puts the file into the program: no array to compile, nothing to find at run time.
__asm__(
    ".section .rodata\n"
    ".global tact_page_begin\n"
    ".global tact_page_end\n"
    "tact_page_begin:\n"
    ".incbin \"" TACT_PAGE_FILE
    "\"\n"
    "tact_page_end:\n"
    ".byte 0\n"
    ".previous\n");

extern "C" {
extern const unsigned char tact_page_begin[];  // NOLINT(*-avoid-c-arrays): names of the assembler
extern const unsigned char tact_page_end[];    // NOLINT(*-avoid-c-arrays)
}

namespace tact {

std::span<const unsigned char> compressed_page()
{
  return {tact_page_begin, tact_page_end};
}

std::string page_text()
{
  const std::span<const unsigned char> packed = compressed_page();
  if (packed.empty())
    throw Error(
        "this tact was built without the page of the viewer, which needs npm: install npm, build "
        "again");
  constexpr int gzip_window = 15 + 16;  // zlib: 16 more means gzip
  z_stream stream{};
  if (inflateInit2(&stream, gzip_window) != Z_OK) throw Error("zlib: no memory");
  stream.next_in = const_cast<unsigned char*>(packed.data());  // zlib 1.2 has no const
  stream.avail_in = static_cast<unsigned>(packed.size());
  std::string text;
  int status = Z_OK;
  while (status == Z_OK) {
    constexpr std::size_t piece = 1 << 18;
    const std::size_t known = text.size();
    text.resize(known + piece);
    stream.next_out = reinterpret_cast<unsigned char*>(text.data()) + known;
    stream.avail_out = piece;
    status = inflate(&stream, Z_NO_FLUSH);
    text.resize(known + (piece - std::min<std::size_t>(piece, stream.avail_out)));
  }
  inflateEnd(&stream);
  if (status != Z_STREAM_END) throw Error("the page inside of tact is damaged; build it again");
  return text;
}

}  // namespace tact
