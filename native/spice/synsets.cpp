#include "spice/synsets.h"

#include <algorithm>
#include <stdexcept>

#include "spice/strings.h"

namespace spidercap {
namespace {

constexpr std::string_view header = "spidercap synsets 1\n";

struct Ending {
  std::string_view ending, replacement;
};

// Tried in this order; the repetitions of the original list change nothing and are left out.
constexpr Ending endings[] = {{"s", ""},      {"ses", "s"}, {"xes", "x"}, {"zes", "z"}, {"ches", "ch"}, {"shes", "sh"},
                              {"men", "man"}, {"ies", "y"}, {"es", "e"},  {"es", ""},   {"ed", "e"},    {"ed", ""},
                              {"ing", "e"},   {"ing", ""},  {"er", ""},   {"est", ""},  {"er", "e"},    {"est", "e"}};

class Reader {
 public:
  explicit Reader(std::string_view content) : rest_(content) {}

  uint32_t number() {
    uint32_t value = 0;
    for (int shift = 0; shift < 35; shift += 7) {
      const auto byte = static_cast<unsigned char>(bytes(1).front());
      value |= static_cast<uint32_t>(byte & 0x7F) << shift;
      if (byte < 0x80) return value;
    }
    throw std::invalid_argument("the synset file holds a number that is too long");
  }

  std::string_view bytes(size_t count) {
    if (count > rest_.size()) throw std::invalid_argument("the synset file ends too early");
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }

  // Words are written as what differs from the word before.
  void word(std::string& previous) {
    const uint32_t shared = number();
    if (shared > previous.size()) throw std::invalid_argument("the synset file shares more than the word before has");
    previous.resize(shared);
    previous.append(bytes(number()));
  }

 private:
  std::string_view rest_;
};

}  // namespace

void Synsets::Index::append(uint32_t entry, std::vector<uint32_t>& to) const {
  to.insert(to.end(), numbers.begin() + starts[entry], numbers.begin() + starts[entry + 1]);
}

Synsets::Synsets(std::string_view content) {
  if (!content.starts_with(header)) throw std::invalid_argument("the synset file does not start with its header");
  Reader reader(content.substr(header.size()));
  const uint32_t entry_count = reader.number(), exception_count = reader.number(), synset_count = reader.number();
  uint32_t known = 0;
  const auto read = [&](Index& index, uint32_t count, auto&& next_number) {
    std::string word;
    index.words.reserve(count, 0);
    for (uint32_t i = 0; i < count; ++i) {
      reader.word(word);
      if (index.words.insert(word) != i) throw std::invalid_argument("the synset file has a word twice");
      for (uint32_t left = reader.number(); left > 0; --left) index.numbers.push_back(next_number(reader.number()));
      index.starts.push_back(static_cast<uint32_t>(index.numbers.size()));
    }
  };
  read(entries_, entry_count, [&](uint32_t back) {
    if (back > known) throw std::invalid_argument("the synset file refers to a synset before the first");
    return back == 0 ? known++ : known - back;
  });
  if (known != synset_count)
    throw std::invalid_argument("the synset file holds another number of synsets than it says");
  read(exceptions_, exception_count, [&](uint32_t entry) {
    if (entry >= entry_count) throw std::invalid_argument("the synset file refers to an entry after the last");
    return entry;
  });
}

uint32_t Synsets::stem(std::string_view word, std::string& buffer) const {
  if (word.size() <= 2 || word.ends_with("ss")) return StringTable::none;
  for (const Ending& tried : endings) {
    if (!word.ends_with(tried.ending)) continue;
    buffer.assign(word.substr(0, word.size() - tried.ending.size())).append(tried.replacement);
    const uint32_t entry = entries_.words.find(buffer);
    if (entry != StringTable::none) return entry;
  }
  return StringTable::none;
}

void Synsets::find(std::string_view text, std::vector<uint32_t>& numbers) const {
  numbers.clear();
  const auto is_blank = [](char c) { return static_cast<unsigned char>(c) <= ' '; };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  std::string lowered, buffer, word(lower_case_of(text, lowered));
  std::replace(word.begin(), word.end(), ' ', '_');
  const uint32_t own = entries_.words.find(word);
  if (own != StringTable::none) entries_.append(own, numbers);
  const uint32_t exception = exceptions_.words.find(word);
  if (exception != StringTable::none) {
    for (uint32_t i = exceptions_.starts[exception]; i < exceptions_.starts[exception + 1]; ++i)
      entries_.append(exceptions_.numbers[i], numbers);
  } else if (const uint32_t entry = stem(word, buffer); entry != StringTable::none) {
    entries_.append(entry, numbers);
  }
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

}  // namespace spidercap
