#include "meteor/scorer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/fork_join.h"

namespace spidercap {
namespace {

constexpr size_t most_word_pairs = 4'000'000;
constexpr size_t captions_at_once = 64;
// Rounding must never make a bound smaller than the score it bounds.
constexpr double bound_margin = 1 + 1e-9;

// γ·(chunks / (matched / 2))^β, where `matched` counts the words of both sides.
double compute_penalty(size_t chunks, size_t matched) {
  return meteor_gamma * std::pow(2 * static_cast<double>(chunks) / static_cast<double>(matched), meteor_beta);
}

double fragmentation_penalty(size_t chunks, size_t matched) {
  constexpr size_t most_chunks = 16;
  constexpr size_t most_matched = 64;
  static const auto table = [] {
    std::array<std::array<double, most_matched>, most_chunks> penalties{};
    for (size_t c = 0; c < most_chunks; ++c)
      for (size_t m = 1; m < most_matched; ++m) penalties[c][m] = compute_penalty(c, m);
    return penalties;
  }();
  return chunks < most_chunks && matched < most_matched ? table[chunks][matched] : compute_penalty(chunks, matched);
}

double word_weight(bool function) { return function ? 1 - meteor_delta : meteor_delta; }

// Chunks of an alignment in reference order: a new one starts after an unmatched reference word, and where the caption
// goes on elsewhere.
int32_t count_chunks(const MatchLists& lists, const std::vector<ChosenMatch>& chosen) {
  int32_t chunks = 0;
  size_t reference_end = 0;
  size_t caption_end = 0;
  for (const ChosenMatch& match : chosen) {
    const MatchCandidate& candidate = lists.candidates[match.candidate];
    const bool goes_on = chunks > 0 && match.reference_start == reference_end && candidate.caption_start == caption_end;
    if (!goes_on) ++chunks;
    reference_end = match.reference_start + candidate.reference_words;
    caption_end = candidate.caption_start + candidate.caption_words;
  }
  return chunks;
}

}  // namespace

template <typename IsFunction>
void CoverableRuns::read(const double* best_weights, size_t words, IsFunction is_function) {
  runs_.clear();
  sizes_.clear();
  length_ = 0;
  bool inside = false;
  for (size_t i = 0; i < words; ++i) {
    const double weight = word_weight(is_function(i));
    length_ += weight;
    if (best_weights[i] > 0) {
      if (!inside) runs_.emplace_back();
      runs_.back().weight += weight * best_weights[i];
      runs_.back().words += 1;
    }
    inside = best_weights[i] > 0;
  }
  std::sort(runs_.begin(), runs_.end(), [](const Matched& a, const Matched& b) { return a.weight > b.weight; });
  for (const Matched& run : runs_) sizes_.push_back(run.words);
  std::sort(sizes_.begin(), sizes_.end(), std::greater<>());
}

std::string_view MeteorScorer::without_separators(std::string_view caption) {
  constexpr std::string_view separator = "|||";
  size_t found = caption.find(separator);
  if (found == std::string_view::npos) return caption;
  cleaned_.clear();
  for (; found != std::string_view::npos; found = caption.find(separator)) {
    cleaned_ += caption.substr(0, found);
    caption.remove_prefix(found + separator.size());
  }
  cleaned_ += caption;
  return cleaned_;
}

void MeteorScorer::count_function_words() {
  caption_function_ = 0;
  for (size_t h = 0; h < matcher_.caption_size(); ++h) caption_function_ += matcher_.is_function(h);
}

// A chunk lies within one run of coverable words on either side, so an alignment of k chunks matches no more than the k
// heaviest runs of the caption and of the reference, each word by its best candidate. The bound is the best score over
// k.
double MeteorScorer::upper_bound(const ReferenceView& reference, const MatchLists& lists) {
  if (lists.candidates.empty()) return 0;
  const size_t words = lists.reference_size();
  const size_t caption_words = lists.caption_size();
  best_weights_.assign(words + caption_words, 0);
  double* const of_caption = best_weights_.data() + words;
  const auto raise = [](double& best, double weight) { best = std::max(best, weight); };
  for (size_t r = 0; r < words; ++r) {
    for (const MatchCandidate& candidate : lists.list(r)) {
      const double weight = meteor_module_weights[candidate.module];
      for (size_t i = 0; i < candidate.reference_words; ++i) raise(best_weights_[r + i], weight);
      for (size_t i = 0; i < candidate.caption_words; ++i) raise(of_caption[candidate.caption_start + i], weight);
    }
  }
  caption_runs_.read(of_caption, caption_words, [&](size_t h) { return matcher_.is_function(h); });
  reference_runs_.read(best_weights_.data(), words, [&](size_t r) { return matcher_.is_function(reference, r); });
  double bound = 0;
  Matched caption;
  Matched of_reference;
  for (size_t k = 1; k <= std::max(caption_runs_.size(), reference_runs_.size()); ++k) {
    caption_runs_.add(k, caption);
    reference_runs_.add(k, of_reference);
    const size_t matched = caption.words + of_reference.words;
    const double f =
        meteor_harmonic(caption.weight / caption_runs_.length(), of_reference.weight / reference_runs_.length());
    const bool perfect = k == 1 && matched == words + caption_words;
    bound = std::max(bound, perfect ? f : f * (1 - fragmentation_penalty(k, matched)));
  }
  return bound * bound_margin;
}

MeteorResult MeteorScorer::align(const ReferenceView& reference, const MatchLists& lists) {
  MeteorResult result;
  MeteorStatistics& s = result.statistics;
  s[cell::caption_words] = static_cast<int32_t>(lists.caption_size());
  s[cell::reference_words] = static_cast<int32_t>(lists.reference_size());
  s[cell::caption_function] = caption_function_;
  s[cell::reference_function] = static_cast<int32_t>(reference.function_words);
  const std::vector<ChosenMatch>& chosen = aligner_.align(lists);
  for (const ChosenMatch& match : chosen) {
    const MatchCandidate& candidate = lists.candidates[match.candidate];
    int32_t* const cells = s.data() + cell::modules + 4 * candidate.module;
    for (size_t i = 0; i < candidate.caption_words; ++i)
      ++cells[matcher_.is_function(candidate.caption_start + i) ? 2 : 0];
    for (size_t i = 0; i < candidate.reference_words; ++i)
      ++cells[matcher_.is_function(reference, match.reference_start + i) ? 3 : 1];
    s[cell::caption_matched] += candidate.caption_words;
    s[cell::reference_matched] += candidate.reference_words;
  }
  s[cell::chunks] = count_chunks(lists, chosen);
  result.score = meteor_score(s);
  return result;
}

MeteorResult MeteorScorer::score(size_t image, std::string_view caption) {
  const auto& tokens = normalizer_.tokens(without_separators(caption));
  const auto [first, end] = references_.references_of(image);
  for (size_t i = first; i < end; ++i)
    if (references_.reference(i).words.size() > most_word_pairs / std::max<size_t>(tokens.size(), 1))
      throw std::invalid_argument("the caption has " + std::to_string(tokens.size()) + " words and a reference " +
                                  std::to_string(references_.reference(i).words.size()) +
                                  "; expected a product of at most 4,000,000: shorten them");
  matcher_.prepare(image, tokens);
  count_function_words();
  if (lists_.size() < end - first) lists_.resize(end - first);
  contenders_.clear();
  for (size_t i = first; i < end; ++i) {
    const ReferenceView reference = references_.reference(i);
    matcher_.match(reference, lists_[i - first]);
    contenders_.push_back({upper_bound(reference, lists_[i - first]), i, i - first});
  }
  std::stable_sort(contenders_.begin(), contenders_.end(),
                   [](const Contender& a, const Contender& b) { return a.bound > b.bound; });
  MeteorResult best;
  size_t winner = end;
  for (const Contender& contender : contenders_) {
    if (contender.bound < best.score) break;
    MeteorResult result = align(references_.reference(contender.reference), lists_[contender.place]);
    if (result.score > best.score || (result.score == best.score && contender.reference < winner)) {
      best = result;
      winner = contender.reference;
    }
  }
  return best;
}

std::unique_ptr<MeteorScorer> MeteorScorers::borrow() {
  {
    const std::scoped_lock lock(lock_);
    if (!idle_.empty()) {
      std::unique_ptr<MeteorScorer> scorer = std::move(idle_.back());
      idle_.pop_back();
      return scorer;
    }
  }
  return std::make_unique<MeteorScorer>(references_);
}

void MeteorScorers::give_back(std::unique_ptr<MeteorScorer> scorer) {
  const std::scoped_lock lock(lock_);
  idle_.push_back(std::move(scorer));
}

std::vector<MeteorResult> MeteorScorers::score(std::span<const int64_t> images,
                                               std::span<const std::string_view> captions, size_t threads) {
  std::vector<MeteorResult> results(captions.size());
  fork_join(captions.size(), threads, captions_at_once, [&](size_t first, size_t last) {
    std::unique_ptr<MeteorScorer> scorer = borrow();
    for (size_t caption = first; caption < last; ++caption) {
      try {
        results[caption] = scorer->score(static_cast<size_t>(images[caption]), captions[caption]);
      } catch (const std::invalid_argument& error) {
        throw std::invalid_argument("caption " + std::to_string(caption) + ": " + error.what());
      }
    }
    give_back(std::move(scorer));
  });
  return results;
}

}  // namespace spidercap
