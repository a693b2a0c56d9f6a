#include "spice/enhance.h"

#include <algorithm>
#include <string_view>

namespace spidercap {
namespace {

constexpr uint64_t common_nouns = bit(Tag::NN) | bit(Tag::NNP);
constexpr uint64_t nouns = common_nouns | bit(Tag::NNS) | bit(Tag::NNPS);
constexpr uint64_t pronouns = bit(Tag::PRP) | bit(Tag::PRPS);
constexpr uint64_t any_nmod = bit(Label::nmod) | named_nmod | bit(Label::nmod_poss) | bit(Label::nmod_tmod) |
                              bit(Label::nmod_npmod) | bit(Label::nmod_agent);
constexpr uint8_t quantifier_marks = quantifier_with_article | quantifier_plural | quantifier_word;

constexpr std::string_view singular_pronouns[] = {"i",   "me",      "myself", "mine", "my",      "yourself", "he",
                                                  "him", "himself", "his",    "she",  "her",     "herself",  "hers",
                                                  "it",  "itself",  "its",    "one",  "oneself", "one's"};

bool is_singular(std::string_view word) {
  return std::find(std::begin(singular_pronouns), std::end(singular_pronouns), word) != std::end(singular_pronouns);
}

}  // namespace

void Enhancer::enhance(Graph& graph) {
  graph_ = &graph;
  if ((graph.words().marks() & quantifier_marks) != 0 && (graph.all_labels() & any_nmod) != 0) join_quantifiers();
  resolve_pronouns();
}

// ---- quantifiers

void Enhancer::join_quantifiers() {
  for (uint8_t family : {quantifier_with_article, quantifier_plural, quantifier_word}) {
    if ((graph_->words().marks() & family) == 0) continue;
    const bool plain = graph_->has_plain_order();
    if (!plain) copy_.copy_from(*graph_);
    find_matches(plain ? *graph_ : copy_, family);
    for (const Match& match : matches_)
      if (!rewrite(match, family)) return;
  }
}

void Enhancer::find_matches(Graph& found, uint8_t family) {
  matches_.clear();
  found.match_order(order_);
  for (int32_t v : order_) {
    if ((found.words().word(v).marks & family) == 0 || !found.has_child(v, any_nmod)) continue;
    const Match match = family == quantifier_word ? match_word(found, v) : match_at(found, v, family);
    if (match.noun >= 0) matches_.push_back(match);
  }
}

int32_t Enhancer::of_marker(Graph& found, int32_t head, int32_t noun) {
  const SentenceWords& words = found.words();
  for (int32_t e : found.out(noun)) {
    const int32_t marker = found.edge(e).dependent;
    if (bit(found.edge(e).label) == bit(Label::case_) && words.position(marker) == words.position(head) + 1 &&
        words.word(marker).lower == "of")
      return marker;
  }
  return -1;
}

Enhancer::Match Enhancer::match_at(Graph& found, int32_t head, uint8_t family) {
  const SentenceWords& words = found.words();
  int32_t article = -1;
  if (family == quantifier_with_article) {
    for (int32_t e : found.out(head)) {
      const std::string_view lower = words.word(found.edge(e).dependent).lower;
      if (article < 0 && bit(found.edge(e).label) == bit(Label::det) && (lower == "a" || lower == "an"))
        article = found.edge(e).dependent;
    }
    if (article < 0) return {head, -1, -1, -1};
  }
  for (int32_t e : found.out(head)) {
    const int32_t noun = found.edge(e).dependent;
    if ((bit(found.edge(e).label) & any_nmod) == 0 || (words.tag_bit(noun) & (nouns | pronouns)) == 0) continue;
    const int32_t of = of_marker(found, head, noun);
    if (of >= 0) return {head, noun, of, article};
  }
  return {head, -1, -1, -1};
}

// "one of the dogs", and, tried second, "one of them".
Enhancer::Match Enhancer::match_word(Graph& found, int32_t head) {
  const SentenceWords& words = found.words();
  for (const bool with_determiner : {true, false}) {
    for (int32_t e : found.out(head)) {
      const int32_t noun = found.edge(e).dependent;
      const uint64_t tags = with_determiner ? nouns : pronouns;
      if ((bit(found.edge(e).label) & any_nmod) == 0 || (words.tag_bit(noun) & tags) == 0) continue;
      const int32_t of = of_marker(found, head, noun);
      if (of < 0) continue;
      if (!with_determiner) return {head, noun, of, -1};
      for (int32_t d : found.out(noun))
        if (bit(found.edge(d).label) == bit(Label::det) &&
            words.position(found.edge(d).dependent) == words.position(head) + 2)
          return {head, noun, of, -1};
    }
  }
  return {head, -1, -1, -1};
}

void Enhancer::collect_parts(const Match& match, uint8_t family) {
  const SentenceWords& words = graph_->words();
  parts_ = {match.head, match.of};
  if (match.article >= 0) parts_.push_back(match.article);
  for (int32_t e : graph_->out(match.head)) {
    const int32_t child = graph_->edge(e).dependent;
    const bool wanted = family != quantifier_with_article || bit(graph_->edge(e).label) == bit(Label::amod);
    if (wanted && words.position(child) < words.position(match.head)) parts_.push_back(child);
  }
  std::sort(parts_.begin(), parts_.end(), [&](int32_t a, int32_t b) { return words.before(a, b); });
  parts_.erase(std::unique(parts_.begin(), parts_.end()), parts_.end());
}

// False if no parent can be found: the reference then gives up on all further quantifiers of the sentence.
bool Enhancer::rewrite(const Match& match, uint8_t family) {
  if (graph_->is_root(match.head)) {
    graph_->replace_root(match.head, match.noun);
  } else {
    const int32_t parent = graph_->parent(match.head);
    if (parent < 0) return false;
    const int32_t edge = graph_->first_edge(parent, match.head);
    const EdgeLabel label = graph_->edge(edge).label;
    graph_->remove_edge(edge);
    graph_->add_edge(parent, match.noun, label);
  }
  const int32_t down = graph_->first_edge(match.head, match.noun);
  if (down >= 0) graph_->remove_edge(down);
  collect_parts(match, family);
  // Word by word: how many children a vertex has had at once decides the size of its hash table.
  const int32_t first = parts_.front();
  for (int32_t part : parts_) {
    while (graph_->first_in(part) >= 0) graph_->remove_edge(graph_->first_in(part));
    if (part == first) graph_->add_edge(match.noun, first, {Label::det_qmod, 0});
    if (part != first) graph_->add_edge(first, part, {Label::mwe, 0});
  }
  return true;
}

// ---- pronouns

void Enhancer::resolve_pronouns() {
  const SentenceWords& words = graph_->words();
  links_.clear();
  int32_t found[2] = {-2, -2};  // antecedent of plural and of singular pronouns; -2: not looked for yet
  for (int32_t v = 1; v < words.size(); ++v) {
    if ((words.tag_bit(v) & pronouns) == 0 || !graph_->has_vertex(v) || graph_->parent(v) < 0) continue;
    const bool singular = is_singular(words.word(v).text);
    if (found[singular] == -2) found[singular] = antecedent(singular);
    const int32_t noun = found[singular];
    if (noun >= 0 && words.position(noun) < words.position(v)) links_.push_back({v, noun});
  }
  if (links_.size() > 1) order_links();
  for (const Link& link : links_) replace(link.pronoun, link.noun);
}

// Breadth-first from the first root, children by position.
int32_t Enhancer::antecedent(bool singular) {
  if (graph_->roots().empty()) return -1;
  const SentenceWords& words = graph_->words();
  const uint64_t tags = singular ? common_nouns : nouns;
  seen_.assign(words.vertex_count(), 0);
  queue_.assign(1, graph_->roots().front());
  seen_[queue_.front()] = 1;
  for (size_t next = 0; next < queue_.size(); ++next) {
    const int32_t v = queue_[next];
    if ((words.tag_bit(v) & tags) != 0) return v;
    const size_t level = queue_.size();
    for (int32_t e : graph_->out(v)) {
      const int32_t child = graph_->edge(e).dependent;
      if (seen_[child]++ == 0) queue_.push_back(child);
      seen_[child] = 1;
    }
    std::sort(queue_.begin() + static_cast<std::ptrdiff_t>(level), queue_.end(),
              [&](int32_t a, int32_t b) { return words.before(a, b); });
  }
  return -1;
}

// The links are kept in a hash table by position; it starts at two buckets and doubles above three quarters.
void Enhancer::order_links() {
  uint32_t capacity = 2;
  while (links_.size() * 4 > capacity * 3) capacity *= 2;
  const auto bucket = [&](const Link& link) {
    return static_cast<uint32_t>(graph_->words().position(link.pronoun)) & (capacity - 1);
  };
  std::stable_sort(links_.begin(), links_.end(), [&](const Link& a, const Link& b) { return bucket(a) < bucket(b); });
}

void Enhancer::replace(int32_t pronoun, int32_t noun) {
  const SentenceWords& words = graph_->words();
  const auto sort_by = [&](auto end) {
    std::stable_sort(edges_.begin(), edges_.end(), [&](int32_t a, int32_t b) {
      const Graph::Edge &left = graph_->edge(a), &right = graph_->edge(b);
      return left.*end != right.*end ? words.before(left.*end, right.*end) : words.less(left.label, right.label);
    });
  };
  edges_.clear();
  for (int32_t e = graph_->first_in(pronoun); e >= 0; e = graph_->edge(e).next_in) edges_.push_back(e);
  sort_by(&Graph::Edge::governor);
  for (int32_t e : edges_) {
    const Graph::Edge edge = graph_->edge(e);
    graph_->remove_edge(e);
    graph_->add_edge(edge.governor, noun, edge.label);
  }
  const auto out = graph_->out(pronoun);
  edges_.assign(out.begin(), out.end());
  sort_by(&Graph::Edge::dependent);
  for (int32_t e : edges_) {
    const Graph::Edge edge = graph_->edge(e);
    graph_->remove_edge(e);
    graph_->add_edge(noun, edge.dependent, edge.label);
  }
}

}  // namespace spidercap
