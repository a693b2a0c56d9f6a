// The rules of the PTB tokenizer. At a position every rule yields a token length and a reach (the token and the right
// context it demands); the largest reach wins, on equal reach the rule named first. No rule looks left.
// Rules are gated by the first character; far look-ahead is kept in caches, so a text of n units costs O(n).
#pragma once

#include <cstddef>

#include "text/tokenizer_rule.h"
#include "text/tokenizer_text.h"
#include "text/tokenizer_web.h"

namespace spidercap::ptb {

struct Match {
  Rule rule = Rule::anything_else;
  size_t length = 0, reach = 0;
};

class Lexer {
 public:
  explicit Lexer(std::u16string_view units) : text_(units), web_(text_) {}
  Lexer(const Lexer&) = delete;
  Lexer& operator=(const Lexer&) = delete;

  // The winning rule at a position before the end of the text. Positions must not decrease.
  Match match(size_t position);

 private:
  // The parts of the text around a position that several rules share, for a stretch [first, last) of the text.
  struct FileRun {
    size_t first = 0, last = 0;
    size_t dot = 0, end = 0;
  };
  struct HyphenRun {
    size_t first = 0, last = 0;
    size_t end = 0, end_before_period = 0;
  };

  void consider(Rule rule, size_t length, size_t reach);
  void consider(Rule rule, size_t length) { consider(rule, length, length); }

  void match_word_start();
  void match_number_start();
  void match_apostrophe_start();
  void match_ampersand_start();
  void match_punctuation(int32_t unit);
  void match_ascii_punctuation(int32_t unit);
  void match_web();

  void match_word();
  void match_not();
  void match_apostrophe_words();
  void match_letters_with_apostrophe();
  void match_abbreviations();
  void match_acronym();
  void match_special_words();
  void match_capitals();
  void match_slash_compound();
  void match_file_name();
  void match_hyphen_compound();
  void match_thing();
  void match_date();
  void match_number();
  void match_fraction();
  void match_script_digits();
  void match_phone();
  void match_clitic();
  void match_quotes();
  void match_smiley();
  void match_dots();
  void match_handle();

  size_t sentence_start_end(size_t position);
  size_t slash_group_end(size_t position) const;
  size_t thing_part_end(size_t position) const;
  void scan_file_names();
  void scan_hyphen_compound();

  Text text_;
  WebMatcher web_;
  size_t here_ = 0;
  Match best_;
  FileRun file_run_;
  HyphenRun hyphen_run_;
};

}  // namespace spidercap::ptb
