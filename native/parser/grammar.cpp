#include "parser/grammar.h"

#include <algorithm>
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
constexpr uint32_t kVersion = 2;
constexpr size_t kNameBytes = 24, kHeaderBytes = 48, kSectionBytes = kNameBytes + 16;
constexpr size_t kShortWord = 3;

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
    const size_t length = static_cast<size_t>(std::find(name, name + kNameBytes, '\0') - name);
    sections_.emplace(std::string_view(name, length), bytes.subspan(offset, size));
  }
  const auto counts = section<uint32_t>("counts");
  tags = counts[0], labels = counts[1], openers = counts[2], states = counts[3], root = counts[4];
  label_names = texts("label"), plain_names = texts("plain");
  pair_left = section<uint16_t>("pair_left"), pair_right = section<uint16_t>("pair_right");
  pair_steps = section<uint32_t>("pair_steps");
  step_parent = section<uint16_t>("step_parent"), step_weight = section<float>("step_weight");
  unary_steps = section<uint32_t>("unary_steps");
  unary_parent = section<uint16_t>("unary_parent"), unary_weight = section<float>("unary_weight");
  usual_starts = section<uint32_t>("usual_starts"), usual_tags = section<uint16_t>("usual_tags");
  tag_frequency = section<float>("tag_frequency"), tag_follows = section<float>("tag_follows");
  after_share = section<float>("after_share"), before_share = section<float>("before_share");
  active_share = section<float>("active_share"), active_phrase = section<uint16_t>("active_phrase");
  if (has_section("filter_weights"))
    filter_weights = section<int8_t>("filter_weights"), filter_scales = section<float>("filter_scales");
  if (has_section("span_embedding")) {
    span_embedding = section<int8_t>("span_embedding"), span_shapes = section<int8_t>("span_shapes");
    span_weights = section<int8_t>("span_weights"), span_unit = section<float>("span_unit");
    span_bias = section<float>("span_bias"), span_trust = section<float>("span_trust");
  }
  read_words();
}

void Grammar::read_words() {
  words_ = texts("word"), shapes_ = texts("shape");
  word_offset_ = section<float>("word_offset");
  word_entries_ = section<uint32_t>("word_entries");
  entry_tag_ = section<uint16_t>("entry_tag"), entry_weight_ = section<float>("entry_weight");
  unseen_weight_ = section<float>("unseen_weight"), shape_weight_ = section<float>("shape_weight");
  word_ids_.reserve(words_.size());
  for (uint32_t i = 0; i < words_.size(); ++i) word_ids_.emplace(words_[i], i);
  for (uint32_t i = 0; i < shapes_.size(); ++i) shape_ids_.emplace(shapes_[i], i);
}

template <typename T>
std::span<const T> Grammar::section(std::string_view name) const {
  const auto found = sections_.find(name);
  if (found == sections_.end()) broken("lacks the part " + std::string(name));
  return {reinterpret_cast<const T*>(found->second.data()), found->second.size() / sizeof(T)};
}

template std::span<const int8_t> Grammar::section<int8_t>(std::string_view) const;
template std::span<const uint8_t> Grammar::section<uint8_t>(std::string_view) const;
template std::span<const uint16_t> Grammar::section<uint16_t>(std::string_view) const;
template std::span<const int16_t> Grammar::section<int16_t>(std::string_view) const;
template std::span<const uint32_t> Grammar::section<uint32_t>(std::string_view) const;
template std::span<const uint64_t> Grammar::section<uint64_t>(std::string_view) const;
template std::span<const float> Grammar::section<float>(std::string_view) const;

TextTable Grammar::texts(std::string_view stem) const {
  const auto text = section<uint8_t>(std::string(stem) + "_text");
  return {{reinterpret_cast<const char*>(text.data()), text.size()}, section<uint32_t>(std::string(stem) + "_starts")};
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
  if (const auto known = word_ids_.find(word); known != word_ids_.end()) return known->second;
  const auto shape = shape_ids_.find(word_shape(word));
  // The first row is of all shapes that the reference never saw.
  return static_cast<uint32_t>(words_.size()) + (shape == shape_ids_.end() ? 0 : shape->second);
}

void Grammar::read_row(uint32_t row, std::span<float> terms) const {
  if (row >= words_.size()) {
    const auto weights = shape_weight_.subspan((row - words_.size()) * tags, tags);
    std::copy(weights.begin(), weights.end(), terms.begin());
    return;
  }
  for (uint32_t tag = 0; tag < tags; ++tag) terms[tag] = unseen_weight_[tag] + word_offset_[row];
  for (uint32_t e = word_entries_[row]; e < word_entries_[row + 1]; ++e) terms[entry_tag_[e]] = entry_weight_[e];
}

}  // namespace spidercap
