#include "meteor_paraphrase_compile.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "meteor_checksum.h"
#include "meteor_paraphrase.h"

namespace spidercap {
namespace {

constexpr uint32_t empty_slot = 0xFFFFFFFFu;
constexpr uint64_t most_words = 0x10000;
constexpr uint32_t most_nodes = 0x7FFFFFFFu;

[[noreturn]] void malformed(uint64_t line, const std::string& what) {
  throw std::invalid_argument("paraphrase table, line " + std::to_string(line) + ": " + what);
}

template <typename T>
void append_section(std::vector<uint8_t>& file, const std::vector<T>& section) {
  const size_t start = file.size();
  const size_t bytes = section.size() * sizeof(T);
  file.resize(start + (bytes + 7) / 8 * 8);
  if (bytes > 0) std::memcpy(file.data() + start, section.data(), bytes);
}

// Where each of the groups starts, when group i has counts[i + 1] members.
void accumulate(std::vector<uint32_t>& counts) { std::partial_sum(counts.begin(), counts.end(), counts.begin()); }

}  // namespace

ParaphraseCompiler::ParaphraseCompiler() : parents_{0}, node_words_{0}, depths_{0}, edges_(1 << 16, {0, empty_slot}) {}

void ParaphraseCompiler::feed(std::string_view text) {
  while (true) {
    const size_t end = text.find('\n');
    if (end == std::string_view::npos) break;
    if (unfinished_line_.empty()) {
      line(text.substr(0, end));
    } else {
      unfinished_line_ += text.substr(0, end);
      line(unfinished_line_);
      unfinished_line_.clear();
    }
    text.remove_prefix(end + 1);
  }
  unfinished_line_ += text;
}

void ParaphraseCompiler::line(std::string_view text) {
  const uint64_t kind = lines_++ % 3;
  if (kind == 0) return;  // the number has no influence on METEOR
  if (text.empty()) malformed(lines_, "expected a phrase, found nothing");
  if (kind == 2) {
    targets_.push_back(phrase(text));
  } else if (text != source_text_) {
    if (text < source_text_) malformed(lines_, "the source phrases are not in bytewise order");
    source_text_ = text;
    sources_.push_back({phrase(text), static_cast<uint32_t>(targets_.size())});
  }
}

uint32_t ParaphraseCompiler::phrase(std::string_view text) {
  uint32_t node = 0;
  for (size_t start = 0; start <= text.size();) {
    const size_t end = std::min(text.find(' ', start), text.size());
    const uint32_t word = words_.insert(text.substr(start, end - start));
    if (word >= most_words) malformed(lines_, "more than 65,536 different words");
    node = child(node, word);
    start = end + 1;
  }
  if (depths_[node] > ParaphraseIndex::longest_phrase) malformed(lines_, "a phrase of more than 7 words");
  return node;
}

size_t ParaphraseCompiler::slot_of(uint64_t key) const {
  const size_t mask = edges_.size() - 1;
  uint64_t hash = key * 0x9E3779B97F4A7C15u;
  size_t slot = (hash ^ (hash >> 32)) & mask;
  while (edges_[slot].node != empty_slot && edges_[slot].key != key) slot = (slot + 1) & mask;
  return slot;
}

uint32_t ParaphraseCompiler::child(uint32_t parent, uint32_t word) {
  const uint64_t key = (uint64_t{parent} << 16) | word;
  size_t slot = slot_of(key);
  if (edges_[slot].node != empty_slot) return edges_[slot].node;
  if (parents_.size() * 3 > edges_.size() * 2) {
    grow();
    slot = slot_of(key);
  }
  const auto node = static_cast<uint32_t>(parents_.size());
  if (node >= most_nodes) malformed(lines_, "too many different phrases");
  parents_.push_back(parent);
  node_words_.push_back(static_cast<uint16_t>(word));
  depths_.push_back(static_cast<uint8_t>(std::min(depths_[parent] + 1, 255)));
  edges_[slot] = {key, node};
  return node;
}

void ParaphraseCompiler::grow() {
  std::vector<Edge> old(edges_.size() * 2, Edge{0, empty_slot});
  old.swap(edges_);
  for (const Edge& edge : old)
    if (edge.node != empty_slot) edges_[slot_of(edge.key)] = edge;
}

std::vector<uint32_t> ParaphraseCompiler::words_in_order() const {
  std::vector<uint32_t> order(words_.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return words_[a] < words_[b]; });
  return order;
}

