#include "spice/score.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace spidercap {
namespace {

bool belongs(const TupleSet::Tuple& tuple, SpiceCategory category) {
  switch (category) {
    case SpiceCategory::object:
      return tuple.size == 1;
    case SpiceCategory::attribute:
      return tuple.size == 2;
    case SpiceCategory::relation:
      return tuple.size == 3;
    case SpiceCategory::cardinality:
      return tuple.kind == AttributeKind::cardinality;
    case SpiceCategory::color:
      return tuple.kind == AttributeKind::color;
    case SpiceCategory::size:
      return tuple.kind == AttributeKind::size;
    default:
      return true;
  }
}

bool similar_sets(std::span<const SceneString* const> a, std::span<const SceneString* const> b) {
  for (const SceneString* left : a)
    for (const SceneString* right : b)
      if (similar(left, right)) return true;
  return false;
}

// A small Bloom filter over the synsets of all nodes of a candidate, which settles most comparisons.
class SynsetFilter {
 public:
  void add(uint32_t synset) { bits_[synset / 64 % bits_.size()] |= uint64_t{1} << (synset % 64); }
  bool may_contain(uint32_t synset) const { return (bits_[synset / 64 % bits_.size()] >> (synset % 64) & 1) != 0; }

 private:
  std::array<uint64_t, 16> bits_{};
};

bool has_synset(std::span<const SceneString* const> strings, uint32_t synset) {
  return std::any_of(strings.begin(), strings.end(), [&](const SceneString* string) {
    return std::binary_search(string->synsets.begin(), string->synsets.end(), synset);
  });
}

double f_of(double precision, double recall) {
  return precision == 0 || recall == 0 ? 0 : 2 * (precision * recall) / (precision + recall);
}

std::vector<ListedTuple> listing(const TupleSet& set, const std::vector<uint8_t>& matched) {
  std::vector<ListedTuple> listed;
  for (const bool wanted : {true, false})
    for (size_t i = 0; i < matched.size(); ++i) {
      if ((matched[i] != 0) != wanted) continue;
      const TupleSet::Tuple& tuple = set.tuples()[i];
      ListedTuple& added = listed.emplace_back(ListedTuple{{}, wanted});
      for (uint8_t k = 0; k < tuple.size; ++k) added.elements.push_back(set.printed_concept(tuple.concepts[k]));
    }
  return listed;
}

}  // namespace

uint32_t TupleSet::add_concept(const Concept& added) {
  strings_.insert(strings_.end(), added.strings().begin(), added.strings().end());
  starts_.push_back(static_cast<uint32_t>(strings_.size()));
  return static_cast<uint32_t>(starts_.size()) - 2;
}

void TupleSet::assign(const SceneGraph& graph) {
  strings_.clear();
  starts_.assign(1, 0);
  tuples_.clear();
  node_count_ = static_cast<uint32_t>(graph.nodes().size());
  for (uint32_t number : graph.nodes())
    tuples_.push_back({1, AttributeKind::other, {add_concept(graph.concept_at(number))}});
  for (const SceneGraph::Attribute& attribute : graph.attributes()) {
    const Concept& value = graph.concept_at(attribute.concept_number);
    const AttributeKind kind = value.strings().size() == 1 ? value.strings().front()->kind : AttributeKind::other;
    tuples_.push_back({2, kind, {attribute.node, add_concept(value)}});
  }
  for (const SceneGraph::Relation& relation : graph.relations())
    tuples_.push_back({3,
                       AttributeKind::other,
                       {relation.subject, add_concept(graph.concept_at(relation.concept_number)), relation.object}});
}

void TupleSet::assign(std::vector<const SceneString*> strings, std::vector<uint32_t> starts, std::vector<Tuple> tuples,
                      uint32_t nodes) {
  strings_ = std::move(strings);
  starts_ = std::move(starts);
  tuples_ = std::move(tuples);
  node_count_ = nodes;
}

void TupleSet::sort() {
  const uint32_t count = concept_count();
  std::vector<std::vector<std::string_view>> texts(count);
  for (uint32_t i = 0; i < count; ++i) texts[i] = printed(strings(i));
  const auto less = [](const std::vector<std::string_view>& a, const std::vector<std::string_view>& b) {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), less_in_utf16);
  };
  // The place of each concept among all; equal lists of strings share a place.
  std::vector<uint32_t> order(count), place(count, 0);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return less(texts[a], texts[b]); });
  for (uint32_t i = 1; i < count; ++i)
    place[order[i]] = place[order[i - 1]] + (less(texts[order[i - 1]], texts[order[i]]) ? 1 : 0);
  std::stable_sort(tuples_.begin(), tuples_.end(), [&](const Tuple& a, const Tuple& b) {
    for (uint8_t i = 0; i < std::min(a.size, b.size); ++i)
      if (place[a.concepts[i]] != place[b.concepts[i]]) return place[a.concepts[i]] < place[b.concepts[i]];
    return a.size < b.size;
  });
}

