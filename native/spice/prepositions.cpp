#include "spice/prepositions.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace spidercap {
namespace {

using Pair = std::array<std::string_view, 2>;
using Triple = std::array<std::string_view, 3>;

constexpr Pair flat_prepositions[] = {
    {"across", "from"},   {"along", "with"},      {"alongside", "of"},  {"apart", "from"},     {"as", "for"},
    {"as", "from"},       {"as", "of"},           {"as", "per"},        {"as", "to"},          {"aside", "from"},
    {"based", "on"},      {"close", "by"},        {"close", "to"},      {"contrary", "to"},    {"compared", "to"},
    {"compared", "with"}, {"except", "for"},      {"exclusive", "of"},  {"far", "from"},       {"followed", "by"},
    {"inside", "of"},     {"irrespective", "of"}, {"next", "to"},       {"near", "to"},        {"off", "of"},
    {"out", "of"},        {"outside", "of"},      {"owing", "to"},      {"preliminary", "to"}, {"preparatory", "to"},
    {"previous", "to"},   {"pursuant", "to"},     {"regardless", "of"}, {"subsequent", "to"},  {"thanks", "to"},
    {"together", "with"}};
constexpr Pair headed_prepositions[] = {
    {"apart", "from"}, {"as", "from"},     {"aside", "from"},  {"away", "from"},     {"close", "by"},
    {"close", "to"},   {"contrary", "to"}, {"far", "from"},    {"next", "to"},       {"near", "to"},
    {"out", "of"},     {"outside", "of"},  {"pursuant", "to"}, {"regardless", "of"}, {"together", "with"}};
constexpr Triple three_word_prepositions[] = {
    {"by", "means", "of"},    {"in", "accordance", "with"}, {"in", "addition", "to"}, {"in", "case", "of"},
    {"in", "front", "of"},    {"in", "lieu", "of"},         {"in", "place", "of"},    {"in", "spite", "of"},
    {"on", "account", "of"},  {"on", "behalf", "of"},       {"on", "top", "of"},      {"with", "regard", "to"},
    {"with", "respect", "to"}};
enum Family : uint8_t { flat, headed, three };

constexpr uint64_t clauses_and_nmod = bit(Label::nmod) | bit(Label::acl) | bit(Label::advcl);
constexpr uint64_t kept_by_headed = bit(Label::conj) | bit(Label::xcomp) | bit(Label::ccomp) | bit(Label::acl) |
                                    bit(Label::advcl) | bit(Label::acl_relcl) | bit(Label::parataxis) |
                                    bit(Label::appos) | bit(Label::list);

}  // namespace

void PrepositionJoiner::find_phrases() {
  phrases_.clear();
  const auto lower = [&](int32_t position) -> std::string_view {
    const int32_t v = graph_->at_position(position);
    return v < 0 ? std::string_view() : words_->word(v).lower;
  };
  for (int32_t position = 1; position < words_->size(); ++position) {
    const uint8_t marks = words_->word(position - 1).marks;
    const auto find = [&](const auto& list, const auto& wanted, Family family) {
      const auto found = std::find(std::begin(list), std::end(list), wanted);
      if (found != std::end(list))
        phrases_.push_back({family, static_cast<int32_t>(found - std::begin(list)), position});
    };
    if ((marks & starts_pair) != 0) {
      const Pair words{lower(position), lower(position + 1)};
      find(flat_prepositions, words, flat);
      find(headed_prepositions, words, headed);
    }
    if ((marks & starts_triple) != 0)
      find(three_word_prepositions, Triple{lower(position), lower(position + 1), lower(position + 2)}, three);
  }
  std::sort(phrases_.begin(), phrases_.end());
}

bool PrepositionJoiner::join(Graph& graph) {
  graph_ = &graph;
  words_ = &graph.words();
  changed_ = false;
  find_phrases();
  for (const Phrase& phrase : phrases_) {
    const int32_t first = phrase.position - 1;
    if (phrase.family == flat) join_flat(first, first + 1);
    if (phrase.family == headed) join_headed(first, first + 1);
    if (phrase.family == three) join_three(first, first + 1, first + 2);
  }
  return changed_;
}

