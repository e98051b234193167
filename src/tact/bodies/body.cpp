#include <tact/bodies/body.hpp>

namespace tact {

const char* name_of(BodyKind kind)
{
  switch (kind) {
    case BodyKind::rigid: return "rigid";
    case BodyKind::cloth: return "cloth";
    case BodyKind::soft: return "soft";
    case BodyKind::obstacle: return "obstacle";
  }
  return "unknown";
}

}  // namespace tact
