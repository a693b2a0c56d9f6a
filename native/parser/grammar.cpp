#include "parser/grammar.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>

#ifdef _WIN32
#define NOMINMAX
#include <windows.h>
#else
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace spidercap {
namespace {

constexpr std::string_view kMagic = "SPCPARSE";
constexpr uint32_t kVersion = 4;
constexpr size_t kNameBytes = 24, kHeaderBytes = 48, kSectionBytes = kNameBytes + 16, kAlignment = 64;
constexpr size_t kShortWord = 3;
constexpr float kImpossible = -1e9F;

template <typename T>
T read_number(const unsigned char* at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return value;
}

[[noreturn]] void broken(const std::string& why) {
  throw std::runtime_error("the parser's model file " + why + "; install the package again");
}

// Length of the UTF-8 character that ends the word, and the number of characters.
std::pair<size_t, size_t> last_character(std::string_view word) {
  size_t characters = 0, last = 0;
  for (size_t i = 0; i < word.size(); ++i)
    if ((static_cast<unsigned char>(word[i]) & 0xC0) != 0x80) {
      ++characters;
      last = i;
    }
  return {word.size() - last, characters};
}

// Whether a letter of the word is a small one, by the first bytes of its characters: Latin, Greek, Cyrillic, Armenian.
bool has_small_letter(std::string_view word) {
  for (size_t i = 0; i < word.size(); ++i) {
    const auto byte = static_cast<unsigned char>(word[i]);
    const auto next = i + 1 < word.size() ? static_cast<unsigned char>(word[i + 1]) : 0U;
    if (byte >= 'a' && byte <= 'z') return true;
    if (byte == 0xC3 && next >= 0x9F && next != 0xB7) return true;                      // U+00DF to U+00FF, not U+00F7
    if ((byte >= 0xC4 && byte <= 0xD5) || (byte == 0xD6 && next <= 0x87)) return true;  // U+0100 to U+0587
    if (byte == 0xE1 && next >= 0xB8) return true;                                      // U+1E00 to U+1FFF
  }
  return false;
}

}  // namespace

#ifdef _WIN32
MappedFile::MappedFile(const std::string& path) {
  const int wide = MultiByteToWideChar(CP_UTF8, 0, path.c_str(), -1, nullptr, 0);
  std::wstring name(static_cast<size_t>(wide), L'\0');
  MultiByteToWideChar(CP_UTF8, 0, path.c_str(), -1, name.data(), wide);
  HANDLE file = CreateFileW(name.c_str(), GENERIC_READ, FILE_SHARE_READ, nullptr, OPEN_EXISTING, 0, nullptr);
  if (file == INVALID_HANDLE_VALUE) broken("cannot be opened: " + path);
  LARGE_INTEGER size{};
  GetFileSizeEx(file, &size);
  HANDLE mapping = CreateFileMappingW(file, nullptr, PAGE_READONLY, 0, 0, nullptr);
  CloseHandle(file);
  if (mapping == nullptr) broken("cannot be mapped: " + path);
  data_ = static_cast<const unsigned char*>(MapViewOfFile(mapping, FILE_MAP_READ, 0, 0, 0));
  CloseHandle(mapping);
  if (data_ == nullptr) broken("cannot be mapped: " + path);
  size_ = static_cast<size_t>(size.QuadPart);
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) UnmapViewOfFile(data_);
}
#else
MappedFile::MappedFile(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY);
  if (file < 0) broken("cannot be opened: " + path);
  struct stat status{};
  if (fstat(file, &status) != 0 || status.st_size == 0) {
    close(file);
    broken("is empty: " + path);
  }
  size_ = static_cast<size_t>(status.st_size);
  void* mapped = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
  close(file);
  if (mapped == MAP_FAILED) broken("cannot be mapped: " + path);
  data_ = static_cast<const unsigned char*>(mapped);
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) munmap(const_cast<unsigned char*>(data_), size_);
}
#endif

