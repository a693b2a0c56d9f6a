// Scene graphs: raw tuples merged over synonyms into nodes, attributes and relations.
//
// A concept is a set of strings; its synsets are the union of those of its strings. Two concepts are similar if they
// share a string or a synset; the graded similarity is 1 for a shared string, else |common| / |all| synsets.
// Cost of adding a tuple: one comparison with every node (strings by pointer, synsets by merging two sorted lists).
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/string_table.h"
#include "spice/strings.h"
#include "spice/synsets.h"
#include "spice/tuples.h"

namespace spidercap {

// Sets of attributes that have a score of their own.
enum class AttributeKind : uint8_t { other, cardinality, color, size };

// A string with what scoring wants to know of it. Equal strings of one caption are one object.
struct SceneString {
  std::string text;
  std::vector<uint32_t> synsets;
  AttributeKind kind;
};

// String → SceneString. The objects stay where they are until `clear`.
class SceneStrings {
 public:
  const SceneString* find(std::string_view text) const;
  // The string, made if it is new.
  const SceneString* get(std::string_view text, const Synsets& synsets);
  size_t size() const { return strings_.size(); }
  // All strings in the order they were made.
  const std::deque<SceneString>& all() const { return strings_; }
  void clear();

 private:
  StringTable ids_;
  std::deque<SceneString> strings_;  // by id
};

// Where the strings of a candidate come from: those of the references, and, for all others, a memory of the thread's
// own that is emptied when it has grown large.
struct StringSource {
  const SceneStrings* shared;
  SceneStrings* own;
  const Synsets* synsets;

  static constexpr size_t most_own = 100000;
  const SceneString* get(std::string_view text) const;
};

bool similar(const SceneString* a, const SceneString* b);

class Concept {
 public:
  void reset(const SceneString* string);
  void merge(const SceneString* string);
  bool equals(const SceneString* string) const { return strings_.size() == 1 && strings_.front() == string; }
  bool contains(const SceneString* string) const;
  bool is_similar(const SceneString* string) const;
  double similarity(const SceneString* string) const;
  std::span<const SceneString* const> strings() const { return strings_; }

 private:
  std::span<const uint32_t> synsets() const { return strings_.size() == 1 ? strings_.front()->synsets : merged_; }

  std::vector<const SceneString*> strings_;  // in the order they came
  std::vector<uint32_t> merged_;             // synsets, if there are several strings
};

class SceneGraph {
 public:
  struct Attribute {
    uint32_t node, concept_number;
  };
  struct Relation {
    uint32_t subject, object, concept_number;
  };

  void clear();
  // Adds tuples in order; their strings come from `source`.
  void add(const Tuples& tuples, const StringSource& source);

  const Concept& concept_at(uint32_t number) const { return concepts_[number]; }
  uint32_t concept_count() const { return used_; }
  // The concepts of the nodes, in order of making.
  const std::vector<uint32_t>& nodes() const { return nodes_; }
  const std::vector<Attribute>& attributes() const { return attributes_; }
  const std::vector<Relation>& relations() const { return relations_; }

 private:
  uint32_t new_concept(const SceneString* string);
  uint32_t node(const SceneString* string);
  void add_attribute(uint32_t node, const SceneString* string);
  void add_relation(uint32_t subject, uint32_t object, const SceneString* string);

  std::vector<Concept> concepts_;  // the first `used_` are this graph's; the others keep their memory for later
  uint32_t used_ = 0;
  std::vector<uint32_t> nodes_;
  std::vector<Attribute> attributes_;
  std::vector<Relation> relations_;
  std::vector<const SceneString*> strings_;  // of the tuples, found so far
};

// The strings of a concept in the order in which the reference prints them.
std::vector<std::string_view> printed(std::span<const SceneString* const> strings);

}  // namespace spidercap
