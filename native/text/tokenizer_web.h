// Tags, URLs and e-mail addresses of the PTB tokenizer. All of them may look far ahead and fail, so each keeps what it
// saw: a text of n units costs O(n) in all, however many places the matches are tried at. Positions asked for must not
// decrease. Every member returns the end of the longest match from a position, or 0.
#pragma once

#include <cstddef>
#include <unordered_map>
#include <vector>

#include "text/tokenizer_text.h"

namespace spidercap::ptb {

class WebMatcher {
 public:
  explicit WebMatcher(const Text& text) : text_(text) {}

  // <!...>, </name> or <name attribute='value' ...>
  size_t tag_end(size_t position);
  // http:// or https:// and a run without blanks, brackets and quotes, not ending in punctuation.
  size_t full_url_end(size_t position) const;
  // www.segment.…xx or segment.….com, with or without a path.
  size_t host_end(size_t position);
  // name@domain, with or without angle brackets.
  size_t email_end(size_t position);

 private:
  // The last host name in a stretch [first, last) of text: the dot before its top-level part and its end; and the
  // same for the last host name that a path follows.
  struct HostRun {
    size_t first = 0, last = 0;
    size_t host_dot = 0, host_end = 0, path_dot = 0, path_end = 0;
  };
  struct EmailRun {
    size_t first = 0, last = 0;
    size_t at_sign = 0, end = 0;
  };

  size_t name_end(size_t position) const;
  size_t declaration_end(size_t position);
  size_t element_end(size_t position);
  // From behind an element's name or attribute: the end of the tag (0 none), or the opening quote of the next value.
  bool reaches_value(size_t position, size_t& found) const;
  size_t path_end(size_t position);
  void scan_www_hosts(size_t position);
  void scan_domain_hosts(size_t position);
  void note_host(HostRun& run, size_t dot, size_t end);
  void scan_email(size_t position);

  const Text& text_;
  size_t declaration_first_ = 0, declaration_stop_ = 0;
  std::unordered_map<size_t, size_t> tag_from_value_;
  std::vector<size_t> open_values_;
  size_t path_first_ = 0, path_last_ = 0, path_end_ = 0;
  HostRun www_run_, domain_run_;
  EmailRun email_run_;
};

}  // namespace spidercap::ptb
