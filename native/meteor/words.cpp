#include "meteor/words.h"

#include <algorithm>
#include <iterator>

#include "meteor/identity.h"
#include "meteor/normalize.h"
#include "meteor/stem.h"

namespace spidercap {
namespace {

constexpr std::string_view function_words[] = {
    "the",  ",",     ".",    "to",    "of",     "and",   "a",     "in",     "that",  "for",  "\"",     "is",
    "on",   "'s",    "it",   "with",  "was",    "as",    "said",  "at",     "he",    "by",   "be",     "from",
    "have", "has",   "are",  "his",   "but",    "an",    "this",  "not",    "i",     "will", "\u2019", "they",
    ")",    "-rrb-", "(",    "-lrb-", "who",    "their", "had",   "we",     "which", "were", "been",   "more",
    "or",   "s",     "its",  "would", "about",  "new",   "one",   "after",  "you",   ":",    "also",   "up",
    "when", "there", "than", "$",     "all",    "out",   "her",   "people", "she",   "year", "two",    "-",
    "can",  "if",    "last", "first", "\u201C", "over",  "other", "\u201D", "into",  "some", "what",   "so",
    "--",   "no",    "time", "years", "could",  "?",     "'t",    "\u2014", "'"};
static_assert(std::size(function_words) == 93);

bool is_function_word(std::string_view token) {
  return std::find(std::begin(function_words), std::end(function_words), token) != std::end(function_words);
}

}  // namespace

uint32_t Lexicon::insert(std::string_view token) {
  const uint32_t id = strings_.insert(token);
  if (id < words_.size()) return id;
  MeteorWord word{};
  characters_.clear();
  decode_utf8(token, characters_);
  word.identity = polynomial_hash(characters_);
  stem_english(characters_);
  word.stem = polynomial_hash(characters_);
  word.paraphrase_word = resources_->paraphrases ? resources_->paraphrases->word(token) : ParaphraseIndex::none;
  resources_->wordnet.synsets(token, found_);
  word.first_synset = static_cast<uint32_t>(synsets_.size());
  word.synsets = static_cast<uint32_t>(found_.size());
  synsets_.insert(synsets_.end(), found_.begin(), found_.end());
  word.function = is_function_word(token) ? 1 : 0;
  words_.push_back(word);
  return id;
}

void Lexicon::clear() {
  strings_.clear();
  words_.clear();
  synsets_.clear();
}

}  // namespace spidercap
