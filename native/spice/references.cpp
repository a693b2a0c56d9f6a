#include "spice/references.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

namespace spidercap {
namespace {

// Runs `work` on each of `threads` threads, the calling one among them; throws the first exception that any threw.
template <typename Work>
void run_on_threads(size_t threads, Work&& work) {
  std::exception_ptr failure;
  std::mutex failure_access;
  const auto guarded = [&] {
    try {
      work();
    } catch (...) {
      const std::lock_guard lock(failure_access);
      if (!failure) failure = std::current_exception();
    }
  };
  std::vector<std::thread> helpers;
  for (size_t i = 1; i < threads; ++i) helpers.emplace_back(guarded);
  guarded();
  for (std::thread& helper : helpers) helper.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace

size_t SpiceReferences::add_image(const Tuples& tuples) {
  const std::unique_lock lock(access_);
  graph_.clear();
  graph_.add(tuples, {nullptr, &strings_, &lexicon_.synsets});
  TupleSet& added = images_.emplace_back();
  added.assign(graph_);
  added.sort();
  added.freeze();
  return images_.size() - 1;
}

size_t SpiceReferences::size() const {
  const std::shared_lock lock(access_);
  return images_.size();
}

const TupleSet& SpiceReferences::image_at(size_t image) const {
  if (image >= images_.size())
    throw std::out_of_range("image " + std::to_string(image) + " is not among the " + std::to_string(images_.size()) +
                            " images with references");
  return images_[image];
}

void SpiceReferences::build_candidate(const Tuples& tuples, SpiceWorker& worker) const {
  if (worker.strings.size() > StringSource::most_own) worker.strings.clear();
  worker.graph.clear();
  worker.graph.add(tuples, {&strings_, &worker.strings, &lexicon_.synsets});
  worker.set.assign(worker.graph);
}

double SpiceReferences::f_score(size_t image, const Tuples& tuples, SpiceWorker& worker) const {
  const std::shared_lock lock(access_);
  build_candidate(tuples, worker);
  return worker.matcher.f_score(worker.set, image_at(image));
}

SpiceDetails SpiceReferences::details(size_t image, const Tuples& tuples, SpiceWorker& worker) const {
  const std::shared_lock lock(access_);
  build_candidate(tuples, worker);
  worker.set.sort();
  return worker.matcher.details(worker.set, image_at(image));
}

void SpiceReferences::score(std::span<const int64_t> images, const ParsedCaptions& captions, size_t threads,
                            std::span<SpiceRow> rows) const {
  const Fill fill = [&](size_t i, SpiceWorker& worker) {
    captions.for_sentences(i, worker.words,
                           [&](const ParsedSentence& sentence) { worker.maker.tuples_of(sentence, worker.tuples); });
  };
  score(images, fill, threads, rows);
}

void SpiceReferences::score(std::span<const int64_t> images, const Fill& fill, size_t threads,
                            std::span<SpiceRow> rows) const {
  constexpr size_t block = 16;
  const size_t count = images.size();
  const std::shared_lock lock(access_);
  std::atomic<size_t> next = 0;
  run_on_threads(std::min(threads, count / block + 1), [&] {
    std::unique_ptr<SpiceWorker> worker = borrow();
    for (size_t start = next.fetch_add(block); start < count; start = next.fetch_add(block))
      for (size_t i = start; i < std::min(start + block, count); ++i) {
        const TupleSet& references = image_at(static_cast<size_t>(images[i]));
        worker->tuples.clear();
        fill(i, *worker);
        build_candidate(worker->tuples, *worker);
        rows[i] = {worker->matcher.f_score(worker->set, references),
                   static_cast<double>(worker->tuples.tuples().size()), static_cast<double>(worker->tuples.repeated())};
      }
    give_back(std::move(worker));
  });
}

std::unique_ptr<SpiceWorker> SpiceReferences::borrow() const {
  const std::lock_guard lock(pool_access_);
  if (pool_.empty()) return std::make_unique<SpiceWorker>(lexicon_);
  std::unique_ptr<SpiceWorker> worker = std::move(pool_.back());
  pool_.pop_back();
  return worker;
}

void SpiceReferences::give_back(std::unique_ptr<SpiceWorker> worker) const {
  const std::lock_guard lock(pool_access_);
  pool_.push_back(std::move(worker));
}

}  // namespace spidercap
