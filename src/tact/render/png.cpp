#include <tact/render/png.hpp>

#include <png.h>

#include <new>
#include <span>

#include <fmt/core.h>

#include <tact/core/error.hpp>
#include <tact/recording/atomic_file.hpp>

namespace tact {
namespace {

// Twice as quick as level 6 and a third larger on rendered pictures.
constexpr int compression = 3;

void append(png_structp png, png_bytep bytes, std::size_t count)
{
  auto& out = *static_cast<std::vector<std::byte>*>(png_get_io_ptr(png));
  try {
    const auto added = std::as_bytes(std::span(bytes, count));
    out.insert(out.end(), added.begin(), added.end());
  } catch (const std::bad_alloc&) {
    png_error(png, "out of memory");  // no exception may pass through libpng
  }
}

[[noreturn]] void jump_out(png_structp png, png_const_charp)
{
  png_longjmp(png, 1);
}

void ignore_warning(png_structp, png_const_charp)
{
}

// libpng leaves by longjmp when something is wrong, so no object with a destructor is made here.
bool encode(png_structp png, png_infop info, const Image& image, std::span<png_text> texts)
{
  if (setjmp(png_jmpbuf(png))) return false;
  png_set_IHDR(png, info, static_cast<png_uint_32>(image.width),
               static_cast<png_uint_32>(image.height), 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
  png_set_compression_level(png, compression);
  png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB | PNG_FILTER_UP);
  png_set_text(png, info, texts.data(), static_cast<int>(texts.size()));
  png_write_info(png, info);
  for (int y = 0; y < image.height; ++y)
    png_write_row(png, image.rgb.data() + std::size_t{3} * image.width * y);
  png_write_end(png, info);
  return true;
}

std::vector<png_text> text_chunks(const PngTexts& texts)
{
  std::vector<png_text> chunks;
  for (const auto& [keyword, text] : texts) {
    png_text chunk{};
    chunk.compression = PNG_TEXT_COMPRESSION_NONE;
    chunk.key = const_cast<char*>(keyword.c_str());  // libpng only reads it
    chunk.text = const_cast<char*>(text.c_str());
    chunks.push_back(chunk);
  }
  return chunks;
}

}  // namespace

std::vector<std::byte> encode_png(const Image& image, const PngTexts& texts)
{
  std::vector<std::byte> bytes;
  std::vector<png_text> chunks = text_chunks(texts);
  png_structp png =
      png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, &jump_out, &ignore_warning);
  png_infop info = png ? png_create_info_struct(png) : nullptr;
  if (info) png_set_write_fn(png, &bytes, &append, nullptr);
  const bool encoded = info && encode(png, info, image, chunks);
  png_destroy_write_struct(&png, &info);
  if (!encoded)
    throw Error(fmt::format("png: cannot encode a picture of {} x {}", image.width, image.height));
  return bytes;
}

void write_png(const std::filesystem::path& file, const Image& image, const PngTexts& texts)
{
  const std::vector<std::byte> bytes = encode_png(image, texts);
  AtomicFile out(file);
  out.write(bytes);
  out.commit();
}

}  // namespace tact
