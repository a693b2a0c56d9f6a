#include "spice/scene.h"

#include <algorithm>
#include <utility>

namespace spidercap {
namespace {

constexpr std::string_view cardinalities[] = {"one", "two",   "three", "four", "five",
                                              "six", "seven", "eight", "nine", "ten"};
constexpr std::string_view colors[] = {"black", "brown",  "blue",   "red",    "yellow", "pink",
                                       "gray",  "grey",   "green",  "dark",   "light",  "white",
                                       "cream", "orange", "purple", "maroon", "beige",  "violet"};
constexpr std::string_view sizes[] = {
    "baby",        "illimitable", "scrawny",    "beefy",         "immeasurable", "short",       "big",
    "immense",     "sizable",     "bony",       "infinitesimal", "skeletal",     "boundless",   "lanky",
    "skimpy",      "brawny",      "large",      "skinny",        "broad",        "lean",        "slender",
    "bulky",       "life-size",   "slim",       "chunky",        "limitless",    "small",       "colossal",
    "little",      "squat",       "compact",    "mammoth",       "stocky",       "corpulent",   "massive",
    "stout",       "cosmic",      "meager",     "strapping",     "cubby",        "measly",      "sturdy",
    "curvy",       "microscopic", "tall",       "elfin",         "mini",         "teensy",      "emaciated",
    "miniature",   "teeny",       "endless",    "minuscule",     "teeny-tiny",   "enormous",    "minute",
    "teeny-weeny", "epic",        "narrow",     "thick",         "expansive",    "obese",       "thickset",
    "extensive",   "outsized",    "thin",       "fat",           "oversize",     "tiny",        "fleshy",
    "overweight",  "titanic",     "full-size",  "paltry",        "towering",     "gargantuan",  "petite",
    "trifling",    "gaunt",       "pint-size",  "trim",          "giant",        "plump",       "tubby",
    "gigantic",    "pocket-size", "undersized", "grand",         "portly",       "underweight", "great",
    "pudgy",       "unlimited",   "heavy",      "puny",          "vast",         "hefty",       "rotund",
    "wee",         "huge",        "scanty",     "whopping",      "hulking",      "scraggy",     "wide"};

SpiceStrings make_kind_table() {
  SpiceStrings table;
  const auto insert = [&](std::span<const std::string_view> words, AttributeKind kind) {
    for (std::string_view word : words) table.insert(word, static_cast<uint32_t>(kind));
  };
  insert(cardinalities, AttributeKind::cardinality);
  insert(colors, AttributeKind::color);
  insert(sizes, AttributeKind::size);
  return table;
}

AttributeKind kind_of(std::string_view text) {
  static const SpiceStrings table = make_kind_table();
  const uint32_t found = table.find(text);
  return found == SpiceStrings::absent ? AttributeKind::other : static_cast<AttributeKind>(found);
}

bool share_number(std::span<const uint32_t> a, std::span<const uint32_t> b) {
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i] == b[j]) return true;
    const bool less = a[i] < b[j];
    i += less;
    j += !less;
  }
  return false;
}

size_t count_shared(std::span<const uint32_t> a, std::span<const uint32_t> b) {
  size_t shared = 0;
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    shared += a[i] == b[j];
    const uint32_t left = a[i], right = b[j];
    i += left <= right;
    j += right <= left;
  }
  return shared;
}

}  // namespace

const SceneString* SceneStrings::find(std::string_view text) const {
  const uint32_t id = ids_.find(text);
  return id == StringTable::none ? nullptr : &strings_[id];
}

const SceneString* SceneStrings::get(std::string_view text, const Synsets& synsets) {
  const uint32_t id = ids_.insert(text);
  if (id == strings_.size()) {
    SceneString& added = strings_.emplace_back(SceneString{std::string(text), {}, kind_of(text)});
    synsets.find(text, added.synsets);
    added.synsets.shrink_to_fit();
  }
  return &strings_[id];
}

void SceneStrings::clear() {
  ids_.clear();
  strings_.clear();
}

const SceneString* StringSource::get(std::string_view text) const {
  if (shared != nullptr)
    if (const SceneString* string = shared->find(text)) return string;
  return own->get(text, *synsets);
}

bool similar(const SceneString* a, const SceneString* b) { return a == b || share_number(a->synsets, b->synsets); }

void Concept::reset(const SceneString* string) {
  strings_.assign(1, string);
  merged_.clear();
}

