#include "parser/dependencies.h"

#include <algorithm>
#include <stdexcept>

#include "parser/head_rules.h"
#include "parser/label_rules.h"

namespace spidercap {
namespace {

using enum Category;

class Links {
 public:
  Links(const PhraseTree& tree, std::vector<int32_t>& heads, std::vector<Label>& labels)
      : tree_(tree), heads_(heads), labels_(labels) {}

  void of_phrase(int32_t phrase) {
    for (int32_t n = 0; n < tree_.count(phrase); ++n) {
      if (n == tree_[phrase].middle) continue;
      const Arc arc = arc_of(tree_, phrase, n);
      link(tree_.child(phrase, n), tree_.child(phrase, arc.governor), arc.label);
    }
    raise_objects(phrase);
    raise_existential(phrase);
    if (tree_.category(phrase) == SBARQ && asks_by_copula(tree_, phrase))
      link(tree_.last(tree_.child(phrase, 1)), tree_.child(phrase, 0), Label::nsubj);
  }

  // A subject is passive if its governor has a passive auxiliary.
  void repair_passives() {
    for (size_t word = 0; word < heads_.size(); ++word) {
      if (labels_[word] != Label::auxpass || nouns.has(tree_.tags[static_cast<size_t>(heads_[word] - 1)])) continue;
      for (size_t other = 0; other < heads_.size(); ++other) {
        if (heads_[other] != heads_[word]) continue;
        if (labels_[other] == Label::nsubj) labels_[other] = Label::nsubjpass;
        if (labels_[other] == Label::csubj) labels_[other] = Label::csubjpass;
      }
    }
  }

 private:
  void link(int32_t dependent, int32_t governor, Label label) {
    const auto word = static_cast<size_t>(tree_[dependent].head);
    heads_[word] = tree_[governor].head + 1;
    labels_[word] = label;
  }

  // "wants him to go": the subject of the infinitive is the object of the verb above.
  void raise_objects(int32_t phrase) {
    if (tree_.category(phrase) != VP || tree_.count(phrase) == 0) return;
    const int32_t verb = tree_.child(phrase, tree_[phrase].middle);
    if (!verbs.has(tree_.category(verb))) return;
    for (int32_t n = tree_[phrase].middle + 1; n < tree_.count(phrase); ++n) {
      const int32_t clause = tree_.child(phrase, n);
      if (tree_.category(clause) != S || tree_.count(clause) < 2 || tree_.at(clause, 0) != NP) continue;
      const int32_t last = tree_.last(clause);
      if (tree_.category(last) != VP || tree_.at(last, 0) != TO) continue;
      link(tree_.child(clause, 0), verb, Label::dobj);
      labels_[static_cast<size_t>(tree_[last].head)] = Label::xcomp;
    }
  }

  // "there is a lamp and shines a light": with "there", an object behind a conjunction is one more subject.
  void raise_existential(int32_t phrase) {
    const int32_t predicate = tree_.category(phrase) == S ? tree_.find(phrase, {VP}) : -1;
    if (predicate < 0 || !tree_.has(predicate, conjunctions) || !is_existential(tree_, predicate)) return;
    for (int32_t n = tree_[predicate].middle + 1; n < tree_.count(predicate); ++n) {
      int32_t inner = tree_.child(predicate, n);
      if (tree_.category(inner) != VP) continue;
      while (tree_.has(inner, {VP})) inner = tree_.find(inner, {VP});
      const int32_t object = tree_.find(inner, {NP});
      if (object >= 0 && labels_[static_cast<size_t>(tree_[object].head)] == Label::dobj)
        link(object, phrase, Label::nsubj);
    }
  }

