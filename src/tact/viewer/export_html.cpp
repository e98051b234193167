// The page with the recording inside, as JSON in an element of its own:
//
//   {"scene": ..., "times": [s, ...], "chunk": frames a chunk, "chunks": [...]}
//
// where the scene and each chunk are messages (message.hpp), deflated, in base 64. A chunk holds
// of each of its frames what stands in the head of a frame's message, vertices as vertex_track.hpp
// packs them, poses, and the strongest contacts with numbers in 16 bits.
#include <tact/viewer/export_html.hpp>

#include <zlib.h>

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include <tact/core/error.hpp>
#include <tact/recording/atomic_file.hpp>
#include <tact/viewer/page.hpp>
#include <tact/viewer/scene_encoder.hpp>
#include <tact/viewer/vertex_track.hpp>

namespace tact {
namespace {

using Json = nlohmann::json;

constexpr std::size_t frames_a_chunk = 32;
constexpr std::size_t most_contacts = 200;  // of a frame; more would outweigh the motion
constexpr int vertex_bits = 14;             // 0.06 mm a step in a box of 1 m
constexpr std::string_view place_of_recording = "<!-- recording -->";

std::string base64(std::string_view bytes)
{
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t k = 0; k < bytes.size(); k += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - k);
    unsigned triple = 0;
    for (std::size_t i = 0; i < 3; ++i)
      triple = triple << 8u | (i < count ? static_cast<unsigned char>(bytes[k + i]) : 0u);
    for (std::size_t i = 0; i < 4; ++i)
      text += i <= count ? digits[triple >> (18u - 6u * i) & 63u] : '=';
  }
  return text;
}

std::string packed(std::string_view message)
{
  uLongf size = compressBound(message.size());
  std::string bytes(size, '\0');
  if (compress2(reinterpret_cast<Bytef*>(bytes.data()), &size,
                reinterpret_cast<const Bytef*>(message.data()), message.size(), 9) != Z_OK)
    throw Error("zlib: no memory");
  bytes.resize(size);
  return base64(bytes);
}

// The upper half of a float: two to three digits.
std::uint16_t short_float(double number)
{
  constexpr std::uint32_t half = 0x8000u;  // rounds to the nearest
  return static_cast<std::uint16_t>(
      (std::bit_cast<std::uint32_t>(static_cast<float>(number)) + half) >> 16u);
}

class HtmlWriter {
 public:
  explicit HtmlWriter(const ExportJob& job)
      : job_(job),
        bodies_(job.recording.header().bodies),
        encoder_(job.recording.header(), job.recording.frame(job.frames.front()))
  {
    survey();
  }

  void write(AtomicFile& file)
  {
    const std::string page = page_text();
    const std::size_t place = page.find(place_of_recording);
    if (place == std::string::npos)
      throw Error("the page inside of tact has no place for a recording");
    Json times = Json::array();
    for (const int k : job_.frames) times.push_back(job_.recording.times()[k]);
    file.write(page.substr(0, place));
    file.write(fmt::format(R"(<script id="recording" type="application/json">)"
                           R"({{"scene":"{}","chunk":{},"times":{},"chunks":[)",
                           packed(encoder_.scene({{"mode", "file"}})), frames_a_chunk,
                           times.dump()));
    for (std::size_t first = 0; first < job_.frames.size(); first += frames_a_chunk)
      file.write(fmt::format("{}\"{}\"", first > 0 ? "," : "", packed(chunk(first))));
    file.write("]}</script>");
    file.write(page.substr(place + place_of_recording.size()));
  }

