#include "parser/parse_captions.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>

#include "core/fork_join.h"
#include "core/string_table.h"
#include "parser/dependencies.h"
#include "text/tokenizer_lists.h"

namespace spidercap {
namespace {

constexpr size_t captions_per_block = 128;

// A grammar may name tags that SPICE has no rule for: they count as foreign words.
std::vector<Tag> tags_by_label(const Grammar& grammar) {
  std::vector<Tag> tags;
  for (uint32_t label = 0; label < grammar.tags; ++label)
    tags.push_back(tag_named(grammar.plain_names[label]).value_or(Tag::FW));
  return tags;
}

std::vector<std::string_view> split_at_blanks(std::string_view text) {
  std::vector<std::string_view> words;
  for (size_t at = 0; at < text.size();) {
    const size_t begin = text.find_first_not_of(' ', at);
    if (begin == std::string_view::npos) break;
    const size_t end = std::min(text.find(' ', begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    at = end;
  }
  return words;
}

// One letter, or several with periods between them.
bool is_acronym(std::string_view word) {
  for (size_t i = 0; i < word.size(); ++i)
    if (i % 2 == 0 ? word[i] < 'a' || word[i] > 'z' : word[i] != '.') return false;
  return word.size() % 2 == 1;
}

void split_last_period(std::vector<std::string_view>& words) {
  const std::string_view last = words.back(), bare = last.substr(0, last.size() - 1);
  const uint8_t kinds = ptb::word_kinds(bare);
  if (is_acronym(bare) || (kinds & ptb::abbreviation_b) != 0) return;
  if ((kinds & ptb::abbreviation_a) == 0) words.back() = bare;
  words.push_back(last.substr(bare.size()));
}

// "." alone, or exclamation and question marks: the sentence is over. The tokenizer of captions leaves "!!" and "?!".
bool ends_sentence(std::string_view word) { return word == "." || word.find_first_not_of("!?") == word.npos; }

}  // namespace

std::vector<std::string_view> sentence_words(std::string_view caption) {
  std::vector<std::string_view> words = split_at_blanks(caption);
  if (!words.empty() && words.back().size() > 1 && words.back().back() == '.') split_last_period(words);
  return words;
}

// What one thread parses with, and the parses of its block.
struct ParserPool::BlockParser {
  BlockParser(const SearchTables& tables, const Limits& limits)
      : parser(tables, limits), converter(tables.grammar), tag_of(tags_by_label(tables.grammar)) {}

  void parse(std::string_view caption, ParsedCaptions& parses) {
    parses.start_caption();
    const std::vector<std::string_view> words = sentence_words(caption);
    for (auto begin = words.begin(); begin != words.end();) {
      const auto end = std::find_if(begin, words.end(), ends_sentence), next = end == words.end() ? end : end + 1;
      parse_sentence({begin, next}, parses);
      begin = next;
    }
  }

  void parse_sentence(std::span<const std::string_view> words, ParsedCaptions& parses) {
    const Tree& tree = parser.parse(words);
    converter.convert(tree, words, heads, labels);
    tags.assign(words.size(), Tag::FW);
    for (const Node& node : tree.nodes)
      if (node.label < tag_of.size()) tags[node.begin] = tag_of[node.label];
    parses.add_sentence({words, tags, heads, labels});
  }

  Parser parser;
  DependencyConverter converter;
  std::vector<Tag> tag_of;
  std::vector<int32_t> heads;
  std::vector<Tag> tags;
  std::vector<Label> labels;
};

ParserPool::ParserPool(const SearchTables& tables, const Limits& limits) : tables_(tables), limits_(limits) {}

ParserPool::~ParserPool() = default;

std::unique_ptr<ParserPool::BlockParser> ParserPool::take() {
  {
    const std::lock_guard guard(lock_);
    if (!idle_.empty()) {
      auto parser = std::move(idle_.back());
      idle_.pop_back();
      return parser;
    }
  }
  return std::make_unique<BlockParser>(tables_, limits_);
}

void ParserPool::give_back(std::unique_ptr<BlockParser> parser) {
  const std::lock_guard guard(lock_);
  idle_.push_back(std::move(parser));
}

ParsedCaptions ParserPool::parse(std::span<const std::string_view> captions, size_t threads) {
  StringTable distinct;
  std::vector<uint32_t> numbers;
  for (const std::string_view caption : captions) numbers.push_back(distinct.insert(caption));
  std::vector<ParsedCaptions> blocks((distinct.size() + captions_per_block - 1) / captions_per_block);
  fork_join(distinct.size(), threads, captions_per_block, [&](size_t first, size_t last) {
    auto parser = take();
    for (size_t i = first; i < last; ++i)
      parser->parse(distinct[static_cast<uint32_t>(i)], blocks[i / captions_per_block]);
    give_back(std::move(parser));
  });
  ParsedCaptions all;
  std::vector<std::string_view> words;
  for (const uint32_t number : numbers) {
    all.start_caption();
    blocks[number / captions_per_block].for_sentences(
        number % captions_per_block, words, [&](const ParsedSentence& sentence) { all.add_sentence(sentence); });
  }
  return all;
}

}  // namespace spidercap
