// The dependency graph of SPICE: a directed multigraph over the words of a sentence and copies of them, with the orders
// of the reference, whose containers are hash tables. Edges are kept in order of insertion; the index that gives the
// children of a vertex in the reference's order is rebuilt when first asked for after a change.
// Cost: building and indexing are linear in the edges (plus a sort where hash buckets wrap round).
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "parser/parsed_sentence.h"

namespace spidercap {

// Label of an edge: a basic label, and for nmod, acl, advcl and conj perhaps a name (nmod:in_front_of, conj:and), given
// as a number in the list of names of the sentence; 0 is no name.
struct EdgeLabel {
  Label base = Label::none;
  uint32_t name = 0;
  bool operator==(const EdgeLabel&) const = default;
};

// Sets of labels: the bits of unnamed labels, and one bit for each kind of named label.
inline constexpr uint64_t named_nmod = uint64_t{1} << 63;
inline constexpr uint64_t named_conj = uint64_t{1} << 62;
inline constexpr uint64_t named_clause = uint64_t{1} << 61;
static_assert(label_names.size() <= 61);

constexpr uint64_t bit(EdgeLabel label) {
  if (label.name == 0) return bit(label.base);
  return label.base == Label::nmod ? named_nmod : label.base == Label::conj ? named_conj : named_clause;
}

// The words of one sentence, their copies, and the names that labels carry.
class SentenceWords {
 public:
  struct Word {
    std::string_view text, lower;
    Tag tag;
    uint8_t marks;  // see WordMark
  };
  struct Vertex {
    int32_t position;  // counted from 1
    int32_t copy;      // 0: the word itself
  };

  void reset(const ParsedSentence& sentence);

  int32_t size() const { return static_cast<int32_t>(words_.size()); }
  int32_t number() const { return number_; }
  int32_t vertex_count() const { return static_cast<int32_t>(vertices_.size()); }
  bool has_copies() const { return vertices_.size() > words_.size(); }
  const Vertex& vertex(int32_t v) const { return vertices_[v]; }
  const Word& word(int32_t v) const { return words_[vertices_[v].position - 1]; }
  uint64_t tag_bit(int32_t v) const { return bit(word(v).tag); }
  int32_t position(int32_t v) const { return vertices_[v].position; }
  // The vertex of a word itself.
  int32_t original(int32_t v) const { return vertices_[v].position - 1; }
  bool before(int32_t a, int32_t b) const;
  int32_t add_copy(int32_t v);
  // All words' marks together.
  uint8_t marks() const { return marks_; }

  uint32_t name_number(std::string_view name);
  std::string_view name(uint32_t number) const;
  // base:name, where a name that makes a basic label gives that label.
  EdgeLabel named(Label base, std::string_view name);
  std::string label_text(EdgeLabel label) const;
  // Order of labels by their text.
  bool less(EdgeLabel a, EdgeLabel b) const;

 private:
  std::vector<Word> words_;
  std::vector<Vertex> vertices_;
  std::deque<std::string> lowered_;  // lower case of the words that have capitals
  std::string names_;
  std::vector<std::pair<uint32_t, uint32_t>> name_spans_;
  int32_t number_ = 0;
  uint8_t marks_ = 0;
};

// What the rules want to know of a word, found by one look-up.
enum WordMark : uint8_t {
  starts_pair = 1,     // first word of a preposition of two words
  starts_triple = 16,  // of three words
  quantifier_with_article = 2,
  quantifier_plural = 4,
  quantifier_word = 8,
};

class Graph {
 public:
  struct Edge {
    int32_t governor, dependent;
    EdgeLabel label;
    uint32_t pair_order;  // when the pair (governor, dependent) came into being
    int32_t next_in;      // next younger edge into the dependent, or -1
    bool alive;
  };

  // An empty graph over the vertices of the words, which must outlive it.
  void reset(const SentenceWords& words);
  // The same edges in edge order, and the first root.
  void copy_from(Graph& other);

  void add_edge(int32_t governor, int32_t dependent, EdgeLabel label);
  void remove_edge(int32_t edge);
  void relabel(int32_t edge, EdgeLabel label);
  void add_root(int32_t v);
  void replace_root(int32_t old_root, int32_t new_root);

  const SentenceWords& words() const { return *words_; }
  const std::vector<int32_t>& roots() const { return roots_; }
  bool is_root(int32_t v) const;
  bool has_vertex(int32_t v) const { return v >= 0 && v < static_cast<int32_t>(present_.size()) && present_[v] != 0; }
  // The vertex of the word at a position (counted from 1), or -1.
  int32_t at_position(int32_t position) const;
  const Edge& edge(int32_t e) const { return edges_[e]; }
  int32_t edge_slots() const { return static_cast<int32_t>(edges_.size()); }

  // Out-edges in child order, and the set of their labels. Valid until the next change.
  std::span<const int32_t> out(int32_t v) {
    if (!indexed_) build_index();
    return std::span(out_edges_).subspan(out_start_[v], out_start_[v + 1] - out_start_[v]);
  }
  uint64_t out_labels(int32_t v) {
    if (!labels_current_) collect_labels();
    return out_labels_[v];
  }
  // The union of `out_labels` over all vertices.
  uint64_t all_labels() {
    if (!labels_current_) collect_labels();
    return all_labels_;
  }
  bool has_child(int32_t v, uint64_t labels) { return (out_labels(v) & labels) != 0; }
  // Oldest edge into v, or -1; go on with next_in.
  int32_t first_in(int32_t v) const { return first_in_[v]; }
  // The oldest edge from a to b, or -1.
  int32_t first_edge(int32_t a, int32_t b) const {
    for (int32_t e = first_in_[b]; e >= 0; e = edges_[e].next_in)
      if (edges_[e].governor == a) return e;
    return -1;
  }
  // The single governor that some rules need, or -1.
  int32_t parent(int32_t v);
  // True if child order is plain ascending order, whatever the history of the graph.
  bool has_plain_order() const;

  // Vertices in the order of the reference's vertex table.
  void vertex_order(std::vector<int32_t>& order);
  // Topological order, or vertex order in a graph with a cycle.
  void match_order(std::vector<int32_t>& order);

 private:
  uint32_t bucket(int32_t v, uint32_t capacity) const;
  void grow_to(int32_t v);
  void add_vertex(int32_t v);
  void build_index();
  void collect_labels();
  void sort_children(int32_t v);
  bool finish_from(int32_t start, std::vector<int32_t>& finished);

  const SentenceWords* words_ = nullptr;
  std::vector<Edge> edges_;
  std::vector<int32_t> roots_;
  std::vector<uint8_t> present_;
  std::vector<int32_t> insertion_;  // vertices in order of insertion
  std::vector<int32_t> first_in_, last_in_;
  std::vector<int32_t> children_, most_children_;  // distinct children now, and at most so far
  uint32_t next_order_ = 0;
  bool indexed_ = false;         // out_start_ and out_edges_ are current
  bool labels_current_ = false;  // out_labels_ and all_labels_ are
  std::vector<int32_t> out_start_, out_edges_;
  std::vector<uint64_t> out_labels_;
  uint64_t all_labels_ = 0;
  std::vector<uint8_t> state_;
  std::vector<int32_t> starts_;
  std::vector<std::pair<int32_t, int32_t>> stack_;
};

}  // namespace spidercap
