// The rules of the PTB tokenizer by name. Their order is their rank: of rules with the same reach the first wins.
#pragma once

#include <cstdint>

namespace spidercap::ptb {

enum class Rule : uint8_t {
  language_name,  // c++
  assimilation,   // cannot, 'twas: two tokens
  tag,            // <…>
  long_dash,
  ampersand_entity,    // &amp;
  odd_entity,          // &ht;, &#65;
  word_before_clitic,  // dog before 's
  word_before_not,     // do before n't
  word,
  apostrophe_word,  // ma'am, o'clock
  y_apostrophe,     // y' of y'all
  full_url,         // http://…
  likely_url,       // www.…, ….com
  email,
  handle,      // @name, #word
  clitic,      // 's before what is no letter
  not_clitic,  // n't before what is no letter
  date,
  number,
  script_digits,  // superscript or subscript
  fraction,
  fraction_sign,     // ½
  treebank_special,  // -lrb-, pro-, s&ls
  slash_compound,    // and/or
  dollar,            // US$, #
  currency_sign,
  acronym_before_sentence,
  abbreviation_before_number,  // no. 5
  company,                     // Pty. Ltd
  abbreviation_a,
  abbreviation_b,  // or an acronym, with its period
  abbreviation_before_blank,
  acronym_before_white,
  year,  // '05
  file_name,
  word_period,  // sink. before a comma
  phone,
  double_quote,
  delete_character,  // U+007F
  less_than,
  greater_than,
  smiley,
  asian_smiley,
  bracket,
  hyphens,
  ellipsis,
  mark_run,  // @@, ##, __
  stars,
  inner_punctuation,  // , ; :
  question_run,       // ?!
  sentence_end,
  equals,
  slash,
  hyphen_compound_period,  // as word_period
  hyphen_compound,
  thing_period,            // as word_period
  thing,                   // letters and digits joined by hyphens
  joined_capitals_period,  // as word_period
  joined_capitals,         // AT&T
  opening_apostrophe,
  loose_clitic,      // whatever follows
  loose_not_clitic,  // whatever follows
  quotes,
  duck_feet,  // <<, >>
  symbol_sign,
  blanks,
  line_break,
  blank_entity,  // &nbsp;
  anything_else,
};

}  // namespace spidercap::ptb
