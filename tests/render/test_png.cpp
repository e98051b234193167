#include <png.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <doctest/doctest.h>

#include <tact/core/error.hpp>
#include <tact/core/random.hpp>
#include <tact/render/png.hpp>

#include <files/temporary_folder.hpp>

namespace tact {
namespace {

Image noise(int width, int height)
{
  Random random(3);
  Image image(width, height);
  for (std::uint8_t& byte : image.rgb) byte = static_cast<std::uint8_t>(random.below(256));
  return image;
}

Image read_png(const std::filesystem::path& file)
{
  png_image header{};
  header.version = PNG_IMAGE_VERSION;
  REQUIRE(png_image_begin_read_from_file(&header, file.c_str()));
  header.format = PNG_FORMAT_RGB;
  Image image(static_cast<int>(header.width), static_cast<int>(header.height));
  REQUIRE(png_image_finish_read(&header, nullptr, image.rgb.data(), 0, nullptr));
  return image;
}

TEST_CASE("a PNG read back by libpng is the picture that was written")
{
  const TemporaryFolder folder;
  for (const Image& image : {noise(1, 1), noise(17, 5), noise(640, 360)}) {
    write_png(folder.path() / "a.png", image);
    CHECK(read_png(folder.path() / "a.png") == image);
  }
}

TEST_CASE("a PNG carries its texts")
{
  const TemporaryFolder folder;
  write_png(folder.path() / "a.png", noise(4, 4), {{"Software", "tact 1.2"}, {"Title", "letters"}});
  std::ifstream in(folder.path() / "a.png", std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(in)), {});
  using namespace std::string_literals;
  CHECK(bytes.find("tEXtSoftware\0tact 1.2"s) != std::string::npos);
  CHECK(bytes.find("tEXtTitle\0letters"s) != std::string::npos);
}

TEST_CASE("a PNG that cannot be stored says where and leaves nothing")
{
  const TemporaryFolder folder;
  const auto file = folder.path() / "missing" / "a.png";
  CHECK_THROWS_WITH_AS(write_png(file, noise(4, 4)), doctest::Contains(file.c_str()), WriteError);
  std::filesystem::create_directory(folder.path() / "b.png");
  CHECK_THROWS_AS(write_png(folder.path() / "b.png", noise(4, 4)), WriteError);
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
  CHECK_THROWS_AS(encode_png(Image(0, 0)), Error);
}

}  // namespace
}  // namespace tact
