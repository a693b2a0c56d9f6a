#include "text/tokenizer_lists.h"

#include <unordered_map>

namespace spidercap::ptb {
namespace {

constexpr std::string_view list_a =
    "al apr ala ariz assn aug bancorp bhd bldg blvd bros calif co colo conn corp cos ct dak dec ed.d esq est etc ext "
    "feb "
    "fla fri ga inc ind intl jan jr jul jun kan kans ky ltd mar md mich minn mo mon mont neb nev nov oct okla penn "
    "ph.d "
    "plc pte ptes pty ptys ppte pptes ppty pptys rd rt sep sept seq sq sr sys tel tenn thu thurs tue tues univ va vt "
    "wed "
    "wis wisc wyo";
constexpr std::string_view list_a_capital = "az ark del ill la mass miss ore pa tex wash";
constexpr std::string_view list_b =
    "a.k.a adj adm adv alex assoc asst atty attys ave brig capt cf cie cmdr col comdr cpl dept det dr drs elec ens ft "
    "gen gov govs hon insp invt jos lieut lt maj messrs mfg mlle mme mr mrs ms msgr mt mtg natl pfc ph pres prof profs "
    "pvt rep reps rev sen sens sfc sgt spc st ste supt supts treas vs wm";
constexpr std::string_view list_b_capital = "miss";
constexpr std::string_view list_before_number = "ca fig figs prop no nos art bldg pp op";
constexpr std::string_view list_starters =
    "a about according additionally after an as at but earlier he her here however if in it last many more mr. ms. now "
    "once one other our she since so some such that the their then there these they this we what when while yet you";
constexpr std::string_view list_extensions =
    "bat bmp c class cgi cpp dll doc docx exe gif gz h htm html jar java jpeg jpg mov mp3 pdf php pl png ppt ps py sql "
    "tar txt wav x xml zip";

using KindMap = std::unordered_map<std::string_view, uint8_t>;

void add_list(KindMap& kinds, std::string_view list, uint8_t kind) {
  while (!list.empty()) {
    const size_t end = list.find(' ');
    kinds[list.substr(0, end)] |= kind;
    list.remove_prefix(end == std::string_view::npos ? list.size() : end + 1);
  }
}

KindMap collect_lists() {
  KindMap kinds;
  add_list(kinds, list_a, abbreviation_a);
  add_list(kinds, list_a_capital, abbreviation_a_capital);
  add_list(kinds, list_b, abbreviation_b);
  add_list(kinds, list_b_capital, abbreviation_b_capital);
  add_list(kinds, list_before_number, before_number);
  add_list(kinds, list_starters, sentence_starter);
  add_list(kinds, list_extensions, file_extension);
  return kinds;
}

}  // namespace

uint8_t word_kinds(std::string_view lower) {
  static const KindMap kinds = collect_lists();
  if (lower.size() > longest_listed_word) return 0;
  const auto found = kinds.find(lower);
  return found == kinds.end() ? 0 : found->second;
}

bool may_keep_period(std::string_view lower) {
  constexpr size_t longest_abbreviation = 7;
  if (lower.size() <= 1) return true;
  if (lower.size() > longest_abbreviation) return false;
  return (word_kinds(lower) & ~(sentence_starter | file_extension)) != 0;
}

size_t assimilation_split(std::string_view lower) {
  if (lower.size() == 5)
    return lower == "gonna" || lower == "gotta" || lower == "lemme" || lower == "gimme" || lower == "wanna" ? 3 : 0;
  return lower == "cannot" ? 3 : 0;
}

}  // namespace spidercap::ptb
