// SPICE references on disk: the texts of all strings once, and the tuple sets of the images end to end. Synsets are not
// kept: they come from the lexicon, a look-up a string.
#include <array>
#include <span>
#include <stdexcept>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/flat_file.h"
#include "spice/references.h"

namespace spidercap {
namespace {

constexpr std::string_view file_magic = "spidercap SPICE references";
constexpr uint32_t file_version = 3;
using StoredTuple = std::array<uint32_t, 5>;  // size, kind, concepts; without padding, so equal sets are equal bytes

struct StoredSets {
  std::vector<char> text;
  std::vector<uint64_t> text_ends;                                  // by string
  std::vector<uint32_t> strings, string_ends;                       // of all concepts; where each ends in its image's
  std::vector<StoredTuple> tuples;                                  // of all images
  std::vector<uint32_t> concept_counts, tuple_counts, node_counts;  // by image

  template <typename Visitor>
  void visit(Visitor& visitor) {
    visitor(text);
    visitor(text_ends);
    visitor(strings);
    visitor(string_ends);
    visitor(tuples);
    visitor(concept_counts);
    visitor(tuple_counts);
    visitor(node_counts);
  }

  void add(const TupleSet& set, const std::unordered_map<const SceneString*, uint32_t>& numbers) {
    uint32_t end = 0;
    for (uint32_t i = 0; i < set.concept_count(); ++i) {
      for (const SceneString* string : set.strings(i)) strings.push_back(numbers.at(string));
      string_ends.push_back(end += static_cast<uint32_t>(set.strings(i).size()));
    }
    for (const TupleSet::Tuple& tuple : set.tuples())
      tuples.push_back(
          {tuple.size, static_cast<uint32_t>(tuple.kind), tuple.concepts[0], tuple.concepts[1], tuple.concepts[2]});
    concept_counts.push_back(set.concept_count());
    tuple_counts.push_back(static_cast<uint32_t>(set.tuples().size()));
    node_counts.push_back(set.node_count());
  }
};

// Goes through the vectors that were read, image by image. A file with a right checksum may still have been written by
// something else, so no number is believed.
class StoredReader {
 public:
  StoredReader(const StoredSets& stored, const std::vector<const SceneString*>& strings)
      : stored_(stored), strings_(strings) {}

  void next(TupleSet& set) {
    const uint32_t concepts = stored_.concept_counts[image_], nodes = stored_.node_counts.at(image_);
    const std::span ends = take(std::span(stored_.string_ends), concepts_, concepts);
    std::vector<uint32_t> starts{0};
    for (const uint32_t end : ends) {
      require(end >= starts.back());
      starts.push_back(end);
    }
    std::vector<const SceneString*> strings;
    for (const uint32_t number : take(std::span(stored_.strings), string_, starts.back()))
      strings.push_back(strings_.at(number));
    std::vector<TupleSet::Tuple> tuples;
    for (const StoredTuple& tuple : take(std::span(stored_.tuples), tuple_, stored_.tuple_counts.at(image_)))
      tuples.push_back(checked(tuple, concepts, nodes));
    require(nodes <= concepts);
    set.assign(std::move(strings), std::move(starts), std::move(tuples), nodes);
    set.freeze();
    ++image_;
  }

  static void require(bool good) {
    if (!good) throw std::out_of_range("a number is not as it must be");
  }

 private:
  template <typename T>
  static std::span<const T> take(std::span<const T> all, size_t& at, size_t count) {
    require(count <= all.size() - at);
    at += count;
    return all.subspan(at - count, count);
  }

  static TupleSet::Tuple checked(const StoredTuple& stored, uint32_t concepts, uint32_t nodes) {
    const auto [size, kind, first, second, third] = stored;
    require(size >= 1 && size <= 3 && kind <= static_cast<uint32_t>(AttributeKind::size));
    require(first < nodes && (size < 2 || second < concepts) && (size < 3 || third < nodes));
    return {static_cast<uint8_t>(size), static_cast<AttributeKind>(kind), {first, second, third}};
  }

  const StoredSets& stored_;
  const std::vector<const SceneString*>& strings_;
  size_t image_ = 0, concepts_ = 0, string_ = 0, tuple_ = 0;
};

}  // namespace

void SpiceReferences::save(const std::filesystem::path& path, std::string_view key) const {
  const std::shared_lock lock(access_);
  StoredSets stored;
  std::unordered_map<const SceneString*, uint32_t> numbers;
  for (const SceneString& string : strings_.all()) {
    numbers.emplace(&string, static_cast<uint32_t>(numbers.size()));
    stored.text.insert(stored.text.end(), string.text.begin(), string.text.end());
    stored.text_ends.push_back(stored.text.size());
  }
  for (const TupleSet& set : images_) stored.add(set, numbers);
  FlatWriter writer(path, file_magic, file_version, key);
  stored.visit(writer);
  writer.finish();
}

std::unique_ptr<SpiceReferences> SpiceReferences::load(const SpiceLexicon& lexicon, const std::filesystem::path& path,
                                                       std::string_view key) {
  StoredSets stored;
  FlatReader file(path, file_magic, file_version, key);
  stored.visit(file);
  file.finish();
  auto loaded = std::make_unique<SpiceReferences>(lexicon);
  try {
    std::vector<const SceneString*> strings;
    uint64_t start = 0;
    for (const uint64_t end : stored.text_ends) {
      StoredReader::require(end >= start && end <= stored.text.size());
      const std::string_view text(stored.text.data() + start, end - start);
      strings.push_back(loaded->strings_.get(text, lexicon.synsets));
      start = end;
    }
    StoredReader reader(stored, strings);
    for (size_t image = 0; image < stored.concept_counts.size(); ++image) reader.next(loaded->images_.emplace_back());
  } catch (const std::out_of_range&) {
    throw FlatFileError(path.string() + " is damaged; remove it");
  }
  return loaded;
}

}  // namespace spidercap