void TupleSet::freeze() {
  synsets_.clear();
  synset_starts_.assign(1, 0);
  for (uint32_t node = 0; node < node_count_; ++node) {
    for (const SceneString* string : strings(node))
      synsets_.insert(synsets_.end(), string->synsets.begin(), string->synsets.end());
    synset_starts_.push_back(static_cast<uint32_t>(synsets_.size()));
  }
  strings_.shrink_to_fit();
  starts_.shrink_to_fit();
  tuples_.shrink_to_fit();
  synsets_.shrink_to_fit();
  synset_starts_.shrink_to_fit();
}

std::string TupleSet::printed_concept(uint32_t number) const {
  std::string text;
  for (std::string_view part : printed(strings(number))) text.append(part).append("/");
  text.pop_back();
  return text;
}

CategoryScore category_score(SpiceCategory category, size_t matched, size_t candidates, size_t references) {
  CategoryScore score{static_cast<int64_t>(matched),
                      static_cast<int64_t>(candidates) - static_cast<int64_t>(matched),
                      static_cast<int64_t>(references) - static_cast<int64_t>(matched),
                      0,
                      0,
                      0};
  if (references == 0) {
    const double none = category == SpiceCategory::all ? 0 : std::numeric_limits<double>::quiet_NaN();
    score.precision = score.recall = score.f = none;
    return score;
  }
  if (candidates > 0) score.precision = static_cast<double>(matched) / static_cast<double>(candidates);
  score.recall = static_cast<double>(matched) / static_cast<double>(references);
  score.f = f_of(score.precision, score.recall);
  return score;
}

void TupleMatcher::compare_nodes(const TupleSet& candidate, const TupleSet& references) {
  const uint32_t rows = candidate.node_count();
  columns_ = references.node_count();
  similar_.assign(static_cast<size_t>(rows) * columns_, 0);
  known_.assign(rows, 0);
  SynsetFilter filter;
  for (uint32_t i = 0; i < rows; ++i)
    for (const SceneString* string : candidate.strings(i))
      for (uint32_t synset : string->synsets) filter.add(synset);
  for (uint32_t j = 0; j < columns_; ++j) {
    const auto mark = [&](auto&& is_shared) {
      for (uint32_t i = 0; i < rows; ++i)
        if (is_shared(candidate.strings(i))) known_[i] = similar_[static_cast<size_t>(i) * columns_ + j] = 1;
    };
    for (const SceneString* string : references.strings(j))
      mark([&](auto ours) { return std::find(ours.begin(), ours.end(), string) != ours.end(); });
    for (uint32_t synset : references.node_synsets(j))
      if (filter.may_contain(synset)) mark([&](auto ours) { return has_synset(ours, synset); });
  }
}

bool TupleMatcher::matches(const TupleSet& candidate, const TupleSet::Tuple& a, const TupleSet& references,
                           const TupleSet::Tuple& b) const {
  const auto nodes = [&](size_t i) {
    return similar_[static_cast<size_t>(a.concepts[i]) * columns_ + b.concepts[i]] != 0;
  };
  if (a.size != b.size || !nodes(0)) return false;
  if (a.size == 3 && !nodes(2)) return false;
  return a.size == 1 || similar_sets(candidate.strings(a.concepts[1]), references.strings(b.concepts[1]));
}

uint32_t TupleMatcher::first_match(const TupleSet& candidate, const TupleSet::Tuple& tuple, const TupleSet& references,
                                   SpiceCategory category) const {
  if (known_[tuple.concepts[0]] == 0) return unmatched;
  const auto& others = references.tuples();
  for (uint32_t i = 0; i < others.size(); ++i)
    if (matches(candidate, tuple, references, others[i]) && belongs(others[i], category)) return i;
  return unmatched;
}

double TupleMatcher::f_score(const TupleSet& candidate, const TupleSet& references) {
  compare_nodes(candidate, references);
  size_t matched = 0;
  for (const TupleSet::Tuple& tuple : candidate.tuples())
    matched += tuple.size == 1 ? known_[tuple.concepts[0]]
                               : first_match(candidate, tuple, references, SpiceCategory::all) != unmatched;
  return category_score(SpiceCategory::all, matched, candidate.tuples().size(), references.tuples().size()).f;
}

SpiceDetails TupleMatcher::details(const TupleSet& candidate, const TupleSet& references) {
  compare_nodes(candidate, references);
  SpiceDetails details;
  std::vector<uint8_t> ours(candidate.tuples().size(), 0), theirs(references.tuples().size(), 0);
  for (size_t c = 0; c < details.scores.size(); ++c) {
    const auto category = static_cast<SpiceCategory>(c);
    size_t matched = 0, candidates = 0;
    for (size_t i = 0; i < candidate.tuples().size(); ++i) {
      const TupleSet::Tuple& tuple = candidate.tuples()[i];
      if (!belongs(tuple, category)) continue;
      ++candidates;
      const uint32_t match = first_match(candidate, tuple, references, category);
      if (match == unmatched) continue;
      ++matched;
      if (category == SpiceCategory::all) ours[i] = theirs[match] = 1;
    }
    const auto count = std::count_if(references.tuples().begin(), references.tuples().end(),
                                     [&](const TupleSet::Tuple& tuple) { return belongs(tuple, category); });
    details.scores[c] = category_score(category, matched, candidates, static_cast<size_t>(count));
  }
  details.candidate = listing(candidate, ours);
  details.references = listing(references, theirs);
  return details;
}

}  // namespace spidercap
