#include "spice/lemma.h"

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <utility>

namespace spidercap {
namespace {

constexpr std::string_view header = "spidercap lemmas 1";
constexpr size_t longest_ending = 6;
constexpr uint64_t verb_tags =
    bit(Tag::VB) | bit(Tag::VBD) | bit(Tag::VBG) | bit(Tag::VBN) | bit(Tag::VBP) | bit(Tag::VBZ);

struct ClosedForm {
  uint64_t tags;
  std::string_view word;
  std::string_view lemma;
};

constexpr uint64_t pronoun_tags = bit(Tag::PRP) | bit(Tag::PRPS);
constexpr ClosedForm closed_forms[] = {
    {bit(Tag::DT), "an", "a"},     {pronoun_tags, "his", "he"},     {pronoun_tags, "him", "he"},
    {pronoun_tags, "her", "she"},  {pronoun_tags, "their", "they"}, {pronoun_tags, "them", "they"},
    {pronoun_tags, "us", "we"},    {pronoun_tags, "our", "we"},     {pronoun_tags, "me", "I"},
    {pronoun_tags, "your", "you"}, {bit(Tag::RB), "n't", "not"},    {bit(Tag::RB), "n", "not"},
    {bit(Tag::MD), "ca", "can"},   {bit(Tag::MD), "wo", "will"},    {bit(Tag::MD), "'ll", "will"},
    {bit(Tag::MD), "ll", "will"},  {bit(Tag::MD), "wilt", "will"},  {bit(Tag::MD), "'d", "would"},
    {bit(Tag::MD), "d", "would"},  {bit(Tag::VBZ), "'s", "be"},     {bit(Tag::VBZ), "s", "be"},
    {bit(Tag::VBD), "'d", "have"},
};
constexpr uint64_t closed_tags = [] {
  uint64_t tags = 0;
  for (const ClosedForm& form : closed_forms) tags |= form.tags;
  return tags;
}();
constexpr size_t longest_closed_form = 5;

// Ends as brackets are written: -lrb-, -rsb-, -rcb- and so on.
bool is_bracket(std::string_view lower) {
  if (lower.size() < 5 || !lower.ends_with("b-")) return false;
  const std::string_view end = lower.substr(lower.size() - 5);
  return end[0] == '-' && (end[1] == 'l' || end[1] == 'r') && (end[2] == 'r' || end[2] == 's' || end[2] == 'c');
}

// Words with other characters behind their last hyphen have no other form.
bool can_change(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') || letter == '\'';
}

// Endings are counted in bytes: whether a text of this many would end within a character of UTF-8.
bool cuts_character(std::string_view text, size_t bytes) {
  return bytes < text.size() && (static_cast<unsigned char>(text[bytes]) & 0xC0) == 0x80;
}

std::string_view next_field(std::string_view& line) {
  const size_t end = std::min(line.find('\t'), line.size());
  const std::string_view field = line.substr(0, end);
  line.remove_prefix(std::min(end + 1, line.size()));
  return field;
}

}  // namespace

Lemmas::Lemmas(std::string text) : text_(std::move(text)) {
  std::string_view rest = text_;
  bool first = true;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    if (first && line != header) break;
    if (!first) read_line(line);
    first = false;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  if (first) throw std::invalid_argument("the lemma file does not start with \"" + std::string(header) + "\"");
}

void Lemmas::read_line(std::string_view line) {
  const std::string_view what = next_field(line);
  Kind& kind = kinds_[what.starts_with("verb") ? 1 : 0];
  const std::string_view key = next_field(line);
  if (what == "noun" || what == "verb") {
    kind.words.insert(key, static_cast<uint32_t>(kind.lemmas.size()));
    kind.lemmas.push_back(next_field(line));
    return;
  }
  if (what != "noun-ending" && what != "verb-ending")
    throw std::invalid_argument("the lemma file has a line that starts with \"" + std::string(what) + "\"");
  const std::string_view digits = next_field(line);
  Change change{0, {}};
  std::from_chars(digits.data(), digits.data() + digits.size(), change.strip);
  change.add = next_field(line);
  kind.endings.insert(key, static_cast<uint32_t>(kind.changes.size()));
  kind.changes.push_back(change);
}

std::string_view Lemmas::look_up(const Kind& kind, std::string_view lower, std::string& buffer) {
  const uint32_t listed = kind.words.find(lower);
  if (listed != SpiceStrings::absent) return kind.lemmas[listed];
  const std::string_view last = lower.substr(lower.rfind('-') + 1);
  if (!std::ranges::all_of(last, can_change)) return lower;
  if (last.size() < lower.size())
    if (const uint32_t behind = kind.words.find(last); behind != SpiceStrings::absent) {
      buffer.assign(lower.substr(0, lower.size() - last.size())).append(kind.lemmas[behind]);
      return buffer;
    }
  for (size_t length = std::min(longest_ending, lower.size()) + 1; length-- > 0;) {
    const uint32_t ending = kind.endings.find(lower.substr(lower.size() - length));
    if (ending == SpiceStrings::absent || kind.changes[ending].strip > lower.size()) continue;
    const Change& change = kind.changes[ending];
    const std::string_view kept = lower.substr(0, lower.size() - change.strip);
    if (cuts_character(lower, kept.size())) continue;
    if (change.add.empty()) return kept;
    buffer.assign(kept).append(change.add);
    return buffer;
  }
  return lower;
}

std::string_view Lemmas::lemma_of(std::string_view word, std::string_view lower, Tag tag, std::string& buffer) const {
  if (tag == Tag::NNP || tag == Tag::NNPS) return word;
  if ((closed_tags & bit(tag)) != 0 && lower.size() <= longest_closed_form)
    for (const ClosedForm& form : closed_forms)
      if ((form.tags & bit(tag)) != 0 && form.word == lower) return form.lemma;
  // Of the words with no table, the pronoun "I" alone keeps its capital.
  if (tag != Tag::NNS && (verb_tags & bit(tag)) == 0) return tag == Tag::PRP && word == "I" ? word : lower;
  // The reference takes a bracket for a word that carries its tag.
  if (is_bracket(lower)) {
    buffer.assign(lower).append("_").append(name_of(tag));
    return buffer;
  }
  if (tag == Tag::NNS) return look_up(kinds_[0], lower, buffer);
  return look_up(kinds_[1], lower, buffer);
}

}  // namespace spidercap