Grammar::Grammar(const std::string& path) : file_(path) {
  const auto bytes = file_.bytes();
  if (bytes.size() < kHeaderBytes || std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) != 0)
    broken("is not one: " + path);
  version_ = read_number<uint32_t>(bytes.data() + 8);
  if (version_ != kVersion)
    broken("has version " + std::to_string(version_) + ", expected " + std::to_string(kVersion) + ": " + path);
  const auto count = read_number<uint32_t>(bytes.data() + 12);
  constexpr std::string_view digits = "0123456789abcdef";
  for (size_t i = 16; i < kHeaderBytes; ++i) {
    hash_.push_back(digits[bytes[i] >> 4]);
    hash_.push_back(digits[bytes[i] & 15]);
  }
  if (bytes.size() < kHeaderBytes + count * kSectionBytes) broken("is cut short: " + path);
  for (uint32_t i = 0; i < count; ++i) {
    const unsigned char* entry = bytes.data() + kHeaderBytes + i * kSectionBytes;
    const auto* name = reinterpret_cast<const char*>(entry);
    const auto offset = read_number<uint64_t>(entry + kNameBytes), size = read_number<uint64_t>(entry + kNameBytes + 8);
    if (offset > bytes.size() || size > bytes.size() - offset) broken("is cut short: " + path);
    if (offset % kAlignment != 0) broken("is damaged: " + path);
    const size_t length = static_cast<size_t>(std::find(name, name + kNameBytes, '\0') - name);
    sections_.emplace(std::string_view(name, length), bytes.subspan(offset, size));
  }
  read_counts();
  read_steps();
  read_words();
  read_estimates();
  read_odds();
}

void Grammar::read_counts() {
  const auto counts = section<uint32_t>("counts", 5);
  tags = counts[0], labels = counts[1], openers = counts[2], states = counts[3], root = counts[4];
  if (tags == 0 || labels < tags || openers < labels || states < openers || states > kMostStates || root >= labels)
    broken("has a damaged part, counts");
  label_names = texts("label"), plain_names = texts("plain");
  if (label_names.size() != labels || plain_names.size() != labels) broken("has a damaged part, label_starts");
}

void Grammar::read_steps() {
  step_parent = numbers("step_parent", states);
  step_weight = section<float>("step_weight", step_parent.size());
  pair_left = numbers("pair_left", states), pair_right = numbers("pair_right", openers);
  if (pair_right.size() != pair_left.size()) broken("has a damaged part, pair_right");
  pair_steps = starts("pair_steps", pair_left.size(), step_parent.size());
  unary_parent = numbers("unary_parent", labels);
  unary_weight = section<float>("unary_weight", unary_parent.size());
  unary_steps = starts("unary_steps", labels, unary_parent.size());
}

void Grammar::read_estimates() {
  const size_t tags_and_edge = size_t{tags} + 1;
  tag_frequency = section<float>("tag_frequency", tags);
  tag_follows = section<float>("tag_follows", tags_and_edge * tags_and_edge);
}

void Grammar::read_odds() {
  if (!sections_.contains("odds_units")) return;
  odds_units = section<float>("odds_units", 3);
  odds_embedding = rows("odds_embedding", 3 * kHidden), odds_inner = rows("odds_inner", kHidden);
  odds_shapes = section<int8_t>("odds_shapes", kSpanShapes * kHidden);
  state_vectors = section<int8_t>("state_vectors", states * kHidden);
  state_bias = section<float>("state_bias", states), state_trust = trusts("state_trust", states);
  class_bias = section<float>("class_bias"), class_trust = trusts("class_trust", class_bias.size());
  if (class_bias.size() > kMostClasses) broken("has a damaged part, class_bias");
  class_vectors = section<int8_t>("class_vectors", class_bias.size() * kHidden);
  state_class = numbers("state_class", class_bias.size());
  if (state_class.size() != states - tags) broken("has a damaged part, state_class");
}

void Grammar::read_words() {
  words_ = texts("word"), shapes_ = texts("shape");
  if (shapes_.size() == 0) broken("has a damaged part, shape_starts");
  word_offset_ = section<float>("word_offset", words_.size());
  word_closed_ = section<uint8_t>("word_closed", words_.size());
  entry_tag_ = numbers("entry_tag", tags), entry_weight_ = section<float>("entry_weight", entry_tag_.size());
  word_entries_ = starts("word_entries", words_.size(), entry_tag_.size());
  unseen_weight_ = section<float>("unseen_weight", tags);
  shape_weight_ = section<float>("shape_weight", shapes_.size() * tags);
  for (uint32_t i = 0; i < words_.size(); ++i)
    if (word_ids_.insert(words_[i]) != i) broken("has a damaged part, word_text");
  for (uint32_t i = 0; i < shapes_.size(); ++i)
    if (shape_ids_.insert(shapes_[i]) != i) broken("has a damaged part, shape_text");
}