// Nodes by (depth, place of the parent in this order, rank of the word).
std::vector<uint32_t> ParaphraseCompiler::nodes_in_level_order(const std::vector<uint32_t>& rank) const {
  const size_t nodes = parents_.size();
  std::vector<uint32_t> order(nodes);
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return depths_[a] < depths_[b]; });
  std::vector<uint32_t> place(nodes);
  std::vector<std::pair<uint64_t, uint32_t>> level;
  for (size_t start = 1; start < nodes;) {
    level.clear();
    const uint8_t depth = depths_[order[start]];
    size_t end = start;
    for (; end < nodes && depths_[order[end]] == depth; ++end) {
      const uint32_t node = order[end];
      level.emplace_back((uint64_t{place[parents_[node]]} << 16) | rank[node_words_[node]], node);
    }
    std::sort(level.begin(), level.end());
    for (size_t i = 0; i < level.size(); ++i) {
      order[start + i] = level[i].second;
      place[level[i].second] = static_cast<uint32_t>(start + i);
    }
    start = end;
  }
  return order;
}

std::vector<uint8_t> ParaphraseCompiler::finish(const std::array<uint8_t, 32>& source_sha256) {
  if (!unfinished_line_.empty()) line(std::string(std::exchange(unfinished_line_, {})));
  if (lines_ % 3 != 0) malformed(lines_, "the table ends within a record of three lines");
  std::vector<Edge>().swap(edges_);

  const std::vector<uint32_t> word_order = words_in_order();
  std::vector<uint32_t> rank(word_order.size());
  std::vector<uint32_t> word_starts{0};
  std::vector<char> word_text;
  for (uint32_t i = 0; i < word_order.size(); ++i) {
    rank[word_order[i]] = i;
    const std::string_view text = words_[word_order[i]];
    word_text.insert(word_text.end(), text.begin(), text.end());
    word_starts.push_back(static_cast<uint32_t>(word_text.size()));
  }

  const std::vector<uint32_t> node_order = nodes_in_level_order(rank);
  const size_t nodes = node_order.size();
  std::vector<uint32_t> place(nodes);
  for (uint32_t i = 0; i < nodes; ++i) place[node_order[i]] = i;

  std::vector<uint16_t> node_words(nodes);
  std::vector<uint32_t> root_children(word_order.size(), ParaphraseIndex::none);
  std::vector<uint32_t> child_starts(nodes + 1, 0);
  for (uint32_t i = 1; i < nodes; ++i) {
    const uint32_t node = node_order[i];
    node_words[i] = static_cast<uint16_t>(rank[node_words_[node]]);
    if (parents_[node] == 0) root_children[node_words[i]] = i;
    ++child_starts[place[parents_[node]] + 1];
  }
  child_starts[0] = 1;  // node 0 is nobody's child
  accumulate(child_starts);

  std::vector<uint32_t> target_starts(nodes + 1, 0);
  sources_.push_back({0, static_cast<uint32_t>(targets_.size())});
  for (size_t i = 0; i + 1 < sources_.size(); ++i)
    target_starts[place[sources_[i].node] + 1] = sources_[i + 1].first_target - sources_[i].first_target;
  accumulate(target_starts);
  std::vector<uint32_t> targets(targets_.size());
  for (size_t i = 0; i + 1 < sources_.size(); ++i)
    std::transform(targets_.begin() + sources_[i].first_target, targets_.begin() + sources_[i + 1].first_target,
                   targets.begin() + target_starts[place[sources_[i].node]], [&](uint32_t node) { return place[node]; });

  std::vector<uint8_t> file(sizeof(ParaphraseHeader));
  append_section(file, word_starts);
  append_section(file, word_text);
  append_section(file, root_children);
  append_section(file, node_words);
  append_section(file, child_starts);
  append_section(file, target_starts);
  append_section(file, targets);
  ParaphraseHeader header{};
  std::memcpy(header.magic, ParaphraseHeader::expected_magic, sizeof header.magic);
  header.version = ParaphraseHeader::current_version;
  header.byte_order = ParaphraseHeader::native_byte_order;
  std::copy(source_sha256.begin(), source_sha256.end(), header.source_sha256);
  header.checksum = checksum(std::span<const uint8_t>(file).subspan(sizeof header));
  header.file_bytes = file.size();
  header.words = static_cast<uint32_t>(word_order.size());
  header.word_bytes = static_cast<uint32_t>(word_text.size());
  header.nodes = static_cast<uint32_t>(nodes);
  header.targets = static_cast<uint32_t>(targets.size());
  std::memcpy(file.data(), &header, sizeof header);
  return file;
}

}  // namespace spidercap
