#include "spice/collapse.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace spidercap {
namespace {

constexpr uint64_t clauses_and_nmod = bit(Label::nmod) | bit(Label::acl) | bit(Label::advcl);
constexpr uint64_t subjects = bit(Label::nsubj) | bit(Label::nsubjpass) | bit(Label::csubj) | bit(Label::csubjpass);
constexpr uint64_t adjective_tags = bit(Tag::JJ) | bit(Tag::JJR) | bit(Tag::JJS);
constexpr uint64_t finite_or_base_tags = bit(Tag::VB) | bit(Tag::VBZ) | bit(Tag::VBP);
constexpr uint64_t predicate_tags =
    adjective_tags | finite_or_base_tags | bit(Tag::VBD) | bit(Tag::VBG) | bit(Tag::VBN);

Label passive_of(Label label) {
  return label == Label::nsubj ? Label::nsubjpass : label == Label::csubj ? Label::csubjpass : label;
}

Label active_of(Label label) {
  return label == Label::nsubjpass ? Label::nsubj : label == Label::csubjpass ? Label::csubj : label;
}

}  // namespace

void Collapser::collapse(const ParsedSentence& sentence, SentenceWords& words, Graph& graph) {
  words_ = &words;
  graph_ = &graph;
  changed_ = false;
  build(sentence);
  if ((words.marks() & (starts_pair | starts_triple)) != 0) changed_ = joiner_.join(graph);
  const uint64_t labels = graph.all_labels();
  const uint64_t coordination = bit(Label::cc) | bit(Label::conj);
  if ((labels & coordination) == coordination && (labels & bit(Label::case_)) != 0) {
    conjoin_phrases();
    conjoin_prepositions();
  }
  if ((labels & bit(Label::auxpass)) != 0) name_agents();
  if ((labels & clauses_and_nmod) != 0) name_cases();
  if ((labels & coordination) == coordination) name_conjunctions();
  if ((graph.all_labels() & named_conj) != 0) propagate();
  if (changed_) rebuild();
}

void Collapser::build(const ParsedSentence& sentence) {
  graph_->reset(*words_);
  const auto size = static_cast<int32_t>(sentence.words.size());
  for (int32_t i = 0; i < size; ++i) {
    if (sentence.labels[i] == Label::none) continue;
    if (sentence.heads[i] == 0) {
      graph_->add_root(i);
    } else {
      graph_->add_edge(sentence.heads[i] - 1, i, {sentence.labels[i], 0});
    }
  }
  if ((graph_->all_labels() & bit(Label::auxpass)) == 0) return;
  for (int32_t e = 0; e < graph_->edge_slots(); ++e) {
    const Graph::Edge& edge = graph_->edge(e);
    if ((bit(edge.label) & subjects) != 0 && graph_->has_child(edge.governor, bit(Label::auxpass)))
      graph_->relabel(e, {passive_of(edge.label.base), 0});
  }
}

// ---- conjoined prepositional phrases and prepositions

// The graph as it is now, for patterns to be found in while the graph itself changes.
Graph& Collapser::snapshot() {
  if (graph_->has_plain_order()) return *graph_;
  copy_.copy_from(*graph_);
  return copy_;
}

void Collapser::add_to_group(int32_t head, int32_t coordinator, int32_t conjunct) {
  const bool joins = !groups_.empty() && groups_.back().head == head && groups_.back().coordinator == coordinator;
  if (!joins) groups_.push_back({head, coordinator, {}});
  if (groups_.back().conjuncts.size() < static_cast<size_t>(most_copies)) groups_.back().conjuncts.push_back(conjunct);
}

int32_t Collapser::copy_of(int32_t original) {
  return words_->vertex_count() - words_->size() < most_copies ? words_->add_copy(original) : -1;
}

void Collapser::conjoin_phrases() {
  groups_.clear();
  find_conjoined_phrases(snapshot());
  for (const Group& group : groups_) apply_phrase_group(group);
}

// Puts the vertices into `order_` if any edge is wanted: most captions have none, and the order costs more than the
// look.
template <typename IsWanted>
bool Collapser::order_matches(Graph& found, const IsWanted& is_wanted) {
  found.all_labels();
  bool any = false;
  for (int32_t e = 0; e < found.edge_slots() && !any; ++e) any = found.edge(e).alive && is_wanted(e);
  if (any) found.match_order(order_);
  return any;
}

