// Tree to dependencies: head and basic UD-v1 label of each word, by learnt tables of local decisions.
//
// For each phrase, bottom-up, a table names the head child; for each other child, one names the sibling it depends on
// and the label. A decision is looked up from its richest context down to the plainest (see
// tools/parser/dependencies.py, which builds the same numbers); each look-up hashes the context's numbers and probes
// one open-addressing table. Cost: about 60 hashes of 5 to 60 small numbers for a caption of ten words.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "parser/grammar.h"
#include "parser/parser.h"

namespace spidercap {

class DependencyConverter {
 public:
  explicit DependencyConverter(const Grammar& grammar);
  // Heads count words from 1, 0 is the root; labels are numbers of `label_names`.
  void convert(const Tree& tree, std::span<const std::string_view> words, std::vector<int32_t>& heads,
               std::vector<uint8_t>& labels);
  const TextTable& label_names() const { return relations_; }

 private:
  struct Facts {
    uint32_t parent = 0;
    uint32_t label = 0, lexical = 0;
    uint32_t head = 0, head_tag = 0, head_lexical = 0;
    std::vector<uint32_t> plain, rich;  // the node as its parent's contexts describe it
  };

  void visit(const Tree& tree, uint32_t index);
  uint32_t head_child(const Tree& tree, uint32_t index) const;
  uint32_t likely_head(const Tree& tree, uint32_t index) const;
  uint32_t arc(const Tree& tree, uint32_t index, uint32_t head, uint32_t child) const;
  uint32_t first_conjunct(const Tree& tree, uint32_t index) const;
  uint32_t conjunct_end(const Tree& tree, uint32_t index, uint32_t child) const;
  uint32_t place_of(const Tree& tree, uint32_t index, uint32_t head, uint32_t child) const;
  bool find(uint64_t key, uint32_t& decision) const;
  void describe(const Tree& tree, uint32_t index);
  void repair_passives(std::span<const int32_t> heads, std::vector<uint8_t>& labels) const;
  uint8_t relation(std::string_view name) const;

  const Grammar& grammar_;
  TextTable relations_;
  std::span<const uint64_t> keys_;
  std::span<const uint32_t> decisions_;
  std::span<const uint16_t> label_number_;
  std::vector<bool> is_conjunction_;
  std::unordered_map<std::string_view, uint32_t> lexical_;
  uint8_t root_ = 0, dep_ = 0, auxpass_ = 0;
  std::vector<std::pair<uint8_t, uint8_t>> passives_;
  std::vector<Facts> facts_;
  std::vector<int32_t>* heads_ = nullptr;
  std::vector<uint8_t>* labels_ = nullptr;
};

}  // namespace spidercap
