// References of many images, digested once, and candidates scored against them on several threads.
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parser/parsed_captions.h"
#include "spice/lemma.h"
#include "spice/score.h"
#include "spice/synsets.h"
#include "spice/tuples.h"

namespace spidercap {

// The two files that SPICE needs besides a parser.
struct SpiceLexicon {
  SpiceLexicon(std::string lemma_file, std::string_view synset_file)
      : lemmas(std::move(lemma_file)), synsets(synset_file) {}
  Lemmas lemmas;
  Synsets synsets;
};

// What one thread needs to score captions; keeps its memory from caption to caption.
struct SpiceWorker {
  explicit SpiceWorker(const SpiceLexicon& lexicon) : maker(lexicon.lemmas) {}
  TupleMaker maker;
  Tuples tuples;
  std::vector<std::string_view> words;
  SceneStrings strings;
  SceneGraph graph;
  TupleSet set;
  TupleMatcher matcher;
};

// What scoring finds of one caption: F, and how many raw tuples it has and how many of them repeat an earlier one.
struct SpiceRow {
  double f, tuples, repeated;
};

// Images may be added at any time; scoring may go on in any number of threads.
class SpiceReferences {
 public:
  // The lexicon must outlive this object.
  explicit SpiceReferences(const SpiceLexicon& lexicon) : lexicon_(lexicon) {}

  // Adds an image, given the raw tuples of all its references in order. Returns its number.
  size_t add_image(const Tuples& tuples);
  size_t size() const;

  // F of a candidate's tuples. Throws std::out_of_range if there is no such image.
  double f_score(size_t image, const Tuples& tuples, SpiceWorker& worker) const;
  SpiceDetails details(size_t image, const Tuples& tuples, SpiceWorker& worker) const;
  // What is found of captions[i] against images[i], into rows[i], on `threads` threads.
  void score(std::span<const int64_t> images, const ParsedCaptions& captions, size_t threads,
             std::span<SpiceRow> rows) const;
  // The same where `fill` puts the raw tuples of the i-th caption into worker.tuples (a parser, say); it is called from
  // several threads at once, each with its own worker.
  using Fill = std::function<void(size_t i, SpiceWorker& worker)>;
  void score(std::span<const int64_t> images, const Fill& fill, size_t threads, std::span<SpiceRow> rows) const;

  // Writes all images to a file; `key` names what they were made from.
  void save(const std::filesystem::path& path, std::string_view key) const;
  // Reads a saved file. Throws FlatFileError if it is damaged or was made from something else.
  static std::unique_ptr<SpiceReferences> load(const SpiceLexicon& lexicon, const std::filesystem::path& path,
                                               std::string_view key);

  const SpiceLexicon& lexicon() const { return lexicon_; }
  // A worker for the calling thread, to be given back.
  std::unique_ptr<SpiceWorker> borrow() const;
  void give_back(std::unique_ptr<SpiceWorker> worker) const;

 private:
  const TupleSet& image_at(size_t image) const;
  void build_candidate(const Tuples& tuples, SpiceWorker& worker) const;

  const SpiceLexicon& lexicon_;
  SceneStrings strings_;
  std::deque<TupleSet> images_;
  SceneGraph graph_;
  mutable std::shared_mutex access_;
  mutable std::mutex pool_access_;
  mutable std::vector<std::unique_ptr<SpiceWorker>> pool_;
};

}  // namespace spidercap
