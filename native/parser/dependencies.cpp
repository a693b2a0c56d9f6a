#include "parser/dependencies.h"

#include <algorithm>

namespace spidercap {
namespace {

constexpr uint64_t kPrime = 1099511628211ULL, kBasis = 14695981039346656037ULL;
constexpr uint32_t kNone = 0xFFFFFFFF;
constexpr int64_t kLast = 127;     // instead of a distance: the last child of the same conjunct governs
constexpr uint32_t kSecond = 255;  // instead of a position: the last child of the second conjunct is the head
constexpr uint32_t kMany = 3;      // children of the second conjunct that contexts tell apart

// The numbers of one context, hashed as they come.
class Context {
 public:
  explicit Context(uint64_t start = kBasis) : value_(start) {}
  Context& add(uint64_t number) {
    value_ = (value_ ^ number) * kPrime;
    return *this;
  }
  Context& add(std::span<const uint32_t> numbers) {
    for (const uint32_t number : numbers) add(number);
    return *this;
  }
  uint64_t hash() const { return value_ == 0 ? 1 : value_; }

 private:
  uint64_t value_;
};

}  // namespace

DependencyConverter::DependencyConverter(const Grammar& grammar) : grammar_(grammar) {
  const auto table = [&](const char* text, const char* starts) {
    const auto bytes = grammar.section<uint8_t>(text);
    return TextTable{{reinterpret_cast<const char*>(bytes.data()), bytes.size()}, grammar.section<uint32_t>(starts)};
  };
  relations_ = table("relation_text", "relation_starts");
  const TextTable lexical = table("lexical_text", "lexical_starts");
  for (uint32_t i = 0; i < lexical.size(); ++i) lexical_.emplace(lexical[i], i + 1);
  keys_ = grammar.section<uint64_t>("decision_key");
  decisions_ = grammar.section<uint32_t>("decision");
  label_number_ = grammar.section<uint16_t>("label_number");
  is_conjunction_.resize(grammar.labels);
  for (uint32_t label = 0; label < grammar.labels; ++label)
    is_conjunction_[label] = grammar.plain_names[label] == "CC" || grammar.plain_names[label] == "CONJP";
  root_ = relation("root"), dep_ = relation("dep"), auxpass_ = relation("auxpass");
  passives_ = {{relation("nsubj"), relation("nsubjpass")}, {relation("csubj"), relation("csubjpass")}};
}

uint8_t DependencyConverter::relation(std::string_view name) const {
  for (size_t i = 0; i < relations_.size(); ++i)
    if (relations_[i] == name) return static_cast<uint8_t>(i);
  return 0;
}

void DependencyConverter::convert(const Tree& tree, std::span<const std::string_view> words,
                                  std::vector<int32_t>& heads, std::vector<uint8_t>& labels) {
  heads.assign(words.size(), 0);
  labels.assign(words.size(), root_);
  if (words.empty()) return;
  heads_ = &heads, labels_ = &labels;
  if (facts_.size() < tree.nodes.size()) facts_.resize(tree.nodes.size());
  facts_[0].parent = kNone;
  for (uint32_t i = 0; i < tree.nodes.size(); ++i) {
    const Node& node = tree.nodes[i];
    Facts& facts = facts_[i];
    facts.label = label_number_[node.label];
    facts.lexical = 0;
    if (node.label < grammar_.tags) {
      const auto found = lexical_.find(words[node.begin]);
      if (found != lexical_.end()) facts.lexical = found->second;
      facts.head = node.begin, facts.head_tag = facts.label, facts.head_lexical = facts.lexical;
    }
    for (const uint32_t child : node.children) facts_[child].parent = i;
  }
  // Parents stand before their children: from the back, every node's children are ready.
  for (auto i = static_cast<uint32_t>(tree.nodes.size()); i-- > 0;) {
    if (!tree.nodes[i].children.empty()) visit(tree, i);
    describe(tree, i);
  }
  heads[facts_[0].head] = 0;
  labels[facts_[0].head] = root_;
  repair_passives(heads, labels);
}

void DependencyConverter::describe(const Tree& tree, uint32_t index) {
  Facts& facts = facts_[index];
  const auto& children = tree.nodes[index].children;
  facts.plain = {facts.label, facts.lexical, facts.head_tag, facts.head_lexical,
                 static_cast<uint32_t>(children.size())};
  facts.rich = facts.plain;
  for (const uint32_t child : children) {
    facts.plain.push_back(facts_[child].label);
    facts.rich.push_back(facts_[child].label);
    facts.rich.push_back(facts_[child].lexical);
  }
}

void DependencyConverter::visit(const Tree& tree, uint32_t index) {
  const auto& children = tree.nodes[index].children;
  const uint32_t head = head_child(tree, index);
  Facts& facts = facts_[index];
  const Facts& top = facts_[children[head]];
  facts.head = top.head, facts.head_tag = top.head_tag, facts.head_lexical = top.head_lexical;
  const auto count = static_cast<int64_t>(children.size());
  for (uint32_t child = 0; child < children.size(); ++child) {
    if (child == head) continue;
    const uint32_t decision = arc(tree, index, head, child);
    const int64_t distance = static_cast<int64_t>(decision >> 8) - 128;
    int64_t governor = distance == 0 ? int64_t{head} : child + distance;
    if (distance == kLast) governor = conjunct_end(tree, index, child);
    if (governor < 0 || governor >= count || governor == child) governor = head;
    const uint32_t word = facts_[children[child]].head;
    (*heads_)[word] = static_cast<int32_t>(facts_[children[static_cast<size_t>(governor)]].head) + 1;
    (*labels_)[word] = static_cast<uint8_t>(decision & 255);
  }
}

bool DependencyConverter::find(uint64_t key, uint32_t& decision) const {
  const size_t mask = keys_.size() - 1;
  for (size_t place = (key >> 20) & mask; keys_[place] != 0; place = (place + 1) & mask)
    if (keys_[place] == key) {
      decision = decisions_[place];
      return true;
    }
  return false;
}

// How many children stand before the first conjunction; all of them if there is none, or nothing before it.
uint32_t DependencyConverter::first_conjunct(const Tree& tree, uint32_t index) const {
  const auto& children = tree.nodes[index].children;
  for (uint32_t child = 1; child < children.size(); ++child)
    if (is_conjunction_[tree.nodes[children[child]].label]) return child;
  return static_cast<uint32_t>(children.size());
}

// Position of the last child of the conjunct that a child belongs to.
uint32_t DependencyConverter::conjunct_end(const Tree& tree, uint32_t index, uint32_t child) const {
  const auto& children = tree.nodes[index].children;
  while (child + 1 < children.size() && !is_conjunction_[tree.nodes[children[child + 1]].label]) ++child;
  return child;
}

// Where a child stands: side of the head, conjunctions before and after it, last of its conjunct.
uint32_t DependencyConverter::place_of(const Tree& tree, uint32_t index, uint32_t head, uint32_t child) const {
  const auto& children = tree.nodes[index].children;
  const auto conjunction_in = [&](uint32_t begin, size_t end) {
    for (uint32_t other = begin; other < end; ++other)
      if (is_conjunction_[tree.nodes[children[other]].label]) return true;
    return false;
  };
  const bool before = conjunction_in(0, child), after = conjunction_in(child + 1, children.size());
  const bool last = (before || after) && conjunct_end(tree, index, child) == child;
  return (child > head ? 1U : 0U) + (before ? 2U : 0U) + (after ? 4U : 0U) + (last ? 8U : 0U);
}

uint32_t DependencyConverter::head_child(const Tree& tree, uint32_t index) const {
  const auto& children = tree.nodes[index].children;
  const Facts& facts = facts_[index];
  uint32_t up[3] = {0, 0, 0};
  if (facts.parent != kNone) {
    const Node& parent = tree.nodes[facts.parent];
    const Node& first = tree.nodes[parent.children[0]];
    up[0] = facts_[facts.parent].label;
    up[1] = facts_[parent.children[0]].label;
    up[2] = first.children.empty() ? 0 : facts_[first.children[0]].label;
  }
  Context start, second, plain, words, above, heads, rich;
  const uint32_t conjunct = first_conjunct(tree, index);
  const bool has_second = conjunct + 1 < children.size();
  const uint32_t second_end = has_second ? conjunct_end(tree, index, conjunct + 1) : 0;
  start.add(5).add(facts.label);
  second.add(6).add(facts.label);
  for (uint32_t child = 0; child < conjunct; ++child) {
    start.add(facts_[children[child]].label);
    second.add(facts_[children[child]].label);
  }
  start.add(conjunct < children.size() ? 1 : 0);
  second.add(has_second ? std::min(second_end - conjunct, kMany) : 0);
  plain.add(0).add(facts.label);
  words.add(1).add(facts.label);
  above.add(2).add(up).add(facts.label);
  heads.add(3).add(up).add(facts.label);
  rich.add(4).add(up).add(facts.label);
  for (const uint32_t child : children) {
    const Facts& below = facts_[child];
    plain.add(below.label);
    words.add(below.label).add(below.lexical);
    above.add(below.label).add(below.lexical);
    heads.add(below.plain);
    rich.add(below.rich);
  }
  uint32_t decision = 0;
  for (const Context* context : {&rich, &heads, &above, &words, &plain, &second, &start}) {
    if (!find(context->hash(), decision)) continue;
    if (decision == kSecond && has_second) return second_end;
    return std::min(decision, static_cast<uint32_t>(children.size() - 1));
  }
  return likely_head(tree, index);
}

// For a phrase never seen: the child of the first conjunct that is most often the head under this label.
uint32_t DependencyConverter::likely_head(const Tree& tree, uint32_t index) const {
  const auto& children = tree.nodes[index].children;
  uint32_t best = 0, best_share = 0;
  for (uint32_t child = 0, end = first_conjunct(tree, index); child < end; ++child) {
    uint32_t share = 0;
    find(Context().add(9).add(facts_[index].label).add(facts_[children[child]].label).hash(), share);
    if (share >= best_share) best = child, best_share = share;
  }
  return best;
}

uint32_t DependencyConverter::arc(const Tree& tree, uint32_t index, uint32_t head, uint32_t child) const {
  const auto& children = tree.nodes[index].children;
  const Facts &facts = facts_[index], &top = facts_[children[head]], &below = facts_[children[child]];
  const uint32_t parent = facts.parent, grand = parent == kNone ? kNone : facts_[parent].parent;
  const uint32_t up = parent == kNone ? 0 : facts_[parent].label, over = grand == kNone ? 0 : facts_[grand].label;
  const uint32_t place = place_of(tree, index, head, child);
  uint32_t decision = 0;
  Context deepest, rich, labels;
  deepest.add(15).add(up).add(over).add(facts.label).add(child);
  rich.add(14).add(up).add(facts.label).add(child);
  labels.add(13).add(facts.label).add(child).add(top.head_tag);
  for (const uint32_t sibling : children) {
    const Facts& other = facts_[sibling];
    deepest.add(other.label).add(other.lexical);
    rich.add(other.label).add(other.lexical);
    labels.add(other.label);
  }
  deepest.add(below.rich).add(top.rich);
  for (const uint32_t lower : tree.nodes[children[child]].children) deepest.add(facts_[lower].rich);
  if (parent != kNone)
    for (const uint32_t other : tree.nodes[parent].children)
      deepest.add(facts_[other].label).add(facts_[other].lexical).add(other == index ? 1 : 0);
  if (find(deepest.hash(), decision)) return decision;
  if (find(rich.add(below.rich).add(top.rich).hash(), decision)) return decision;
  if (find(labels.add(below.plain).hash(), decision)) return decision;
  Context above;
  above.add(12).add(up).add(facts.label).add(top.label).add(top.lexical).add(top.head_tag).add(place).add(below.plain);
  if (find(above.hash(), decision)) return decision;
  Context tags;
  tags.add(16).add(facts.label).add(top.label).add(top.head_tag).add(below.label).add(below.lexical);
  if (find(tags.add(below.head_tag).add(place).hash(), decision)) return decision;
  Context words;
  words.add(11).add(facts.label).add(top.label).add(top.lexical);
  if (find(words.add(below.label).add(below.lexical).add(below.head_tag).add(place).hash(), decision)) return decision;
  Context plain;
  if (find(plain.add(10).add(facts.label).add(top.label).add(below.label).add(place).hash(), decision)) return decision;
  return (128U << 8) | dep_;
}

// A subject is passive if its governor has a passive auxiliary.
void DependencyConverter::repair_passives(std::span<const int32_t> heads, std::vector<uint8_t>& labels) const {
  for (size_t word = 0; word < heads.size(); ++word) {
    if (labels[word] != auxpass_) continue;
    for (size_t other = 0; other < heads.size(); ++other)
      for (const auto& [active, passive] : passives_)
        if (heads[other] == heads[word] && labels[other] == active && passive != 0) labels[other] = passive;
  }
}

}  // namespace spidercap
