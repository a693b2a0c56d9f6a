#include "meteor/references.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <type_traits>

#include "core/checksum.h"
#include "meteor/normalize.h"

namespace spidercap {
namespace {

constexpr uint64_t format = 0x315245464D435053u;  // "SPCMFER1" in little-endian bytes
constexpr std::string_view separator = "|||";

// A reference that holds the separator of the reference tool's protocol arrives there as several.
template <typename Part>
void split_at_separator(std::string_view reference, Part part) {
  for (size_t start = 0; start <= reference.size();) {
    const size_t end = std::min(reference.find(separator, start), reference.size());
    part(reference.substr(start, end - start));
    start = end + (end < reference.size() ? separator.size() : 1);
  }
}

struct Writer {
  std::vector<uint8_t> bytes;

  void put(uint64_t value) {
    const auto* data = reinterpret_cast<const uint8_t*>(&value);
    bytes.insert(bytes.end(), data, data + sizeof value);
  }

  template <typename T>
  void put(const std::vector<T>& values) {
    static_assert(std::is_trivially_copyable_v<T>);
    put(values.size());
    const auto* data = reinterpret_cast<const uint8_t*>(values.data());
    bytes.insert(bytes.end(), data, data + values.size() * sizeof(T));
  }
};

struct Reader {
  std::span<const uint8_t> left;

  uint64_t take() {
    uint64_t value = 0;
    copy(&value, 1);
    return value;
  }

  template <typename T>
  void take(std::vector<T>& values) {
    const uint64_t size = take();
    if (size > left.size() / sizeof(T)) throw std::invalid_argument("the METEOR digest is cut short");
    values.resize(size);
    copy(values.data(), size);
  }

  template <typename T>
  void copy(T* to, size_t count) {
    const size_t size = count * sizeof(T);
    if (size > left.size()) throw std::invalid_argument("the METEOR digest is cut short");
    if (size > 0) std::memcpy(to, left.data(), size);
    left = left.subspan(size);
  }
};

uint64_t paraphrase_fingerprint(const MeteorResources& resources) {
  return resources.paraphrases ? resources.paraphrases->fingerprint() : 0;
}

}  // namespace

// Buffers that one image after another is digested in.
struct MeteorReferences::Digester {
  MeteorReferences& to;
  MeteorNormalizer normalizer{};
  std::vector<uint32_t> place_of_word;  // by lexicon id; valid where the word is one of this image's
  std::vector<uint32_t> phrases;

  void image(std::span<const std::string_view> references) {
    phrases.clear();
    const size_t first_phrase = to.phrase_places_.size();
    for (const std::string_view text : references)
      split_at_separator(text, [&](std::string_view part) { reference(part); });
    number_phrases(first_phrase);
    to.image_references_.push_back(to.reference_words_.size() - 1);
    to.image_words_.push_back(to.words_.size());
    to.image_phrases_.push_back(to.phrases_.size());
  }

  void reference(std::string_view text) {
    const size_t first = to.word_places_.size();
    uint32_t function = 0;
    for (const std::string_view token : normalizer.tokens(text)) {
      const uint32_t id = to.lexicon_.insert(token);
      function += to.lexicon_[id].function;
      to.word_places_.push_back(place(id));
    }
    const size_t words = to.word_places_.size() - first;
    to.phrase_lengths_.resize(first + words, 0);
    if (const auto& table = to.lexicon_.resources().paraphrases) find(*table, first, words);
    to.function_words_.push_back(function);
    to.reference_words_.push_back(to.word_places_.size());
    to.reference_phrases_.push_back(to.phrase_places_.size());
  }

  uint32_t place(uint32_t id) {
    if (id >= place_of_word.size()) place_of_word.resize(id + 1, 0);
    const size_t first = to.image_words_.back();
    const size_t known = first + place_of_word[id];
    if (known < to.words_.size() && to.words_[known] == id) return place_of_word[id];
    place_of_word[id] = static_cast<uint32_t>(to.words_.size() - first);
    to.words_.push_back(id);
    return place_of_word[id];
  }

  void find(const ParaphraseIndex& table, size_t first, size_t words) {
    const auto paraphrase_word = [&](size_t i) {
      return to.lexicon_[to.words_[to.image_words_.back() + to.word_places_[first + i]]].paraphrase_word;
    };
    find_phrases(table, words, paraphrase_word, [&](size_t start, size_t length, uint32_t phrase) {
      to.phrase_lengths_[first + start] |= static_cast<uint8_t>(1u << (length - 1));
      to.phrase_places_.push_back(phrase);
      phrases.push_back(phrase);
    });
  }

  // Ids in the table become places among the image's own phrases.
  void number_phrases(size_t first) {
    std::sort(phrases.begin(), phrases.end());
    phrases.erase(std::unique(phrases.begin(), phrases.end()), phrases.end());
    for (size_t i = first; i < to.phrase_places_.size(); ++i)
      to.phrase_places_[i] = static_cast<uint32_t>(
          std::lower_bound(phrases.begin(), phrases.end(), to.phrase_places_[i]) - phrases.begin());
    to.phrases_.insert(to.phrases_.end(), phrases.begin(), phrases.end());
  }
};

MeteorReferences::MeteorReferences(const MeteorResources& resources, std::span<const std::string_view> references,
                                   std::span<const uint64_t> image_starts)
    : lexicon_(resources) {
  Digester digester{*this};
  for (size_t i = 0; i + 1 < image_starts.size(); ++i)
    digester.image(references.subspan(image_starts[i], image_starts[i + 1] - image_starts[i]));
}

ImageView MeteorReferences::image(size_t i) const {
  return {std::span(words_).subspan(image_words_[i], image_words_[i + 1] - image_words_[i]),
          std::span(phrases_).subspan(image_phrases_[i], image_phrases_[i + 1] - image_phrases_[i])};
}

ReferenceView MeteorReferences::reference(size_t i) const {
  const size_t first = reference_words_[i];
  const size_t words = reference_words_[i + 1] - first;
  return {std::span(word_places_).subspan(first, words), std::span(phrase_lengths_).subspan(first, words),
          std::span(phrase_places_).subspan(reference_phrases_[i], reference_phrases_[i + 1] - reference_phrases_[i]),
          function_words_[i]};
}

std::vector<uint8_t> MeteorReferences::save() const {
  Writer writer;
  writer.put(format);
  writer.put(uint64_t{0});  // the checksum, when all is written
  writer.put(lexicon_.resources().wordnet.fingerprint());
  writer.put(paraphrase_fingerprint(lexicon_.resources()));
  lexicon_.save(writer);
  each_array(*this, [&](const auto& array) { writer.put(array); });
  const uint64_t sum = checksum(std::span<const uint8_t>(writer.bytes).subspan(16));
  std::memcpy(writer.bytes.data() + 8, &sum, sizeof sum);
  return std::move(writer.bytes);
}

MeteorReferences MeteorReferences::load(const MeteorResources& resources, std::span<const uint8_t> bytes) {
  Reader reader{bytes};
  if (reader.take() != format) throw std::invalid_argument("the bytes are no METEOR digest of this version");
  const uint64_t sum = reader.take();
  if (sum != checksum(reader.left)) throw std::invalid_argument("the METEOR digest is damaged");
  if (reader.take() != resources.wordnet.fingerprint() || reader.take() != paraphrase_fingerprint(resources))
    throw std::invalid_argument("the METEOR digest was made with other WordNet or paraphrase data");
  MeteorReferences references(resources);
  references.lexicon_.load(reader);
  each_array(references, [&](auto& array) { reader.take(array); });
  return references;
}

}  // namespace spidercap
