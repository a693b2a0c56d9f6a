#include "meteor_scorer.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <system_error>
#include <thread>

namespace spidercap {
namespace {

constexpr size_t most_word_pairs = 4'000'000;
constexpr size_t captions_at_once = 64;
// Rounding must never make a bound smaller than the score it bounds.
constexpr double bound_margin = 1 + 1e-9;

double word_weight(bool function) { return function ? 1 - meteor_delta : meteor_delta; }

// Chunks of an alignment in reference order: a new one starts after an unmatched reference word, and where the caption
// goes on elsewhere.
int32_t count_chunks(const MatchLists& lists, const std::vector<ChosenMatch>& chosen) {
  int32_t chunks = 0;
  size_t reference_end = 0;
  size_t caption_end = 0;
  for (const ChosenMatch& match : chosen) {
    const MatchCandidate& candidate = lists.candidates[match.candidate];
    const bool goes_on =
        chunks > 0 && match.reference_start == reference_end && candidate.caption_start == caption_end;
    if (!goes_on) ++chunks;
    reference_end = match.reference_start + candidate.reference_words;
    caption_end = candidate.caption_start + candidate.caption_words;
  }
  return chunks;
}

}  // namespace

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

// The score if every word that has a candidate were matched by its best one, in a single chunk.
double MeteorScorer::upper_bound(const ReferenceView& reference, const MatchLists& lists) {
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
  double lengths[2] = {0, 0};
  double matches[2] = {0, 0};
  size_t covered = 0;
  const auto count = [&](size_t side, double best, bool function) {
    const double weight = word_weight(function);
    lengths[side] += weight;
    matches[side] += weight * best;
    covered += best > 0;
  };
  for (size_t r = 0; r < words; ++r) count(1, best_weights_[r], matcher_.is_function(reference, r));
  for (size_t h = 0; h < caption_words; ++h) count(0, of_caption[h], matcher_.is_function(h));
  if (covered == 0) return 0;
  const double f = meteor_harmonic(matches[0] / lengths[0], matches[1] / lengths[1]);
  if (covered == words + caption_words) return f * bound_margin;
  return f * (1 - meteor_gamma * std::pow(2 / static_cast<double>(covered), meteor_beta)) * bound_margin;
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
  std::atomic<size_t> next{0};
  std::mutex failure_lock;
  std::exception_ptr failure;
  const auto work = [&]() noexcept {
    size_t caption = 0;
    try {
      std::unique_ptr<MeteorScorer> scorer = borrow();
      for (size_t start; (start = next.fetch_add(captions_at_once)) < captions.size();)
        for (caption = start; caption < std::min(start + captions_at_once, captions.size()); ++caption)
          results[caption] = scorer->score(static_cast<size_t>(images[caption]), captions[caption]);
      give_back(std::move(scorer));
    } catch (const std::invalid_argument& error) {
      const std::scoped_lock lock(failure_lock);
      failure = std::make_exception_ptr(
          std::invalid_argument("caption " + std::to_string(caption) + ": " + error.what()));
      next.store(captions.size());
    } catch (...) {
      const std::scoped_lock lock(failure_lock);
      failure = std::current_exception();
      next.store(captions.size());
    }
  };
  const size_t useful = (captions.size() + captions_at_once - 1) / captions_at_once;
  std::vector<std::thread> others;
  try {
    for (size_t i = 1; i < std::min(threads, useful); ++i) others.emplace_back(work);
  } catch (const std::system_error&) {
    // No more threads to be had: those that started, and this one, do the work.
  }
  work();
  for (std::thread& thread : others) thread.join();
  if (failure) std::rethrow_exception(failure);
  return results;
}

}  // namespace spidercap
