#include "meteor/match.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace spidercap {
namespace {

constexpr size_t most_unseen_words = 100'000;

// What a match is worth in the search: whole for exact, half for the others, each side rounded down.
uint8_t search_value(MeteorModule module, size_t reference_words, size_t caption_words) {
  if (module == exact_module) return 2;
  return static_cast<uint8_t>(reference_words / 2 + caption_words / 2);
}

void add(MatchLists& lists, size_t r, size_t reference_words, size_t h, size_t caption_words, MeteorModule module) {
  lists.candidates.push_back({static_cast<uint32_t>(h), module, static_cast<uint8_t>(reference_words),
                              static_cast<uint8_t>(caption_words),
                              search_value(module, reference_words, caption_words)});
  for (size_t i = 0; i < reference_words; ++i) ++lists.reference_coverage[r + i];
  for (size_t i = 0; i < caption_words; ++i) ++lists.caption_coverage[h + i];
  lists.distance += r > h ? r - h : h - r;
}

// Turns the places of sorted matches into the start of each place's share.
template <typename Match>
void index_by_place(const std::vector<Match>& matches, size_t places, std::vector<uint32_t>& starts) {
  starts.assign(places + 1, 0);
  for (const Match& match : matches) ++starts[match.place + 1];
  for (size_t i = 0; i < places; ++i) starts[i + 1] += starts[i];
}

}  // namespace

Matcher::Matcher(const MeteorReferences& references)
    : references_(references),
      unseen_(references.lexicon().resources()),
      synset_words_(references.lexicon().resources().wordnet.synset_count(), 0) {}

void Matcher::prepare(size_t image, const std::vector<std::string_view>& tokens) {
  image_ = references_.image(image);
  read_caption(tokens);
  mask_words();
  match_phrases();
}

void Matcher::read_caption(const std::vector<std::string_view>& tokens) {
  if (unseen_.size() > most_unseen_words) unseen_.clear();
  // All unseen words enter the lexicon before any of its memory is pointed to.
  token_ids_.clear();
  for (const std::string_view token : tokens) {
    const uint32_t known = references_.lexicon().find(token);
    const bool unseen = known == StringTable::none;
    token_ids_.emplace_back(unseen, unseen ? unseen_.insert(token) : known);
  }
  caption_.clear();
  for (const auto& [unseen, id] : token_ids_) {
    const Lexicon& lexicon = unseen ? unseen_ : references_.lexicon();
    caption_.push_back({lexicon[id], lexicon.synsets(lexicon[id])});
  }
}

void Matcher::mask_words() {
  blocks_ = (caption_.size() + 63) / 64;
  for (auto& masks : masks_) masks.resize(image_.words.size() * blocks_);
  image_function_.resize(image_.words.size());
  for (size_t place = 0; place < image_.words.size(); ++place)
    image_function_[place] = static_cast<uint8_t>(references_.lexicon()[image_.words[place]].function);
  for (size_t block = 0; block < blocks_; ++block) {
    mask_same(block);
    mask_synonyms(block);
  }
}

void Matcher::mask_same(size_t block) {
  const auto part = std::span(caption_).subspan(64 * block, std::min<size_t>(64, caption_.size() - 64 * block));
  std::array<uint32_t, 64> identities;
  std::array<uint32_t, 64> stems;
  for (size_t h = 0; h < part.size(); ++h) {
    identities[h] = part[h].word.identity;
    stems[h] = part[h].word.stem;
  }
  const Lexicon& lexicon = references_.lexicon();
  for (size_t place = 0; place < image_.words.size(); ++place) {
    const MeteorWord& word = lexicon[image_.words[place]];
    uint64_t exact = 0;
    uint64_t stem = 0;
    for (size_t h = 0; h < part.size(); ++h) {
      exact |= uint64_t{identities[h] == word.identity} << h;
      stem |= uint64_t{stems[h] == word.stem} << h;
    }
    masks_[exact_module][place * blocks_ + block] = exact;
    masks_[stem_module][place * blocks_ + block] = stem & ~exact;
  }
}

void Matcher::mask_synonyms(size_t block) {
  const size_t first = 64 * block;
  const size_t end = std::min(first + 64, caption_.size());
  for (size_t h = first; h < end; ++h)
    for (const uint32_t synset : caption_[h].synsets) synset_words_[synset] |= uint64_t{1} << (h - first);
  const Lexicon& lexicon = references_.lexicon();
  for (size_t place = 0; place < image_.words.size(); ++place) {
    uint64_t sharing = 0;
    for (const uint32_t synset : lexicon.synsets(lexicon[image_.words[place]])) sharing |= synset_words_[synset];
    const size_t slot = place * blocks_ + block;
    masks_[synonym_module][slot] = sharing & ~masks_[exact_module][slot];
  }
  for (size_t h = first; h < end; ++h)
    for (const uint32_t synset : caption_[h].synsets) synset_words_[synset] = 0;
}

