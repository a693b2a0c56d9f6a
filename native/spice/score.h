// SPICE of a candidate's scene graph against that of its references.
//
//   P = matched / candidate tuples,  R = matched / reference tuples,  F = 2 P R / (P + R)
//
// A candidate tuple is matched if some reference tuple of its length is similar to it element by element; a reference
// tuple may be used more than once. Cost: one pass over the synsets of the reference nodes for all
// candidate nodes together, then table look-ups for each pair of tuples.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "spice/scene.h"

namespace spidercap {

// The tuples of a scene graph: nodes, (node, attribute), (subject, relation, object).
class TupleSet {
 public:
  struct Tuple {
    uint8_t size;
    AttributeKind kind;                // of a pair whose attribute is one string
    std::array<uint32_t, 3> concepts;  // nodes have the first numbers
  };

  void assign(const SceneGraph& graph);
  // The set that has these tuples; the strings of concept i are those from starts[i] to starts[i + 1].
  void assign(std::vector<const SceneString*> strings, std::vector<uint32_t> starts, std::vector<Tuple> tuples,
              uint32_t nodes);
  // Puts the tuples into the order of listings: by elements, each by its strings as printed.
  void sort();
  // Makes the set ready to be matched against: gathers the synsets of each node in one place, and frees what is spare.
  void freeze();

  const std::vector<Tuple>& tuples() const { return tuples_; }
  uint32_t node_count() const { return node_count_; }
  uint32_t concept_count() const { return static_cast<uint32_t>(starts_.size()) - 1; }
  std::span<const SceneString* const> strings(uint32_t number) const {
    return std::span(strings_).subspan(starts_[number], starts_[number + 1] - starts_[number]);
  }
  // Synsets of a node, for a frozen set; some may be repeated.
  std::span<const uint32_t> node_synsets(uint32_t node) const {
    return std::span(synsets_).subspan(synset_starts_[node], synset_starts_[node + 1] - synset_starts_[node]);
  }
  // An element as it is printed: its strings joined by "/".
  std::string printed_concept(uint32_t number) const;

 private:
  uint32_t add_concept(const Concept& added);

  std::vector<const SceneString*> strings_;
  std::vector<uint32_t> starts_;  // by concept, and the end
  std::vector<Tuple> tuples_;
  std::vector<uint32_t> synsets_, synset_starts_;
  uint32_t node_count_ = 0;
};

enum class SpiceCategory : uint8_t { all, object, attribute, relation, cardinality, color, size, count };
inline constexpr std::array<std::string_view, 7> category_names = {"All",         "Object", "Attribute", "Relation",
                                                                   "Cardinality", "Color",  "Size"};
static_assert(category_names.size() == static_cast<size_t>(SpiceCategory::count));

struct CategoryScore {
  int64_t true_positives, false_positives, false_negatives;
  double precision, recall, f;  // not numbers in a category (but All) without reference tuples
};

// A tuple of a listing: its elements as printed, and whether it was matched.
struct ListedTuple {
  std::vector<std::string> elements;
  bool matched;
};

struct SpiceDetails {
  std::array<CategoryScore, category_names.size()> scores;
  std::vector<ListedTuple> candidate, references;  // matched ones first
};

CategoryScore category_score(SpiceCategory category, size_t matched, size_t candidates, size_t references);

class TupleMatcher {
 public:
  static constexpr uint32_t unmatched = 0xFFFFFFFF;

  // The F value over all tuples. The references must be frozen.
  double f_score(const TupleSet& candidate, const TupleSet& references);
  // All scores and the listings. Both sets must be sorted, and the references frozen, here as above.
  SpiceDetails details(const TupleSet& candidate, const TupleSet& references);

 private:
  void compare_nodes(const TupleSet& candidate, const TupleSet& references);
  // The first reference tuple of the category that matches.
  uint32_t first_match(const TupleSet& candidate, const TupleSet::Tuple& tuple, const TupleSet& references,
                       SpiceCategory category) const;
  bool matches(const TupleSet& candidate, const TupleSet::Tuple& a, const TupleSet& references,
               const TupleSet::Tuple& b) const;

  std::vector<uint8_t> similar_;  // candidate node × reference node
  std::vector<uint8_t> known_;    // by candidate node: is it similar to any reference node?
  uint32_t columns_ = 0;
};

}  // namespace spidercap