void Collapser::find_conjoined_phrases(Graph& found) {
  constexpr uint64_t wanted = bit(Label::case_) | bit(Label::cc) | bit(Label::conj);
  const auto is_wanted = [&](int32_t e) {
    return (bit(found.edge(e).label) & clauses_and_nmod) != 0 &&
           (found.out_labels(found.edge(e).dependent) & wanted) == wanted;
  };
  if (!order_matches(found, is_wanted)) return;
  for (int32_t v : order_)
    for (int32_t e : found.out(v))
      if (is_wanted(e)) find_conjuncts_with_case(found, found.edge(e).dependent);
}

void Collapser::find_conjuncts_with_case(Graph& found, int32_t head) {
  const auto children = [&](int32_t v, Label label, auto&& visit) {
    if (!found.has_child(v, bit(label))) return;
    for (int32_t e : found.out(v)) {
      if (groups_.size() > static_cast<size_t>(most_copies)) return;
      if (bit(found.edge(e).label) == bit(label)) visit(found.edge(e).dependent);
    }
  };
  children(head, Label::case_, [&](int32_t) {
    children(head, Label::cc, [&](int32_t coordinator) {
      children(head, Label::conj, [&](int32_t conjunct) {
        children(conjunct, Label::case_, [&](int32_t) { add_to_group(head, coordinator, conjunct); });
      });
    });
  });
}

void Collapser::apply_phrase_group(const Group& group) {
  const int32_t upper = graph_->parent(group.head);
  if (upper < 0) return;
  const int32_t original = words_->original(upper);
  const EdgeLabel label = graph_->edge(graph_->first_edge(upper, group.head)).label;
  const EdgeLabel conjunction = conjunction_label(group.coordinator);
  for (int32_t conjunct : group.conjuncts) {
    const int32_t copy = copy_of(upper);
    if (copy < 0) return;
    changed_ = true;
    const int32_t edge = graph_->first_edge(group.head, conjunct);
    if (edge >= 0) {
      graph_->remove_edge(edge);
      graph_->add_edge(copy, conjunct, label);
    }
    graph_->add_edge(original, copy, conjunction);
  }
  const int32_t edge = graph_->first_edge(group.head, group.coordinator);
  if (edge < 0) return;
  graph_->remove_edge(edge);
  graph_->add_edge(original, group.coordinator, {Label::cc, 0});
}

void Collapser::conjoin_prepositions() {
  groups_.clear();
  find_conjoined_prepositions(snapshot());
  for (const Group& group : groups_) apply_preposition_group(group);
}

void Collapser::find_conjoined_prepositions(Graph& found) {
  constexpr uint64_t wanted = bit(Label::cc) | bit(Label::conj);
  const auto is_wanted = [&](int32_t e) {
    return bit(found.edge(e).label) == bit(Label::case_) &&
           (found.out_labels(found.edge(e).dependent) & wanted) == wanted;
  };
  if (!order_matches(found, is_wanted)) return;
  for (int32_t v : order_)
    for (int32_t e : found.out(v)) {
      if (!is_wanted(e)) continue;
      const int32_t preposition = found.edge(e).dependent;
      for (int32_t c : found.out(preposition)) {
        if (bit(found.edge(c).label) != bit(Label::cc)) continue;
        for (int32_t k : found.out(preposition))
          if (bit(found.edge(k).label) == bit(Label::conj) && groups_.size() <= static_cast<size_t>(most_copies))
            add_to_group(preposition, found.edge(c).dependent, found.edge(k).dependent);
      }
    }
}

void Collapser::apply_preposition_group(const Group& group) {
  const int32_t noun = graph_->parent(group.head);
  const int32_t upper = noun < 0 ? -1 : graph_->parent(noun);
  if (upper < 0) return;
  const int32_t original = words_->original(upper);
  const EdgeLabel label = graph_->edge(graph_->first_edge(upper, noun)).label;
  const EdgeLabel conjunction = conjunction_label(group.coordinator);
  for (int32_t preposition : group.conjuncts) {
    const int32_t copy = copy_of(upper);
    if (copy < 0) return;
    changed_ = true;
    graph_->add_edge(original, copy, conjunction);
    const bool renamed = (bit(label.base) & clauses_and_nmod) != 0;
    graph_->add_edge(copy, noun, renamed ? words_->named(label.base, words_->word(preposition).lower) : label);
  }
}

// ---- names of cases and conjunctions

