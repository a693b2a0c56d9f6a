// The tags that each word of a caption may have, with a bigram model's scores of the sequences through them.
//
//   until(i, t) = word(i, t) + max over strong tags s of word i-1 of until(i-1, s) + follows(s, t), and from(i, t) from
//   the other side;
//
// Strong tags are those that are likely by the word alone, about 5; the others, about 35 that are not hopeless, stand
// between the strong ones of their neighbours. A tag stays if its best sequence, until + from, is within the beam of
// the best one, and if its odds by the network (odds.h), which sees more of the words around, are not too low. Most of
// the others are left out by a bound: the neighbours' best sequences, and what at best precedes and follows the tag.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "parser/limits.h"
#include "parser/odds.h"
#include "parser/search_tables.h"
#include "parser/word_features.h"

namespace spidercap {

struct TagScore {
  uint16_t tag;
  float word;         // term of the tag over the word
  float until, from;  // best tag sequence up to this word with it, and of the words after it
};

class TagLattice {
 public:
  TagLattice(const SearchTables& tables, const Limits& limits)
      : tables_(tables), limits_(limits), word_features_(tables.grammar) {
    for (std::vector<Tried>& rows : tried_) rows.resize(tables.grammar.word_rows());
  }
  // Reads words, which may have any tag or those that are usual, and has the network read them.
  void read(std::span<const std::string_view> words, bool any_tag, Odds& odds);
  size_t size() const { return size_; }
  // What the network sees in each of the words.
  std::span<const WordFeatures::Features> features() const { return features_; }
  // Each word's row, and its tag in the best sequence, whose score is `best`.
  std::span<const TaggedWord> likeliest() const { return likeliest_; }
  float best() const { return best_; }
  std::span<const TagScore> operator[](size_t word) const { return words_[word].tags; }
  // Score of the best tags before the words i … j-1 and behind them, below that of the best sequence.
  float outside(size_t i, size_t j) const { return before_[i] + behind_[j] - best_; }

 private:
  struct Term {
    uint16_t tag;
    float term;
  };
  // Tags of a row's word that are tried, likeliest by itself first, the strong ones among them.
  struct Tried {
    std::vector<Term> terms;
    size_t strong = 0;
    std::span<const Term> others() const { return std::span(terms).subspan(strong); }
  };
  struct Word {
    std::span<const Term> others;
    std::vector<TagScore> strong, tags;
  };

  const Tried& tried(uint32_t row, bool any_tag);
  Tried tags_of(uint32_t row, bool any_tag);
  void set_tags(size_t word, bool any_tag);
  void run_forwards();
  void run_backwards();
  float until(size_t word, uint32_t tag) const;
  float from(size_t word, uint32_t tag) const;
  void leave_out(size_t word, const Odds& odds);

  const SearchTables& tables_;
  Limits limits_;
  WordFeatures word_features_;
  size_t size_ = 0;
  float best_ = 0;
  std::vector<Word> words_;
  std::vector<TaggedWord> likeliest_;
  std::vector<float> before_, behind_;  // best scores of the strong tags before, and behind, each position
  std::span<const WordFeatures::Features> features_;
  std::array<std::vector<Tried>, 2> tried_;  // usual tags, any tag: by row, made when first asked for
  std::vector<float> terms_, odds_;
};

}  // namespace spidercap
