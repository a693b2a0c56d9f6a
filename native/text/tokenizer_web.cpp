#include "text/tokenizer_web.h"

#include <algorithm>
#include <string_view>

namespace spidercap::ptb {
namespace {

bool contains(std::u16string_view set, int32_t unit) {
  return unit >= 0 && set.find(static_cast<char16_t>(unit)) != std::u16string_view::npos;
}

bool is_url_unit(int32_t unit) { return unit >= 0 && !contains(u" \t\n\f\r\"<>|(){}", unit); }
bool is_path_unit(int32_t unit) { return unit >= 0 && !contains(u" \t\n\f\r\"<>|()", unit); }
bool is_email_unit(int32_t unit) { return is_url_unit(unit) && unit != 0x00A0; }
bool is_www_unit(int32_t unit) { return is_url_unit(unit) && !contains(u".!?,", unit); }
bool is_domain_unit(int32_t unit) {
  return is_url_unit(unit) && !contains(u"'`.!?$", unit) && !(unit >= ',' && unit <= '_');
}

}  // namespace

size_t WebMatcher::name_end(size_t position) const {
  if (!text_.is(position, ascii_letter)) return 0;
  while (text_.is(position, ascii_alnum) || text_.is_one_of(position, u"_:.-")) ++position;
  return position;
}

size_t WebMatcher::tag_end(size_t position) {
  if (text_.at(position) != '<') return 0;
  const int32_t next = text_.at(position + 1);
  if (next == '!' || next == '?') return declaration_end(position);
  if (next != '/') return element_end(position);
  size_t end = name_end(position + 2);
  if (end == 0) return 0;
  end = text_.run_end_of(end, ' ');
  return text_.at(end) == '>' ? end + 1 : 0;
}

size_t WebMatcher::declaration_end(size_t position) {
  position += 2;
  if (!text_.is(position, ascii_letter) && text_.at(position) != '-') return 0;
  ++position;
  if (position < declaration_first_ || position > declaration_stop_ || declaration_stop_ == 0) {
    declaration_first_ = declaration_stop_ = position;
    while (declaration_stop_ < text_.size() && !text_.is_one_of(declaration_stop_, u">\r\n")) ++declaration_stop_;
  }
  return text_.at(declaration_stop_) == '>' ? declaration_stop_ + 1 : 0;
}

bool WebMatcher::reaches_value(size_t position, size_t& found) const {
  found = 0;
  while (true) {
    const size_t behind_blanks = text_.run_end_of(position, ' ');
    const size_t name = behind_blanks > position ? name_end(behind_blanks) : 0;
    if (name == 0) {
      size_t end = behind_blanks;
      if (text_.at(end) == '/') end = text_.run_end_of(end + 1, ' ');
      if (text_.at(end) == '>') found = end + 1;
      return false;
    }
    const size_t equals = text_.run_end_of(name, ' ');
    position = name;
    if (text_.at(equals) != '=') continue;
    found = text_.run_end_of(equals + 1, ' ');
    if (text_.is_one_of(found, u"'\"")) return true;
    found = 0;
    return false;
  }
}

// The rest of a tag depends only on where a value opens, so the end found from each opening quote is kept: a quote
// that many tag-like starts run into is followed once.
size_t WebMatcher::element_end(size_t position) {
  position = name_end(position + 1);
  if (position == 0) return 0;
  size_t end = 0;
  open_values_.clear();
  while (reaches_value(position, end)) {
    const size_t opening = end;
    if (const auto known = tag_from_value_.find(opening); known != tag_from_value_.end()) {
      end = known->second;
      break;
    }
    open_values_.push_back(opening);
    position = opening + 1;
    while (position < text_.size() && text_.at(position) != text_.at(opening)) ++position;
    ++position;
  }
  for (size_t opening : open_values_) tag_from_value_[opening] = end;
  return end;
}

size_t WebMatcher::full_url_end(size_t position) const {
  size_t start = text_.literal_at(position, "http://");
  if (start == 0) start = text_.literal_at(position, "https://");
  if (start == 0) return 0;
  start += position;
  size_t end = start;
  while (is_url_unit(text_.at(end))) ++end;
  while (end > start && text_.is_one_of(end - 1, u".!?,-")) --end;
  return end >= start + 2 ? end : 0;
}

// Where a path that starts at a slash in the same stretch ends, if it has two characters or more.
size_t WebMatcher::path_end(size_t position) {
  if (position < path_first_ || position >= path_last_) {
    path_first_ = path_last_ = position;
    while (is_path_unit(text_.at(path_last_))) ++path_last_;
    path_end_ = path_last_;
    while (path_end_ > path_first_ && text_.is_one_of(path_end_ - 1, u".!?{},-")) --path_end_;
  }
  return path_end_ >= position + 3 ? path_end_ : 0;
}

void WebMatcher::note_host(HostRun& run, size_t dot, size_t end) {
  run.host_dot = dot;
  run.host_end = end;
  if (text_.at(end) != '/' || path_end(end) == 0) return;
  run.path_dot = dot;
  run.path_end = path_end(end);
}

void WebMatcher::scan_www_hosts(size_t position) {
  www_run_ = {position, position};
  for (size_t i = position;; ++i) {
    www_run_.last = i;
    if (is_www_unit(text_.at(i))) continue;
    if (text_.at(i) != '.' || i == position || text_.at(i - 1) == '.') return;
    size_t end = i + 1;
    while (end < i + 5 && text_.is(end, ascii_letter)) ++end;
    if (end >= i + 3) note_host(www_run_, i, end);
  }
}

void WebMatcher::scan_domain_hosts(size_t position) {
  domain_run_ = {position, position};
  for (size_t i = position;; ++i) {
    domain_run_.last = i;
    if (is_domain_unit(text_.at(i))) continue;
    if (text_.at(i) != '.' || i == position || text_.at(i - 1) == '.') return;
    for (std::string_view name : {"com", "net", "org", "edu"})
      if (text_.literal_at(i + 1, name)) note_host(domain_run_, i, i + 4);
  }
}

size_t WebMatcher::host_end(size_t position) {
  size_t end = 0;
  const auto take = [&](const HostRun& run, size_t start) {
    if (run.host_dot > start) end = std::max(end, run.host_end);
    if (run.path_dot > start) end = std::max(end, run.path_end);
  };
  if (text_.literal_at(position, "www.")) {
    const size_t start = position + 4;
    if (start < www_run_.first || start >= www_run_.last) scan_www_hosts(start);
    if (text_.at(start) != '.') take(www_run_, start);
  }
  if (is_domain_unit(text_.at(position))) {
    if (position < domain_run_.first || position >= domain_run_.last) scan_domain_hosts(position);
    take(domain_run_, position);
  }
  return end;
}

void WebMatcher::scan_email(size_t position) {
  email_run_ = {position, position};
  size_t& last = email_run_.last;
  while (is_email_unit(text_.at(last))) ++last;
  // The last @ with something behind it has the farthest domain: from there to two dots in a row or the end.
  for (size_t i = last; i-- > position;) {
    if (text_.at(i) != '@' || i + 1 == last || text_.at(i + 1) == '.') continue;
    email_run_.at_sign = i;
    size_t end = i + 1;
    while (end < last && !(text_.at(end) == '.' && text_.at(end + 1) == '.')) ++end;
    if (text_.at(end - 1) == '.') --end;
    email_run_.end = end;
    return;
  }
}

size_t WebMatcher::email_end(size_t position) {
  position += text_.at(position) == '<' ? 1 : text_.literal_at(position, "&lt;");
  if (!text_.is(position, ascii_alnum)) return 0;
  if (position < email_run_.first || position >= email_run_.last) scan_email(position);
  if (email_run_.at_sign <= position) return 0;
  return text_.at(email_run_.end) == '>' ? email_run_.end + 1 : email_run_.end;
}

}  // namespace spidercap::ptb