void Matcher::match_phrases() {
  forward_.clear();
  backward_.clear();
  const auto& index = references_.lexicon().resources().paraphrases;
  if (!index) return;
  caption_phrases_.clear();
  caption_filter_.clear();
  find_phrases(
      *index, caption_.size(), [&](size_t i) { return caption_[i].word.paraphrase_word; },
      [&](size_t start, size_t length, uint32_t phrase) {
        caption_phrases_.push_back({phrase, static_cast<uint32_t>(start), static_cast<uint32_t>(length)});
        caption_filter_.add(phrase);
      });
  match_forward(*index);
  match_backward(*index);
}

void Matcher::match_forward(const ParaphraseIndex& index) {
  sorted_phrases_ = caption_phrases_;
  std::sort(sorted_phrases_.begin(), sorted_phrases_.end());
  const auto begin = sorted_phrases_.begin();
  for (uint32_t place = 0; place < image_.phrases.size(); ++place) {
    for (const uint32_t target : index.targets(image_.phrases[place])) {
      if (!caption_filter_.may_hold(target)) continue;
      const auto first = std::lower_bound(begin, sorted_phrases_.end(), CaptionPhrase{target, 0, 0});
      auto last = first;
      while (last != sorted_phrases_.end() && last->phrase == target) ++last;
      if (last != first)
        forward_.push_back({place, static_cast<uint32_t>(first - begin), static_cast<uint32_t>(last - begin)});
    }
  }
  index_by_place(forward_, image_.phrases.size(), forward_starts_);
}

void Matcher::match_backward(const ParaphraseIndex& index) {
  image_filter_.clear();
  for (const uint32_t phrase : image_.phrases) image_filter_.add(phrase);
  for (const CaptionPhrase& source : caption_phrases_) {
    for (const uint32_t target : index.targets(source.phrase)) {
      if (!image_filter_.may_hold(target)) continue;
      const auto found = std::lower_bound(image_.phrases.begin(), image_.phrases.end(), target);
      if (found == image_.phrases.end() || *found != target) continue;
      backward_.push_back({static_cast<uint32_t>(found - image_.phrases.begin()),
                           static_cast<uint32_t>(backward_.size()), source.start, source.length});
    }
  }
  std::stable_sort(backward_.begin(), backward_.end(),
                   [](const BackwardMatch& a, const BackwardMatch& b) { return a.place < b.place; });
  index_by_place(backward_, image_.phrases.size(), backward_starts_);
}

bool Matcher::same_words(const ReferenceView& reference) const {
  if (reference.words.size() != caption_.size()) return false;
  for (size_t i = 0; i < caption_.size(); ++i)
    if (!((masks_[exact_module][reference.words[i] * blocks_ + i / 64] >> (i % 64)) & 1)) return false;
  return true;
}

void Matcher::add_masked(MatchLists& lists, size_t r, MeteorModule module, size_t place) const {
  for (size_t block = 0; block < blocks_; ++block)
    for (uint64_t left = masks_[module][place * blocks_ + block]; left != 0; left &= left - 1)
      add(lists, r, 1, 64 * block + static_cast<size_t>(std::countr_zero(left)), 1, module);
}

void Matcher::add_forward(MatchLists& lists, size_t r, size_t length, uint32_t place) const {
  for (uint32_t i = forward_starts_[place]; i < forward_starts_[place + 1]; ++i)
    for (uint32_t k = forward_[i].begin; k < forward_[i].end; ++k)
      add(lists, r, length, sorted_phrases_[k].start, sorted_phrases_[k].length, paraphrase_module);
}

void Matcher::add_paraphrases(MatchLists& lists, size_t r, const ReferenceView& reference, const uint32_t* phrases) {
  here_.clear();
  for (unsigned left = reference.phrase_lengths[r]; left != 0; left &= left - 1) {
    const auto length = static_cast<uint32_t>(std::countr_zero(left)) + 1;
    const uint32_t place = *phrases++;
    add_forward(lists, r, length, place);
    for (uint32_t i = backward_starts_[place]; i < backward_starts_[place + 1]; ++i) {
      here_.push_back(backward_[i]);
      here_.back().place = length;
    }
  }
  std::sort(here_.begin(), here_.end(),
            [](const BackwardMatch& a, const BackwardMatch& b) { return a.order < b.order; });
  for (const BackwardMatch& match : here_) add(lists, r, match.place, match.start, match.length, paraphrase_module);
}

void Matcher::match(const ReferenceView& reference, MatchLists& lists) {
  const size_t words = reference.words.size();
  lists.candidates.clear();
  lists.starts.clear();
  lists.distance = 0;
  lists.reference_coverage.assign(words, 0);
  lists.caption_coverage.assign(caption_.size(), 0);
  const bool only_exact = same_words(reference);
  const bool paraphrases = !only_exact && (!forward_.empty() || !backward_.empty());
  const uint32_t* phrases = reference.phrases.data();
  for (size_t r = 0; r < words; ++r) {
    lists.starts.push_back(static_cast<uint32_t>(lists.candidates.size()));
    const size_t place = reference.words[r];
    add_masked(lists, r, exact_module, place);
    if (only_exact) continue;
    add_masked(lists, r, stem_module, place);
    add_masked(lists, r, synonym_module, place);
    if (paraphrases) add_paraphrases(lists, r, reference, phrases);
    phrases += std::popcount(reference.phrase_lengths[r]);
  }
  lists.starts.push_back(static_cast<uint32_t>(lists.candidates.size()));
}

}  // namespace spidercap
