#include "spice/graph.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "spice/strings.h"

namespace spidercap {
namespace {

constexpr std::string_view pair_starts[] = {
    "across",   "along",    "alongside",  "apart",      "as",      "aside",    "based",       "close",
    "contrary", "compared", "except",     "exclusive",  "far",     "followed", "inside",      "irrespective",
    "next",     "near",     "off",        "out",        "outside", "owing",    "preliminary", "preparatory",
    "previous", "pursuant", "regardless", "subsequent", "thanks",  "together", "away"};
constexpr std::string_view triple_starts[] = {"by", "in", "on", "with"};
constexpr std::string_view with_article[] = {
    "lot",      "assortment", "number", "couple", "bunch", "handful",  "litany",  "sheaf", "slew",   "dozen",  "series",
    "variety",  "multitude",  "wad",    "clutch", "wave",  "mountain", "array",   "spate", "string", "ton",    "range",
    "plethora", "heap",       "sort",   "form",   "kind",  "type",     "version", "bit",   "pair",   "triple", "total"};
constexpr std::string_view plural_quantifiers[] = {
    "lots",  "many",  "several", "plenty",   "tons",      "dozens",   "multitudes", "mountains",
    "loads", "pairs", "tens",    "hundreds", "thousands", "millions", "billions",   "trillions"};
constexpr std::string_view word_quantifiers[] = {
    "some", "all",   "both",  "neither", "everyone", "nobody",  "one",      "two",     "three",   "four",    "five",
    "six",  "seven", "eight", "nine",    "ten",      "hundred", "thousand", "million", "billion", "trillion"};

SpiceStrings make_mark_table() {
  SpiceStrings table;
  table.reserve(512);
  for (std::string_view word : pair_starts) table.insert(word, starts_pair);
  for (std::string_view word : triple_starts) table.insert(word, starts_triple);
  for (std::string_view word : with_article) table.insert(word, quantifier_with_article);
  for (std::string_view word : plural_quantifiers) table.insert(word, quantifier_plural);
  for (std::string_view word : word_quantifiers) table.insert(word, quantifier_word);
  return table;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

uint8_t marks_of(std::string_view lower) {
  static const SpiceStrings table = make_mark_table();
  if (!lower.empty() && is_digit(lower.front())) {
    if (std::all_of(lower.begin(), lower.end(), is_digit)) return quantifier_word;
    const bool decade = lower.back() == 's' && std::all_of(lower.begin(), lower.end() - 1, is_digit);
    return decade ? quantifier_plural : 0;
  }
  const uint32_t found = table.find(lower);
  return found == SpiceStrings::absent ? 0 : static_cast<uint8_t>(found);
}

// Capacity of a hash table that has held `count` entries: it doubles when more than three quarters full.
uint32_t capacity_for(int32_t count) {
  uint32_t capacity = 16;
  while (static_cast<uint32_t>(count) * 4 > capacity * 3) capacity *= 2;
  return capacity;
}

constexpr uint32_t sentence_stride = 29;

}  // namespace

void SentenceWords::reset(const ParsedSentence& sentence) {
  words_.clear();
  vertices_.clear();
  lowered_.clear();
  names_.clear();
  name_spans_.assign(1, {0, 0});
  number_ = sentence.number;
  marks_ = 0;
  std::string buffer;
  for (size_t i = 0; i < sentence.words.size(); ++i) {
    const std::string_view text = sentence.words[i];
    std::string_view lower = lower_case_of(text, buffer);
    if (lower.data() == buffer.data()) lower = lowered_.emplace_back(buffer);
    words_.push_back({text, lower, sentence.tags[i], marks_of(lower)});
    marks_ |= words_.back().marks;
    vertices_.push_back({static_cast<int32_t>(i) + 1, 0});
  }
}

bool SentenceWords::before(int32_t a, int32_t b) const {
  const Vertex &left = vertices_[a], &right = vertices_[b];
  return left.position != right.position ? left.position < right.position : left.copy < right.copy;
}

int32_t SentenceWords::add_copy(int32_t v) {
  const int32_t position = vertices_[v].position;
  int32_t copy = 1;
  for (size_t i = words_.size(); i < vertices_.size(); ++i) copy += vertices_[i].position == position;
  vertices_.push_back({position, copy});
  return vertex_count() - 1;
}

uint32_t SentenceWords::name_number(std::string_view name) {
  for (uint32_t i = 1; i < name_spans_.size(); ++i)
    if (this->name(i) == name) return i;
  name_spans_.emplace_back(static_cast<uint32_t>(names_.size()), static_cast<uint32_t>(name.size()));
  names_.append(name);
  return static_cast<uint32_t>(name_spans_.size()) - 1;
}

std::string_view SentenceWords::name(uint32_t number) const {
  return std::string_view(names_).substr(name_spans_[number].first, name_spans_[number].second);
}

EdgeLabel SentenceWords::named(Label base, std::string_view name) {
  if (base == Label::nmod && name == "poss") return {Label::nmod_poss, 0};
  if (base == Label::nmod && name == "agent") return {Label::nmod_agent, 0};
  if (base == Label::nmod && name == "tmod") return {Label::nmod_tmod, 0};
  if (base == Label::nmod && name == "npmod") return {Label::nmod_npmod, 0};
  if (base == Label::acl && name == "relcl") return {Label::acl_relcl, 0};
  return {base, name_number(name)};
}

std::string SentenceWords::label_text(EdgeLabel label) const {
  std::string text(name_of(label.base));
  if (label.name != 0) text.append(":").append(name(label.name));
  return text;
}

bool SentenceWords::less(EdgeLabel a, EdgeLabel b) const {
  if (a == b) return false;
  if (a.base == b.base && a.name != 0 && b.name != 0) return name(a.name) < name(b.name);
  return label_text(a) < label_text(b);
}

void Graph::reset(const SentenceWords& words) {
  words_ = &words;
  edges_.clear();
  roots_.clear();
  insertion_.clear();
  present_.clear();
  first_in_.clear();
  last_in_.clear();
  children_.clear();
  most_children_.clear();
  next_order_ = 0;
  indexed_ = labels_current_ = false;
  grow_to(words.vertex_count() - 1);
}

void Graph::grow_to(int32_t v) {
  if (v < static_cast<int32_t>(present_.size())) return;
  const auto size = static_cast<size_t>(v) + 1;
  present_.resize(size, 0);
  first_in_.resize(size, -1);
  last_in_.resize(size, -1);
  children_.resize(size, 0);
  most_children_.resize(size, 0);
}

void Graph::copy_from(Graph& other) {
  std::vector<int32_t> order;
  other.vertex_order(order);
  reset(other.words());
  for (int32_t v : order)
    for (int32_t e : other.out(v)) add_edge(v, other.edge(e).dependent, other.edge(e).label);
  if (!other.roots_.empty()) roots_.push_back(other.roots_.front());
}

void Graph::add_vertex(int32_t v) {
  grow_to(v);
  if (present_[v] != 0) return;
  present_[v] = 1;
  insertion_.push_back(v);
}

void Graph::add_edge(int32_t governor, int32_t dependent, EdgeLabel label) {
  add_vertex(governor);
  add_vertex(dependent);
  const int32_t older = first_edge(governor, dependent);
  if (older < 0) most_children_[governor] = std::max(most_children_[governor], ++children_[governor]);
  const uint32_t order = older < 0 ? next_order_++ : edges_[older].pair_order;
  const auto added = static_cast<int32_t>(edges_.size());
  edges_.push_back({governor, dependent, label, order, -1, true});
  (last_in_[dependent] < 0 ? first_in_[dependent] : edges_[last_in_[dependent]].next_in) = added;
  last_in_[dependent] = added;
  indexed_ = labels_current_ = false;
}

void Graph::remove_edge(int32_t edge) {
  Edge& removed = edges_[edge];
  int32_t before = -1;
  for (int32_t e = first_in_[removed.dependent]; e != edge; e = edges_[e].next_in) before = e;
  (before < 0 ? first_in_[removed.dependent] : edges_[before].next_in) = removed.next_in;
  if (last_in_[removed.dependent] == edge) last_in_[removed.dependent] = before;
  removed.alive = false;
  if (first_edge(removed.governor, removed.dependent) < 0) --children_[removed.governor];
  indexed_ = labels_current_ = false;
}

void Graph::relabel(int32_t edge, EdgeLabel label) {
  edges_[edge].label = label;
  labels_current_ = false;
}

void Graph::add_root(int32_t v) {
  add_vertex(v);
  roots_.push_back(v);
}

void Graph::replace_root(int32_t old_root, int32_t new_root) {
  std::replace(roots_.begin(), roots_.end(), old_root, new_root);
}

bool Graph::is_root(int32_t v) const { return std::find(roots_.begin(), roots_.end(), v) != roots_.end(); }

int32_t Graph::at_position(int32_t position) const {
  return position >= 1 && position <= words_->size() && has_vertex(position - 1) ? position - 1 : -1;
}

uint32_t Graph::bucket(int32_t v, uint32_t capacity) const {
  const auto position = static_cast<uint32_t>(words_->position(v));
  return (position + sentence_stride * static_cast<uint32_t>(words_->number())) & (capacity - 1);
}

bool Graph::has_plain_order() const { return words_->size() < 16 && words_->number() == 0 && !words_->has_copies(); }

void Graph::build_index() {
  const size_t vertices = present_.size();
  out_start_.assign(vertices + 1, 0);
  size_t alive = 0;
  for (const Edge& edge : edges_) {
    if (!edge.alive) continue;
    ++out_start_[edge.governor + 1];
    ++alive;
  }
  for (size_t v = 0; v < vertices; ++v) out_start_[v + 1] += out_start_[v];
  out_edges_.resize(alive);
  // Filling from the last edge backwards leaves each start one too far: at the start of its own vertex.
  for (size_t e = edges_.size(); e-- > 0;)
    if (edges_[e].alive) out_edges_[--out_start_[edges_[e].governor + 1]] = static_cast<int32_t>(e);
  for (size_t v = 0; v < vertices; ++v) out_start_[v] = out_start_[v + 1];
  out_start_[vertices] = static_cast<int32_t>(alive);
  indexed_ = true;
  for (size_t v = 0; v < vertices; ++v)
    if (out_start_[v + 1] - out_start_[v] > 1) sort_children(static_cast<int32_t>(v));
}

void Graph::sort_children(int32_t v) {
  const uint32_t capacity = capacity_for(most_children_[v]);
  const auto less = [&](int32_t a, int32_t b) {
    const uint32_t left = bucket(edges_[a].dependent, capacity), right = bucket(edges_[b].dependent, capacity);
    if (left != right) return left < right;
    return edges_[a].pair_order != edges_[b].pair_order ? edges_[a].pair_order < edges_[b].pair_order : a < b;
  };
  const auto first = out_edges_.begin() + out_start_[v], last = out_edges_.begin() + out_start_[v + 1];
  if (!std::is_sorted(first, last, less)) std::sort(first, last, less);
}

void Graph::collect_labels() {
  out_labels_.assign(present_.size(), 0);
  all_labels_ = 0;
  for (const Edge& edge : edges_) {
    if (!edge.alive) continue;
    out_labels_[edge.governor] |= bit(edge.label);
    all_labels_ |= bit(edge.label);
  }
  labels_current_ = true;
}

int32_t Graph::parent(int32_t v) {
  if (is_root(v)) return -1;
  std::vector<int32_t> governors;
  for (int32_t e = first_in_[v]; e >= 0; e = edges_[e].next_in) governors.push_back(edges_[e].governor);
  std::sort(governors.begin(), governors.end(), [&](int32_t a, int32_t b) { return words_->before(a, b); });
  // Whether a root can be reached upwards without coming back to v does not depend on the path: a plain search will do,
  // and what it has visited in vain for one governor is in vain for the next.
  state_.assign(present_.size(), 0);
  state_[v] = 1;
  std::vector<int32_t> open;
  for (int32_t governor : governors) {
    open.assign(1, governor);
    while (!open.empty()) {
      const int32_t u = open.back();
      open.pop_back();
      if (state_[u] != 0) continue;
      state_[u] = 1;
      if (is_root(u)) return governor;
      for (int32_t e = first_in_[u]; e >= 0; e = edges_[e].next_in) open.push_back(edges_[e].governor);
    }
  }
  return -1;
}

void Graph::vertex_order(std::vector<int32_t>& order) {
  if (words_->number() == 0 && !words_->has_copies() && static_cast<int32_t>(insertion_.size()) == words_->size()) {
    order.resize(insertion_.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int32_t>(i);
    return;
  }
  order = insertion_;
  const uint32_t capacity = capacity_for(static_cast<int32_t>(insertion_.size()));
  std::stable_sort(order.begin(), order.end(),
                   [&](int32_t a, int32_t b) { return bucket(a, capacity) < bucket(b, capacity); });
}

// Depth-first search without recursion (chains may be long). False if it meets a cycle.
bool Graph::finish_from(int32_t start, std::vector<int32_t>& finished) {
  constexpr uint8_t open = 1, done = 2;
  stack_.assign(1, {start, out_start_[start]});
  state_[start] = open;
  while (!stack_.empty()) {
    auto& [v, next] = stack_.back();
    if (next == out_start_[v + 1]) {
      state_[v] = done;
      finished.push_back(v);
      stack_.pop_back();
      continue;
    }
    const int32_t child = edges_[out_edges_[next++]].dependent;
    if (state_[child] == open) return false;
    if (state_[child] == done) continue;
    state_[child] = open;
    stack_.emplace_back(child, out_start_[child]);
  }
  return true;
}

void Graph::match_order(std::vector<int32_t>& order) {
  if (!indexed_) build_index();
  vertex_order(starts_);
  order.clear();
  state_.assign(present_.size(), 0);
  for (int32_t v : starts_) {
    if (state_[v] != 0) continue;
    if (!finish_from(v, order)) {
      order = starts_;
      return;
    }
  }
  std::reverse(order.begin(), order.end());
}

}  // namespace spidercap
