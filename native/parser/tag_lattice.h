// The tags that each word of a caption may have, with a bigram model's scores of the sequences through them.
//
//   until(i, t) = word(i, t) + max over tags s of word i-1 of until(i-1, s) + follows(s, t), and from(i, t) from the
//   other side;
//
// a tag stays if its best sequence, until + from, is within the beam of the best one. Cost: a word's tags (about 10)
// squared. Of what stays (about 8), the filter of tag_filter.h, which sees more of the words around, leaves tags within
// a second beam.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "parser/search_tables.h"
#include "parser/tag_filter.h"

namespace spidercap {

inline constexpr float kNoBeam = 1e20F;  // wider beams leave nothing out

struct TagScore {
  uint16_t tag;
  float word;         // term of the tag over the word
  float until, from;  // best tag sequence up to this word with it, and of the words after it
};

class TagLattice {
 public:
  TagLattice(const SearchTables& tables, float beam, float filter_beam)
      : tables_(tables), beam_(beam), filter_beam_(filter_beam), filter_(tables.grammar) {}
  void read(std::span<const std::string_view> words);
  // What the filter sees in each of the words that were read.
  std::span<const TagFilter::Features> features() const { return features_; }
  size_t size() const { return size_; }
  // Each word's row, and its tag in the best sequence, whose score is `best`.
  std::span<const TaggedWord> likeliest() const { return likeliest_; }
  float best() const { return best_; }
  std::span<const TagScore> operator[](size_t word) const { return words_[word]; }

 private:
  void set_tags(uint32_t word_row, std::vector<TagScore>& tags);
  void run_forwards();
  float run_backwards();
  void read_features();
  void filter_tags(const TagFilter::Features& features, std::vector<TagScore>& tags);

  const SearchTables& tables_;
  float beam_, filter_beam_;
  TagFilter filter_;
  size_t size_ = 0;
  float best_ = 0;
  std::vector<std::vector<TagScore>> words_;
  std::vector<TaggedWord> likeliest_;  // each word's row, and its tag in the best sequence
  std::span<const TagFilter::Features> features_;
  std::vector<float> terms_, scores_;
};

}  // namespace spidercap