void Collapser::name_agents() {
  Graph& found = *graph_;
  for (int32_t e = 0; e < found.edge_slots(); ++e) {
    const Graph::Edge& edge = found.edge(e);
    if (!edge.alive || bit(edge.label) != bit(Label::nmod) || !found.has_child(edge.governor, bit(Label::auxpass)))
      continue;
    for (int32_t marker : found.out(edge.dependent)) {
      if (bit(found.edge(marker).label) != bit(Label::case_)) continue;
      if (words_->word(found.edge(marker).dependent).lower != "by") continue;
      found.relabel(found.first_edge(edge.governor, edge.dependent), {Label::nmod_agent, 0});
      break;
    }
  }
}

void Collapser::name_cases() {
  Graph& found = snapshot();
  found.all_labels();
  children_.clear();
  for (int32_t e = 0; e < graph_->edge_slots(); ++e) {
    const Graph::Edge& edge = graph_->edge(e);
    if (edge.alive && (bit(edge.label) & clauses_and_nmod) != 0 && found.has_child(edge.dependent, bit(Label::case_)))
      children_.push_back(e);
  }
  for (int32_t e : children_) name_case(found, e);
}

// The three passes of the reference (case with two mwe words, with one, with none) touch an edge only while it has no
// name, so the first pass that applies to the edge names it; within a pass the last marker names it.
void Collapser::name_case(Graph& found, int32_t edge) {
  const int32_t noun = graph_->edge(edge).dependent;
  int32_t most = 0;
  const auto for_units = [&](int32_t v, Label label, auto&& visit) {
    for (int32_t e : found.out(v))
      if (bit(found.edge(e).label) == bit(label)) visit(found.edge(e).dependent);
  };
  for_units(noun, Label::case_, [&](int32_t marker) {
    int32_t count = 0, previous = -1;
    for_units(marker, Label::mwe, [&](int32_t part) {
      count += part != previous;
      previous = part;
    });
    most = std::max(most, std::min(count, 2));
  });
  std::array<int32_t, 3> parts{-1, -1, -1};
  for_units(noun, Label::case_, [&](int32_t marker) {
    std::array<int32_t, 3> here{marker, -1, -1};
    for_units(marker, Label::mwe, [&](int32_t part) {
      if (most == 2 && part != here[1]) here[2] = here[1];
      if (most > 0) here[1] = part;
    });
    if (here[most] >= 0) parts = here;
  });
  std::sort(parts.begin(), parts.begin() + most + 1, [&](int32_t a, int32_t b) { return words_->before(a, b); });
  const Graph::Edge named = graph_->edge(edge);
  std::string name;
  for (int32_t i = 0; i <= most; ++i) {
    if (i > 0 && words_->position(parts[i]) > words_->position(parts[i - 1]) + 1) {
      changed_ = true;
      graph_->add_edge(named.governor, named.dependent, words_->named(named.label.base, name));
      name.clear();
    }
    if (!name.empty()) name += '_';
    name += words_->word(parts[i]).lower;
  }
  graph_->relabel(edge, words_->named(named.label.base, name));
}

EdgeLabel Collapser::conjunction_label(int32_t coordinator) {
  const auto lower = [&](int32_t offset) -> std::string_view {
    const int32_t v = graph_->at_position(words_->position(coordinator) + offset);
    return v < 0 ? std::string_view() : words_->word(v).lower;
  };
  const std::string_view word = words_->word(coordinator).lower, next = lower(1);
  if (graph_->at_position(words_->position(coordinator) + 1) < 0)
    return words_->named(Label::conj, words_->word(coordinator).text);
  const bool negative = (word == "but" && next == "rather") || (word == "if" && next == "not") ||
                        (word == "instead" && next == "of") || (word == "rather" && next == "than") ||
                        (word == "not" && lower(-1) == "but");
  if (negative) return words_->named(Label::conj, "negcc");
  const bool additive = (word == "but" && next == "also") || (word == "as" && next == "well") ||
                        (word == "not" && next == "to" && lower(2) == "mention");
  return words_->named(Label::conj, additive ? "and" : word);
}