  const PhraseTree& tree_;
  std::vector<int32_t>& heads_;
  std::vector<Label>& labels_;
};

// A label up to its first mark: "NP^PP-B" is NP; "NP-TMP" and brackets keep their hyphens.
std::string_view without_marks(std::string_view label) {
  if (label == "-LRB-" || label == "-RRB-") return label;
  if (label.starts_with("NP-TMP")) return label.substr(0, 6);
  return label.substr(0, label.find_first_of("^-", 1));
}

// Every tag has one word and nothing else, every phrase has children.
void place_words(std::span<const std::string_view> words, std::span<const int32_t> tagged, PhraseTree& tree) {
  tree.words = words;
  tree.lexical.assign(words.size(), 0);
  tree.tags.assign(words.size(), none);
  for (size_t word = 0; word < words.size(); ++word) tree.set_word(tagged[word], static_cast<int32_t>(word));
  for (int32_t i = 0; i < tree.size; ++i)
    if ((tree[i].word >= 0) == (tree.count(i) > 0)) throw std::invalid_argument("a tag has no word, or children too");
}

}  // namespace

void find_dependencies(PhraseTree& tree, std::vector<int32_t>& heads, std::vector<Label>& labels) {
  heads.assign(tree.words.size(), 0);
  labels.assign(tree.words.size(), Label::root);
  if (tree.words.empty()) return;
  find_heads(tree);
  Links links(tree, heads, labels);
  // Clauses before the phrases above them, which may take a subject from them.
  for (int32_t phrase = tree.size; phrase-- > 0;) links.of_phrase(phrase);
  const auto root = static_cast<size_t>(tree[0].head);
  heads[root] = 0;
  labels[root] = Label::root;
  links.repair_passives();
}

DependencyConverter::DependencyConverter(const Grammar& grammar) : tags_(grammar.tags) {
  for (uint32_t label = 0; label < grammar.labels; ++label)
    categories_.push_back(category_named(grammar.plain_names[label]));
}

void DependencyConverter::convert(const Tree& tree, std::span<const std::string_view> words,
                                  std::vector<int32_t>& heads, std::vector<Label>& labels) {
  tree_.clear(words);
  if (!words.empty()) {
    for (const Node& node : tree.nodes) tree_.add(categories_[node.label], -1);
    for (int32_t i = 0; i < tree_.size; ++i) {
      const Node& node = tree.nodes[static_cast<size_t>(i)];
      for (const uint32_t child : node.children) {
        tree_[i].children.push_back(static_cast<int32_t>(child));
        tree_[static_cast<int32_t>(child)].parent = i;
      }
      if (node.label < tags_) tree_.set_word(i, static_cast<int32_t>(node.begin));
    }
  }
  find_dependencies(tree_, heads, labels);
}

void read_bracketed(std::string_view text, std::vector<std::string_view>& words, PhraseTree& tree) {
  std::vector<int32_t> open, tagged;
  words.clear();
  tree.clear({});
  size_t word = 0;  // where the last one begins
  for (size_t at = 0; at < text.size();) {
    if (text[at] == ' ' || text[at] == ')') {
      if (text[at] == ')' && open.empty()) throw std::invalid_argument("a bracket closes that was not opened");
      if (text[at] == ')') open.pop_back();
      ++at;
      continue;
    }
    const bool label = text[at] == '(';
    const size_t begin = at + (label ? 1 : 0), end = std::min(text.find_first_of(" ()", begin), text.size());
    const std::string_view token = text.substr(begin, end - begin);
    if (open.empty() && (!label || tree.size > 0)) throw std::invalid_argument("there is something beside the tree");
    if (label) {
      const int32_t made = tree.add(category_named(without_marks(token)), open.empty() ? -1 : open.back());
      if (!open.empty()) tree[open.back()].children.push_back(made);
      open.push_back(made);
    } else if (!tagged.empty() && tagged.back() == open.back()) {  // a word with a blank inside, such as "4 1/2"
      words.back() = text.substr(word, end - word);
    } else {
      word = begin;
      words.push_back(token);
      tagged.push_back(open.back());
    }
    at = end;
  }
  if (!open.empty() || tree.size == 0) throw std::invalid_argument("a bracket is not closed, or there is none");
  place_words(words, tagged, tree);
}

}  // namespace spidercap
