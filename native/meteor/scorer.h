// Captions to METEOR statistics: each caption against all references of its image, the best-scoring reference (the
// first of equals) gives the statistics. References are aligned in the order of an upper bound of their score, and
// those whose bound is below the best score so far are not aligned at all; that leaves the result exactly as it is. A
// COCO caption against five digested references costs some 20 µs.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "meteor/align.h"
#include "meteor/match.h"
#include "meteor/normalize.h"
#include "meteor/references.h"
#include "meteor/score.h"

namespace spidercap {

struct MeteorResult {
  MeteorStatistics statistics{};
  double score = -1;
};

struct Matched {
  double weight = 0;
  size_t words = 0;
};

// The maximal runs of words of one text that have any candidate, as far as an upper bound needs them.
class CoverableRuns {
 public:
  template <typename IsFunction>
  void read(const double* best_weights, size_t words, IsFunction is_function);
  size_t size() const { return runs_.size(); }
  double length() const { return length_; }
  // From the most that k − 1 runs can give to the most that k runs can give, weight and words each for itself.
  void add(size_t k, Matched& sum) const {
    if (k > runs_.size()) return;
    sum.weight += runs_[k - 1].weight;
    sum.words += sizes_[k - 1];
  }

 private:
  std::vector<Matched> runs_;  // heaviest first
  std::vector<size_t> sizes_;  // their words, most first
  double length_ = 0;
};

// Works through one caption after another; one for each thread.
class MeteorScorer {
 public:
  explicit MeteorScorer(const MeteorReferences& references) : references_(references), matcher_(references) {}

  // Throws std::invalid_argument when (caption words) × (reference words) is beyond four million.
  MeteorResult score(size_t image, std::string_view caption);

 private:
  struct Contender {
    double bound;
    size_t reference;
    size_t place;
  };

  std::string_view without_separators(std::string_view caption);
  void count_function_words();
  double upper_bound(const ReferenceView& reference, const MatchLists& lists);
  MeteorResult align(const ReferenceView& reference, const MatchLists& lists);

  const MeteorReferences& references_;
  MeteorNormalizer normalizer_;
  Matcher matcher_;
  Aligner aligner_;
  int32_t caption_function_ = 0;
  std::string cleaned_;
  std::vector<MatchLists> lists_;
  std::vector<Contender> contenders_;
  std::vector<double> best_weights_;
  CoverableRuns caption_runs_;
  CoverableRuns reference_runs_;
};

// Scores captions against one digest, on several threads and for several callers at once. Scorers are kept between
// calls, with what they learned about words that no reference has.
class MeteorScorers {
 public:
  explicit MeteorScorers(MeteorReferences&& references) : references_(std::move(references)) {}

  const MeteorReferences& references() const { return references_; }

  // One result for each caption; `images[i]` is the image of caption i. Throws what MeteorScorer::score throws, with
  // the caption's number.
  std::vector<MeteorResult> score(std::span<const int64_t> images, std::span<const std::string_view> captions,
                                  size_t threads);

 private:
  std::unique_ptr<MeteorScorer> borrow();
  void give_back(std::unique_ptr<MeteorScorer> scorer);

  MeteorReferences references_;
  std::mutex lock_;
  std::vector<std::unique_ptr<MeteorScorer>> idle_;
};

}  // namespace spidercap
