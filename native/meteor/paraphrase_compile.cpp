#include "meteor/paraphrase_compile.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <span>
#include <stdexcept>
#include <utility>

#include "core/checksum.h"
#include "meteor/paraphrase.h"

namespace spidercap {
namespace {

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

ParaphraseCompiler::ParaphraseCompiler() : parents_{0}, node_words_{0}, depths_{0} {}

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

uint32_t ParaphraseCompiler::child(uint32_t parent, uint32_t word) {
  const uint32_t node = nodes_.insert(parent, word).id;
  if (node < parents_.size()) return node;
  if (node >= most_nodes) malformed(lines_, "too many different phrases");
  parents_.push_back(parent);
  node_words_.push_back(static_cast<uint16_t>(word));
  depths_.push_back(static_cast<uint8_t>(std::min(depths_[parent] + 1, 255)));
  return node;
}

// Words in bytewise order.
ParaphraseCompiler::Numbering ParaphraseCompiler::number_words() const {
  Numbering words{std::vector<uint32_t>(words_.size()), std::vector<uint32_t>(words_.size())};
  std::iota(words.order.begin(), words.order.end(), 0u);
  std::sort(words.order.begin(), words.order.end(), [&](uint32_t a, uint32_t b) { return words_[a] < words_[b]; });
  for (uint32_t i = 0; i < words.order.size(); ++i) words.place[words.order[i]] = i;
  return words;
}

// Nodes by depth, place of the parent, place of the word.
ParaphraseCompiler::Numbering ParaphraseCompiler::number_nodes(const Numbering& words) const {
  const size_t count = parents_.size();
  Numbering nodes{std::vector<uint32_t>(count), std::vector<uint32_t>(count)};
  std::iota(nodes.order.begin(), nodes.order.end(), 0u);
  std::stable_sort(nodes.order.begin(), nodes.order.end(),
                   [&](uint32_t a, uint32_t b) { return depths_[a] < depths_[b]; });
  std::vector<std::pair<uint64_t, uint32_t>> level;
  for (size_t start = 1; start < count; start += level.size()) {
    level.clear();
    const uint8_t depth = depths_[nodes.order[start]];
    for (size_t i = start; i < count && depths_[nodes.order[i]] == depth; ++i) {
      const uint32_t node = nodes.order[i];
      level.emplace_back((uint64_t{nodes.place[parents_[node]]} << 16) | words.place[node_words_[node]], node);
    }
    std::sort(level.begin(), level.end());
    for (size_t i = 0; i < level.size(); ++i) {
      nodes.order[start + i] = level[i].second;
      nodes.place[level[i].second] = static_cast<uint32_t>(start + i);
    }
  }
  return nodes;
}

void ParaphraseCompiler::append_words(std::vector<uint8_t>& file, const Numbering& words) const {
  std::vector<uint32_t> starts{0};
  std::vector<char> text;
  for (const uint32_t word : words.order) {
    text.insert(text.end(), words_[word].begin(), words_[word].end());
    starts.push_back(static_cast<uint32_t>(text.size()));
  }
  append_section(file, starts);
  append_section(file, text);
}

void ParaphraseCompiler::append_tree(std::vector<uint8_t>& file, const Numbering& words, const Numbering& nodes) const {
  const size_t count = nodes.order.size();
  std::vector<uint16_t> node_words(count);
  std::vector<uint32_t> root_children(words.order.size(), ParaphraseIndex::none);
  std::vector<uint32_t> child_starts(count + 1, 0);
  child_starts[0] = 1;  // node 0 is nobody's child
  for (uint32_t i = 1; i < count; ++i) {
    const uint32_t node = nodes.order[i];
    node_words[i] = static_cast<uint16_t>(words.place[node_words_[node]]);
    if (parents_[node] == 0) root_children[node_words[i]] = i;
    ++child_starts[nodes.place[parents_[node]] + 1];
  }
  accumulate(child_starts);
  append_section(file, root_children);
  append_section(file, node_words);
  append_section(file, child_starts);
}

void ParaphraseCompiler::append_targets(std::vector<uint8_t>& file, const Numbering& nodes) const {
  const auto share = [&](size_t i) {
    const size_t end = i + 1 < sources_.size() ? sources_[i + 1].first_target : targets_.size();
    return std::span(targets_).subspan(sources_[i].first_target, end - sources_[i].first_target);
  };
  std::vector<uint32_t> starts(nodes.order.size() + 1, 0);
  for (size_t i = 0; i < sources_.size(); ++i)
    starts[nodes.place[sources_[i].node] + 1] = static_cast<uint32_t>(share(i).size());
  accumulate(starts);
  std::vector<uint32_t> targets(targets_.size());
  for (size_t i = 0; i < sources_.size(); ++i) {
    size_t to = starts[nodes.place[sources_[i].node]];
    for (const uint32_t target : share(i)) targets[to++] = nodes.place[target];
  }
  append_section(file, starts);
  append_section(file, targets);
}

std::vector<uint8_t> ParaphraseCompiler::finish(const std::array<uint8_t, 32>& source_sha256) {
  if (!unfinished_line_.empty()) line(std::exchange(unfinished_line_, {}));
  if (lines_ % 3 != 0) malformed(lines_, "the table ends within a record of three lines");
  nodes_ = {};
  const Numbering words = number_words();
  const Numbering nodes = number_nodes(words);
  std::vector<uint8_t> file(sizeof(ParaphraseHeader));
  append_words(file, words);
  append_tree(file, words, nodes);
  append_targets(file, nodes);

  ParaphraseHeader header{};
  std::memcpy(header.magic, ParaphraseHeader::expected_magic, sizeof header.magic);
  header.version = ParaphraseHeader::current_version;
  header.byte_order = ParaphraseHeader::native_byte_order;
  std::copy(source_sha256.begin(), source_sha256.end(), header.source_sha256);
  header.checksum = checksum(std::span<const uint8_t>(file).subspan(sizeof header));
  header.file_bytes = file.size();
  header.words = static_cast<uint32_t>(words.order.size());
  header.word_bytes = static_cast<uint32_t>(words_.text_bytes());
  header.nodes = static_cast<uint32_t>(nodes.order.size());
  header.targets = static_cast<uint32_t>(targets_.size());
  std::memcpy(file.data(), &header, sizeof header);
  return file;
}

}  // namespace spidercap