 private:
  // Which bodies deform, and the boxes in which they do.
  void survey()
  {
    std::vector<Aabb> boxes(bodies_.size());
    tracks_.assign(bodies_.size(), BodyTrack::pose);
    for (const int k : job_.frames) {
      job_.begin_frame(k);
      Frame frame;
      frame.vertices = job_.recording.vertices(k);
      for (std::size_t i = 0; i < bodies_.size(); ++i) {
        if (encoder_.track(static_cast<int>(i), frame) == BodyTrack::vertices)
          tracks_[i] = BodyTrack::vertices;
        boxes[i].add(bounding_box(part(i, frame)));
      }
    }
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      boxes_.push_back(quantised_box(boxes[i], vertex_bits));
      whole_.add(boxes[i]);
    }
  }

  std::span<const Vector3d> part(std::size_t body, const Frame& frame) const
  {
    return std::span(frame.vertices)
        .subspan(static_cast<std::size_t>(bodies_[body].first_vertex),
                 static_cast<std::size_t>(bodies_[body].vertex_count));
  }

  std::string chunk(std::size_t first)
  {
    numbers_.clear();
    poses_.clear();
    contacts_.clear();
    contact_bodies_.clear();
    const std::size_t end = std::min(first + frames_a_chunk, job_.frames.size());
    Json heads = Json::array();
    for (std::size_t k = first; k < end; ++k) {
      job_.begin_frame(job_.frames[k]);
      heads.push_back(add_frame(job_.recording.frame(job_.frames[k])));
    }
    MessageWriter message;
    message.add("vertices", encode_track(numbers_, numbers_.size() / (end - first)));
    message.add("poses", poses_);
    message.add("contacts", contacts_);
    message.add("contact_bodies", contact_bodies_);
    add_constants(message);
    return message.finish({{"heads", std::move(heads)}});
  }

  // The same in all chunks; a few numbers.
  void add_constants(MessageWriter& message) const
  {
    std::vector<std::uint8_t> tracks;
    std::vector<float> boxes;
    const auto add_box = [&](const QuantisedBox& box) {
      boxes.insert(boxes.end(), box.low.begin(), box.low.end());
      boxes.insert(boxes.end(), box.step.begin(), box.step.end());
    };
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      tracks.push_back(static_cast<std::uint8_t>(tracks_[i]));
      if (tracks_[i] == BodyTrack::vertices) add_box(boxes_[i]);
    }
    add_box(quantised_box(whole_));  // of the points of contacts
    message.add("tracks", tracks);
    message.add("boxes", boxes);
  }

  Json add_frame(const Frame& frame)
  {
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      if (tracks_[i] == BodyTrack::vertices) {
        quantise(part(i, frame), boxes_[i], numbers_);
        continue;
      }
      const BodyPose pose = encoder_.pose(static_cast<int>(i), frame);
      poses_.insert(poses_.end(), pose.rotation.begin(), pose.rotation.end());
      poses_.insert(poses_.end(), pose.place.begin(), pose.place.end());
    }
    const std::size_t contacts = add_strongest(frame);
    return {{"step", frame.step},
            {"t", frame.t},
            {"dt", frame.dt},
            {"contacts", contacts},
            {"certificate", to_json(frame.certificate)},
            {"verdict", to_json(judge_frame(frame, job_.recording.header().tolerance))}};
  }

  // Returns how many.
  std::size_t add_strongest(const Frame& frame)
  {
    std::vector<const RecordedContact*> order;
    for (const RecordedContact& contact : frame.contacts) order.push_back(&contact);
    const std::size_t count = std::min(order.size(), most_contacts);
    std::partial_sort(
        order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(),
        [](const auto* a, const auto* b) { return a->normal_impulse > b->normal_impulse; });
    const QuantisedBox box = quantised_box(whole_);
    const double per_second = frame.dt > 0.0 ? 1.0 / frame.dt : 0.0;
    for (std::size_t k = 0; k < count; ++k) {
      const RecordedContact& contact = *order[k];
      quantise({&contact.point, 1}, box, contacts_);
      for (const double x : contact.normal) contacts_.push_back(short_float(x));
      for (const double x : contact.impulse()) contacts_.push_back(short_float(x * per_second));
      for (const double x : {contact.mu, contact.gap, contact.velocity.tail<2>().norm()})
        contacts_.push_back(short_float(x));
      contact_bodies_.insert(contact_bodies_.end(), {contact.body_a, contact.body_b});
    }
    return count;
  }

  const ExportJob& job_;
  const std::vector<RecordedBody>& bodies_;
  SceneEncoder encoder_;
  std::vector<BodyTrack> tracks_;
  std::vector<QuantisedBox> boxes_;
  Aabb whole_;
  std::vector<std::uint16_t> numbers_, contacts_;  // of the chunk that is being made
  std::vector<float> poses_;
  std::vector<std::int32_t> contact_bodies_;
};

std::vector<std::filesystem::path> export_html(const ExportJob& job)
{
  page_text();  // throws where there is none, before anything is written
  HtmlWriter writer(job);
  make_folder(job.folder);
  const std::filesystem::path path = job.folder / "recording.html";
  AtomicFile file(path);
  writer.write(file);
  file.commit();
  return {path};
}

}  // namespace

ExportFormat html_format()
{
  return {"html", "one page that plays in any browser, small enough to mail; for looking only",
          export_html};
}

}  // namespace tact