void Concept::merge(const SceneString* string) {
  if (contains(string)) return;
  if (strings_.size() == 1) merged_ = strings_.front()->synsets;
  strings_.push_back(string);
  std::vector<uint32_t> all;
  all.reserve(merged_.size() + string->synsets.size());
  std::set_union(merged_.begin(), merged_.end(), string->synsets.begin(), string->synsets.end(),
                 std::back_inserter(all));
  merged_ = std::move(all);
}

bool Concept::contains(const SceneString* string) const {
  return std::find(strings_.begin(), strings_.end(), string) != strings_.end();
}

bool Concept::is_similar(const SceneString* string) const {
  return contains(string) || share_number(synsets(), string->synsets);
}

double Concept::similarity(const SceneString* string) const {
  if (contains(string)) return 1;
  const size_t shared = count_shared(synsets(), string->synsets);
  if (shared == 0) return 0;
  return static_cast<double>(shared) / static_cast<double>(synsets().size() + string->synsets.size() - shared);
}

void SceneGraph::clear() {
  used_ = 0;
  nodes_.clear();
  attributes_.clear();
  relations_.clear();
}

void SceneGraph::add(const Tuples& tuples, const StringSource& source) {
  strings_.assign(tuples.string_count(), nullptr);
  const auto string = [&](uint32_t number) {
    if (strings_[number] == nullptr) strings_[number] = source.get(tuples.string(number));
    return strings_[number];
  };
  constexpr std::string_view copula = "be ";
  for (const Tuples::Tuple& tuple : tuples.tuples()) {
    const uint32_t first = node(string(tuple.strings[0]));
    if (tuple.size == 2) add_attribute(first, string(tuple.strings[1]));
    if (tuple.size != 3) continue;
    const uint32_t second = node(string(tuple.strings[1]));
    const std::string_view predicate = tuples.string(tuple.strings[2]);
    const bool stripped = predicate.starts_with(copula);
    add_relation(first, second, stripped ? source.get(predicate.substr(copula.size())) : string(tuple.strings[2]));
  }
}

uint32_t SceneGraph::new_concept(const SceneString* string) {
  if (used_ == concepts_.size()) concepts_.emplace_back();
  concepts_[used_].reset(string);
  return used_++;
}

uint32_t SceneGraph::node(const SceneString* string) {
  for (uint32_t i = 0; i < nodes_.size(); ++i)
    if (concepts_[nodes_[i]].equals(string)) return i;
  double highest = 0;
  uint32_t best = 0;
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    const double similarity = concepts_[nodes_[i]].similarity(string);
    if (similarity <= highest) continue;
    highest = similarity;
    best = i;
  }
  if (highest > 0) {
    concepts_[nodes_[best]].merge(string);
    return best;
  }
  nodes_.push_back(new_concept(string));
  return static_cast<uint32_t>(nodes_.size()) - 1;
}

void SceneGraph::add_attribute(uint32_t node, const SceneString* string) {
  Concept* merged = nullptr;
  for (const Attribute& attribute : attributes_) {
    if (attribute.node != node) continue;
    Concept& known = concepts_[attribute.concept_number];
    if (known.equals(string)) return;
    if (merged == nullptr && known.is_similar(string)) merged = &known;
  }
  if (merged != nullptr) {
    merged->merge(string);
  } else {
    attributes_.push_back({node, new_concept(string)});
  }
}

void SceneGraph::add_relation(uint32_t subject, uint32_t object, const SceneString* string) {
  Concept* merged = nullptr;
  for (const Relation& relation : relations_) {
    if (relation.subject != subject || relation.object != object) continue;
    Concept& known = concepts_[relation.concept_number];
    if (known.equals(string)) return;
    if (merged == nullptr && known.is_similar(string)) merged = &known;
  }
  if (merged != nullptr) {
    merged->merge(string);
  } else {
    relations_.push_back({subject, object, new_concept(string)});
  }
}

std::vector<std::string_view> printed(std::span<const SceneString* const> strings) {
  uint32_t capacity = 16;
  while (strings.size() * 4 > static_cast<size_t>(capacity) * 3) capacity *= 2;
  std::vector<std::pair<uint32_t, std::string_view>> placed;
  for (const SceneString* string : strings) {
    const uint32_t hash = polynomial_hash(string->text);
    placed.emplace_back((hash ^ (hash >> 16)) & (capacity - 1), string->text);
  }
  std::stable_sort(placed.begin(), placed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string_view> texts;
  for (const auto& [bucket, text] : placed) texts.push_back(text);
  return texts;
}

}  // namespace spidercap