void PrepositionJoiner::make_unit(std::initializer_list<int32_t> parts, int32_t governor, Label label) {
  changed_ = true;
  for (int32_t v : parts) {
    const int32_t parent = graph_->parent(v);
    if (parent >= 0) graph_->remove_edge(graph_->first_edge(parent, v));
  }
  const int32_t first = *parts.begin();
  graph_->add_edge(governor, first, {label, 0});
  for (int32_t v : parts)
    if (v != first) graph_->add_edge(first, v, {Label::mwe, 0});
}

void PrepositionJoiner::move_children(int32_t from, int32_t to) {
  const auto out = graph_->out(from);
  children_.assign(out.begin(), out.end());
  std::stable_sort(children_.begin(), children_.end(), [&](int32_t a, int32_t b) {
    return words_->before(graph_->edge(a).dependent, graph_->edge(b).dependent);
  });
  for (int32_t e : children_) {
    const Graph::Edge edge = graph_->edge(e);
    graph_->remove_edge(e);
    graph_->add_edge(to, edge.dependent, edge.label);
  }
}

void PrepositionJoiner::join_flat(int32_t first, int32_t second) {
  if (!graph_->out(first).empty() || !graph_->out(second).empty()) return;
  constexpr uint64_t first_labels = bit(Label::case_) | bit(Label::advmod);
  for (int32_t e = graph_->first_in(first); e >= 0; e = graph_->edge(e).next_in) {
    if ((bit(graph_->edge(e).label) & first_labels) == 0) continue;
    const int32_t governor = graph_->edge(e).governor;
    for (int32_t f = graph_->first_in(second); f >= 0; f = graph_->edge(f).next_in) {
      if (graph_->edge(f).governor != governor || bit(graph_->edge(f).label) != bit(Label::case_)) continue;
      make_unit({first, second}, governor, Label::case_);
      return;
    }
  }
}

void PrepositionJoiner::join_headed(int32_t first, int32_t second) {
  if (!graph_->out(second).empty() || !graph_->has_child(first, bit(Label::nmod))) return;
  const int32_t up = graph_->first_in(first);
  if (!graph_->is_root(first) && up < 0) return;
  for (int32_t e : graph_->out(first)) {
    const int32_t noun = graph_->edge(e).dependent;
    const int32_t marker = graph_->first_edge(noun, second);
    if (bit(graph_->edge(e).label) != bit(Label::nmod) || marker < 0) continue;
    if (bit(graph_->edge(marker).label) != bit(Label::case_)) continue;
    if (graph_->is_root(first)) {
      graph_->remove_edge(e);
      graph_->replace_root(first, noun);
    } else {
      const Graph::Edge above = graph_->edge(up);
      const bool keeps = graph_->has_child(first, bit(Label::cop)) && (bit(above.label) & kept_by_headed) != 0;
      graph_->remove_edge(e);
      graph_->add_edge(above.governor, noun, keeps ? above.label : EdgeLabel{Label::nmod, 0});
    }
    move_children(first, noun);
    make_unit({first, second}, noun, Label::case_);
    return;
  }
}

void PrepositionJoiner::join_three(int32_t first, int32_t second, int32_t third) {
  if (!graph_->out(first).empty() || !graph_->out(third).empty()) return;
  const int32_t opening = graph_->first_edge(second, first);
  if (opening < 0 || bit(graph_->edge(opening).label) != bit(Label::case_)) return;
  const int32_t up = graph_->first_in(second);
  if (!graph_->is_root(second) && up < 0) return;
  for (int32_t e : graph_->out(second)) {
    const Label removed = graph_->edge(e).label.base;
    if ((bit(graph_->edge(e).label) & clauses_and_nmod) == 0) continue;
    const int32_t noun = graph_->edge(e).dependent;
    const int32_t marker = graph_->first_edge(noun, third);
    if (marker < 0) continue;
    if ((bit(graph_->edge(marker).label) & (bit(Label::case_) | bit(Label::mark))) == 0) continue;
    Label unit_label = Label::case_;
    if (graph_->is_root(second)) {
      graph_->remove_edge(e);
      graph_->replace_root(second, noun);
    } else {
      const Graph::Edge above = graph_->edge(up);
      const bool clause = bit(above.label) == bit(Label::nmod) && removed != Label::nmod;
      if (clause) unit_label = Label::mark;
      graph_->remove_edge(e);
      graph_->add_edge(above.governor, noun, clause ? EdgeLabel{removed, 0} : above.label);
    }
    move_children(second, noun);
    make_unit({first, second, third}, noun, unit_label);
    return;
  }
}

}  // namespace spidercap
