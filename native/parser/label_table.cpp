#include <array>

#include "parser/label_rules.h"

namespace spidercap {
namespace {

using enum Category;

struct Row {
  Category phrase;
  bool right;  // of the head child
  Label label;
  CategorySet children;
};
constexpr bool left = false, right = true;

// clang-format off
constexpr Row rows[] = {
    {ADJP, left, Label::advmod, {RB, RBR, ADVP, RBS, WHADVP}},
    {ADJP, left, Label::amod, {JJ}},
    {ADJP, left, Label::cc, {CC}},
    {ADJP, left, Label::compound, {CD, number_sign}},
    {ADJP, left, Label::det, {DT}},
    {ADJP, left, Label::nmod_npmod, {NP, NN}},
    {ADJP, right, Label::advmod, {RB, ADVP}},
    {ADJP, right, Label::ccomp, {SBAR}},
    {ADJP, right, Label::compound, {CD}},
    {ADJP, right, Label::compound_prt, {RP}},
    {ADJP, right, Label::nmod, {PP}},
    {ADJP, right, Label::nmod_tmod, {NP_TMP}},
    {ADJP, right, Label::xcomp, {S}},
    {ADVP, left, Label::advmod, {RB, RBR, ADVP, JJ, RBS}},
    {ADVP, left, Label::case_, {IN}},
    {ADVP, left, Label::cc, {CC}},
    {ADVP, left, Label::compound, {FW}},
    {ADVP, left, Label::nmod, {PP}},
    {ADVP, left, Label::nmod_npmod, {NP}},
    {ADVP, right, Label::advcl, {SBAR}},
    {ADVP, right, Label::advmod, {ADVP}},
    {ADVP, right, Label::case_, {IN}},
    {ADVP, right, Label::mwe, {RB, JJS}},
    {ADVP, right, Label::nmod, {PP}},
    {ADVP, right, Label::nmod_npmod, {NP}},
    {CONJP, left, Label::cc, {CC}},
    {CONJP, left, Label::neg, {RB}},
    {CONJP, right, Label::mwe, {IN, RB}},
    {FRAG, left, Label::amod, {ADJP}},
    {FRAG, left, Label::cc, {CC, CONJP}},
    {FRAG, left, Label::compound, {NP}},
    {FRAG, left, Label::discourse, {INTJ}},
    {FRAG, left, Label::nmod, {PP}},
    {FRAG, right, Label::nmod, {PP}},
    {FRAG, right, Label::parataxis, {FRAG}},
    {INTJ, right, Label::mwe, {VBZ}},
    {NAC, right, Label::nmod, {PP}},
    {NP, left, Label::advmod, {RB, ADVP, RBR, RBS}},
    {NP, left, Label::amod, {JJ, ADJP, VBG, JJR, VBN, JJS, IN, VBD}},
    {NP, left, Label::case_, {POS}},
    {NP, left, Label::cc, {CC}},
    {NP, left, Label::compound, {NN, NNS, NNP, UCP, FW, NNPS}},
    {NP, left, Label::det, {DT, WP, WDT}},
    {NP, left, Label::det_predet, {PDT}},
    {NP, left, Label::discourse, {INTJ}},
    {NP, left, Label::nmod, {PP}},
    {NP, left, Label::nmod_poss, {PRPS, NP, WPS}},
    {NP, left, Label::nummod, {CD, QP}},
    {NP, right, Label::acl, {VP, S}},
    {NP, right, Label::acl_relcl, {SBAR, RRC}},
    {NP, right, Label::advmod, {ADVP, RB}},
    {NP, right, Label::amod, {ADJP, VBG, JJ, IN, VBN, JJS}},
    {NP, right, Label::case_, {POS}},
    {NP, right, Label::compound, {FW}},
    {NP, right, Label::nmod, {PP, WHPP}},
    {NP, right, Label::nmod_tmod, {NP_TMP}},
    {NP, right, Label::nummod, {CD, QP}},
    {NP_TMP, left, Label::advmod, {ADVP, RB, RBR}},
    {NP_TMP, left, Label::amod, {JJ, ADJP}},
    {NP_TMP, left, Label::compound, {NN}},
    {NP_TMP, left, Label::det, {DT}},
    {NP_TMP, left, Label::nummod, {CD, QP}},
    {NP_TMP, right, Label::acl, {VP}},
    {NP_TMP, right, Label::acl_relcl, {SBAR}},
    {NP_TMP, right, Label::advmod, {ADVP, RB}},
    {NP_TMP, right, Label::amod, {ADJP, IN}},
    {NP_TMP, right, Label::nmod, {PP}},
    {NP_TMP, right, Label::nummod, {CD}},
    {NX, left, Label::amod, {JJ, ADJP, VBN}},
    {NX, left, Label::compound, {NN, NNP, NNS}},
    {NX, left, Label::det, {DT}},
    {NX, left, Label::nummod, {CD}},
    {NX, right, Label::amod, {ADJP}},
    {NX, right, Label::nmod, {PP}},
    {PP, left, Label::advmod, {ADVP, RB, RBR}},
    {PP, left, Label::case_, {IN, TO, VBN, VBG, JJ, CC}},
    {PP, left, Label::cc, {CONJP}},
    {PP, left, Label::nmod, {PP}},
    {PP, right, Label::advmod, {ADVP}},
    {PP, right, Label::case_, {IN, VBN, JJ}},
    {PP, right, Label::nmod, {PP}},
    {PP, right, Label::nmod_tmod, {NP_TMP}},
    {PRN, left, Label::cc, {CC}},
    {PRN, left, Label::nsubj, {NP}},
    {PRN, right, Label::nmod, {PP}},
    {QP, left, Label::advmod, {DT, RB, JJR, JJ, IN, PDT, RBR}},
    {QP, left, Label::cc, {CC}},
    {QP, left, Label::compound, {CD, number_sign}},
    {QP, left, Label::nmod_npmod, {JJS}},
    {QP, right, Label::advmod, {JJR, IN, JJ}},
    {QP, right, Label::nummod, {CD}},
    {RRC, left, Label::advmod, {ADVP}},
    {RRC, left, Label::nmod, {PP}},
    {RRC, right, Label::advmod, {ADVP}},
    {S, left, Label::advcl, {SBAR}},
    {S, left, Label::advmod, {ADVP, RB}},
    {S, left, Label::cc, {CC}},
    {S, left, Label::csubj, {S}},
    {S, left, Label::discourse, {INTJ}},
    {S, left, Label::nmod, {PP}},
    {S, left, Label::nmod_tmod, {NP_TMP}},
    {S, left, Label::nsubj, {NP}},
    {S, left, Label::parataxis, {PRN}},
    {S, right, Label::acl_relcl, {VP}},
    {S, right, Label::advmod, {ADVP}},
    {S, right, Label::parataxis, {S}},
    {SBAR, left, Label::advmod, {WHADVP, ADVP, RB}},
    {SBAR, left, Label::cc, {CC}},
    {SBAR, left, Label::mark, {IN}},
    {SBAR, left, Label::nmod, {WHPP}},
    {SBAR, left, Label::nsubj, {WHNP}},
    {SBARQ, left, Label::advmod, {WHADVP}},
    {SBARQ, left, Label::nmod, {WHPP}},
    {SBARQ, left, Label::nsubj, {WHNP}},
    {SBARQ, right, Label::advmod, {ADVP}},
    {SBARQ, right, Label::cop, {SQ}},
    {SINV, left, Label::advmod, {ADVP}},
    {SINV, left, Label::aux, {VBZ, MD}},
    {SINV, left, Label::auxpass, {VBP}},
    {SINV, left, Label::cop, {VP}},
    {SINV, left, Label::nmod, {PP}},
    {SINV, left, Label::nsubj, {NP}},
    {SINV, right, Label::nmod, {PP}},
    {SINV, right, Label::nsubj, {NP}},
    {SQ, left, Label::advmod, {ADVP}},
    {SQ, left, Label::aux, {VBZ, VBP, VBD, MD}},
    {SQ, left, Label::nsubj, {NP}},
    {SQ, right, Label::nmod, {PP}},
    {SQ, right, Label::nsubj, {NP}},
    {UCP, right, Label::advmod, {ADVP}},
    {UCP, right, Label::nmod, {PP}},
    {VP, left, Label::advmod, {ADVP, RBR}},
    {VP, left, Label::aux, {VBZ, VBP, MD, VBD}},
    {VP, left, Label::auxpass, {VBG, VBN}},
    {VP, left, Label::cc, {CC}},
    {VP, left, Label::compound_prt, {PRT}},
    {VP, left, Label::dobj, {NP}},
    {VP, left, Label::mark, {TO}},
    {VP, left, Label::neg, {RB}},
    {VP, left, Label::nmod, {PP}},
    {VP, left, Label::nmod_tmod, {NP_TMP}},
    {VP, left, Label::xcomp, {ADJP}},
    {VP, right, Label::advcl, {SBAR}},
    {VP, right, Label::advmod, {ADVP, RB, RBR}},
    {VP, right, Label::ccomp, {SBARQ}},
    {VP, right, Label::compound_prt, {PRT}},
    {VP, right, Label::discourse, {INTJ}},
    {VP, right, Label::dobj, {NP, WHNP}},
    {VP, right, Label::nmod, {PP, WHPP}},
    {VP, right, Label::nmod_tmod, {NP_TMP}},
    {VP, right, Label::parataxis, {PRN}},
    {VP, right, Label::xcomp, {S, ADJP}},
    {WHADJP, left, Label::advmod, {WRB, RB}},
    {WHADVP, left, Label::advmod, {WRB, ADVP, RB}},
    {WHADVP, right, Label::nmod, {PP}},
    {WHNP, left, Label::advmod, {WHADVP, RB, WRB}},
    {WHNP, left, Label::amod, {JJ, ADJP, WHADJP}},
    {WHNP, left, Label::compound, {NN}},
    {WHNP, left, Label::det, {DT, WDT, WP}},
    {WHNP, left, Label::nmod_poss, {WPS}},
    {WHNP, left, Label::nummod, {CD}},
    {WHNP, right, Label::advmod, {ADVP, RB}},
    {WHNP, right, Label::amod, {ADJP, JJ}},
    {WHNP, right, Label::nmod, {PP, WHPP}},
    {WHPP, left, Label::case_, {IN, TO}},
    {X, left, Label::cc, {CC}},
    {X, left, Label::det, {DT}},
    {X, right, Label::nmod, {PP}},
};
// clang-format on

constexpr size_t categories = static_cast<size_t>(Category::none) + 1;
using Table = std::array<std::array<std::array<Label, 2>, categories>, categories>;

Table spread() {
  Table table;
  for (auto& children : table)
    for (auto& sides : children) sides.fill(Label::dep);
  for (const Row& row : rows)
    for (size_t child = 0; child < categories; ++child)
      if (row.children.has(static_cast<Category>(child)))
        table[static_cast<size_t>(row.phrase)][child][row.right ? 1 : 0] = row.label;
  return table;
}

}  // namespace

Label usual_label(Category phrase, Category child, bool right_of_head) {
  static const Table table = spread();
  return table[static_cast<size_t>(phrase)][static_cast<size_t>(child)][right_of_head ? 1 : 0];
}

}  // namespace spidercap
