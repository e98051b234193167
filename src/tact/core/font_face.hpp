// A font, opened by FreeType. Who includes this links FreeType.
#pragma once

#include <memory>
#include <string>

#include <fmt/core.h>
#include <ft2build.h>
#include FT_FREETYPE_H

#include <tact/core/error.hpp>

namespace tact {

// The library and one font of it, closed in the right order. Not to be shared by threads.
class FontFace {
 public:
  explicit FontFace(const std::string& file)
  {
    FT_Library library = nullptr;
    if (FT_Init_FreeType(&library) != 0) throw Error("FreeType cannot be started");
    library_.reset(library);
    FT_Face face = nullptr;
    if (FT_New_Face(library, file.c_str(), 0, &face) != 0)
      throw Error(
          fmt::format("{}: found no font that FreeType can read, expected a TrueType or "
                      "OpenType file",
                      file));
    face_.reset(face);
    if (!FT_IS_SCALABLE(face))
      throw Error(fmt::format("{}: found a font of pictures, expected one of outlines", file));
  }

  FT_Face get() const { return face_.get(); }

 private:
  struct CloseLibrary {
    void operator()(FT_Library library) const { FT_Done_FreeType(library); }
  };
  struct CloseFace {
    void operator()(FT_Face face) const { FT_Done_Face(face); }
  };

  std::unique_ptr<FT_LibraryRec_, CloseLibrary> library_;
  std::unique_ptr<FT_FaceRec_, CloseFace> face_;
};

}  // namespace tact