template <typename T>
std::span<const T> Grammar::section(std::string_view name) const {
  const auto found = sections_.find(name);
  if (found == sections_.end()) broken("lacks the part " + std::string(name));
  const auto bytes = found->second;
  if (bytes.size() % sizeof(T) != 0) broken("has a damaged part, " + std::string(name));
  return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
}

template <typename T>
std::span<const T> Grammar::section(std::string_view name, size_t count) const {
  const auto values = section<T>(name);
  if (values.size() != count) broken("has a damaged part, " + std::string(name));
  return values;
}

// Numbers above 0.
std::span<const float> Grammar::trusts(std::string_view name, size_t count) const {
  const auto found = section<float>(name, count);
  for (const float trust : found)
    if (!(trust > 0)) broken("has a damaged part, " + std::string(name));
  return found;
}

// Rows of so many bytes, whose count is a power of two.
std::span<const int8_t> Grammar::rows(std::string_view name, size_t size) const {
  const auto bytes = section<int8_t>(name);
  if (bytes.size() <= size || bytes.size() % size != 0 || !std::has_single_bit(bytes.size() / size))
    broken("has a damaged part, " + std::string(name));
  return bytes;
}

std::span<const uint16_t> Grammar::numbers(std::string_view name, size_t end) const {
  const auto values = section<uint16_t>(name);
  if (std::any_of(values.begin(), values.end(), [&](uint16_t value) { return value >= end; }))
    broken("has a damaged part, " + std::string(name));
  return values;
}

std::span<const uint32_t> Grammar::starts(std::string_view name, size_t count, size_t end) const {
  const auto values = section<uint32_t>(name, count + 1);
  if (!std::is_sorted(values.begin(), values.end()) || values.back() != end)
    broken("has a damaged part, " + std::string(name));
  return values;
}

TextTable Grammar::texts(std::string_view stem) const {
  const auto text = section<uint8_t>(std::string(stem) + "_text");
  const std::string name = std::string(stem) + "_starts";
  const size_t count = std::max<size_t>(section<uint32_t>(name).size(), 1) - 1;
  return {{reinterpret_cast<const char*>(text.data()), text.size()}, starts(name, count, text.size())};
}

std::string word_shape(std::string_view word) {
  const bool hyphen = word.find('-') != std::string_view::npos;
  const auto holds = [&](auto&& kind) { return std::any_of(word.begin(), word.end(), kind); };
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (holds(is_digit)) {
    const auto letter = [](char c) {
      return static_cast<unsigned char>(c) >= 0x80 || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    };
    if (holds(letter)) return hyphen ? "0-a" : "0a";
    if (hyphen) return "0-";
    return std::all_of(word.begin(), word.end(), is_digit) ? "0" : "0.";
  }
  const std::string shape = hyphen ? "-" : "";
  const auto [bytes, characters] = last_character(word);
  if (characters > kShortWord) return shape + "." + std::string(word.substr(word.size() - bytes));
  return shape + (has_small_letter(word) ? "." : "!");
}

uint32_t Grammar::word_row(std::string_view word) const {
  if (const uint32_t known = word_ids_.find(word); known != StringTable::none) return known;
  const uint32_t shape = shape_ids_.find(word_shape(word));
  // The first row is of all shapes that the reference never saw.
  return static_cast<uint32_t>(words_.size()) + (shape == StringTable::none ? 0 : shape);
}

void Grammar::read_row(uint32_t row, bool any_tag, std::span<float> terms) const {
  if (row >= words_.size()) {
    const auto weights = shape_weight_.subspan((row - words_.size()) * tags, tags);
    std::copy(weights.begin(), weights.end(), terms.begin());
    return;
  }
  const float offset = any_tag || word_closed_[row] == 0 ? word_offset_[row] : kImpossible;
  for (uint32_t tag = 0; tag < tags; ++tag) terms[tag] = unseen_weight_[tag] + offset;
  for (uint32_t e = word_entries_[row]; e < word_entries_[row + 1]; ++e) terms[entry_tag_[e]] = entry_weight_[e];
}

}  // namespace spidercap