void Collapser::name_conjunctions() {
  Graph& found = snapshot();
  constexpr uint64_t wanted = bit(Label::cc) | bit(Label::conj);
  for (int32_t v = 0; v < words_->vertex_count(); ++v) {
    if (!found.has_vertex(v) || (found.out_labels(v) & wanted) != wanted) continue;
    coordinators_.clear();
    children_.clear();
    for (int32_t e : found.out(v)) {
      if (bit(found.edge(e).label) == bit(Label::cc)) coordinators_.push_back(found.edge(e).dependent);
      if (bit(found.edge(e).label) == bit(Label::conj)) children_.push_back(found.edge(e).dependent);
    }
    for (int32_t coordinator : coordinators_)
      for (int32_t conjunct : children_) {
        const int32_t edge = graph_->first_edge(v, conjunct);
        const bool after = words_->position(conjunct) > words_->position(coordinator);
        if (after || bit(graph_->edge(edge).label) == bit(Label::conj))
          graph_->relabel(edge, conjunction_label(coordinator));
      }
  }
}

// ---- propagation

void Collapser::propagate() {
  changed_ = true;
  new_edges_.clear();
  graph_->vertex_order(order_);
  for (int32_t v : order_) {
    if (!graph_->has_child(v, named_conj)) continue;
    for (int32_t e : graph_->out(v)) {
      if (bit(graph_->edge(e).label) != named_conj) continue;
      share_governors(v, graph_->edge(e).dependent);
      share_subject(v, graph_->edge(e).dependent);
    }
  }
}

void Collapser::share_governors(int32_t head, int32_t conjunct) {
  incoming_.clear();
  for (int32_t e = graph_->first_in(head); e >= 0; e = graph_->edge(e).next_in)
    incoming_.push_back({graph_->edge(e).governor, conjunct, graph_->edge(e).label});
  std::stable_sort(incoming_.begin(), incoming_.end(), [&](const NewEdge& a, const NewEdge& b) {
    return a.governor != b.governor ? words_->before(a.governor, b.governor) : words_->less(a.label, b.label);
  });
  const uint64_t clause = bit(Label::acl_relcl);
  const bool both_have_clauses = graph_->has_child(head, clause) && graph_->has_child(conjunct, clause);
  const uint64_t unshared = bit(Label::case_) | (both_have_clauses ? bit(Label::dobj) | bit(Label::nsubj) : 0);
  for (size_t i = 0; i < incoming_.size(); ++i) {
    const NewEdge& edge = incoming_[i];
    const bool repeated = i > 0 && incoming_[i - 1].governor == edge.governor && incoming_[i - 1].label == edge.label;
    if (!repeated && edge.governor != conjunct && (bit(edge.label) & unshared) == 0) new_edges_.push_back(edge);
  }
}

void Collapser::share_subject(int32_t head, int32_t conjunct) {
  const uint64_t tag = words_->tag_bit(conjunct);
  if ((tag & predicate_tags) == 0) return;
  if (!graph_->has_child(head, subjects) || graph_->has_child(conjunct, subjects)) return;
  for (int32_t e : graph_->out(head)) {
    const Graph::Edge& edge = graph_->edge(e);
    if ((bit(edge.label) & subjects) == 0) continue;
    Label label = edge.label.base;
    if (label != active_of(label)) {
      if ((tag & (finite_or_base_tags | adjective_tags)) != 0) label = active_of(label);
    } else if (graph_->has_child(conjunct, bit(Label::auxpass))) {
      label = passive_of(label);
    }
    new_edges_.push_back({conjunct, edge.dependent, {label, 0}});
    return;
  }
}

// A fresh graph with the edges in the order (dependent, governor, label); the propagated edges are among them.
void Collapser::rebuild() {
  std::vector<NewEdge>& edges = incoming_;
  edges.clear();
  for (int32_t root : graph_->roots()) edges.push_back({-1, root, {Label::root, 0}});
  graph_->vertex_order(order_);
  for (int32_t v : order_)
    for (int32_t e : graph_->out(v)) edges.push_back({v, graph_->edge(e).dependent, graph_->edge(e).label});
  if ((graph_->all_labels() & named_conj) != 0) edges.insert(edges.end(), new_edges_.begin(), new_edges_.end());
  const auto position = [&](int32_t v) { return v < 0 ? 0 : words_->position(v); };
  std::stable_sort(edges.begin(), edges.end(), [&](const NewEdge& a, const NewEdge& b) {
    const auto left = std::pair(position(a.dependent), position(a.governor));
    const auto right = std::pair(position(b.dependent), position(b.governor));
    return left != right ? left < right : words_->less(a.label, b.label);
  });
  graph_->reset(*words_);
  for (const NewEdge& edge : edges) {
    if (edge.governor < 0) graph_->add_root(edge.dependent);
    if (edge.governor >= 0) graph_->add_edge(edge.governor, edge.dependent, edge.label);
  }
}

}  // namespace spidercap
