// Labels of dependencies: how each child of a phrase depends on the head child, by the definitions of the Stanford
// typed dependencies (de Marneffe and Manning 2008) and Universal Dependencies version 1, as the reference applies
// them.
#pragma once

#include "parser/phrase_tree.h"

namespace spidercap {

// How a child depends: on which of its siblings (itself or the head child included), and its label.
struct Arc {
  int32_t governor = 0;
  Label label = Label::dep;
};

// The arc of the n-th child of a phrase whose heads are known; n is not the head child.
Arc arc_of(const PhraseTree& tree, int32_t phrase, int32_t n);

// What a child's category alone says about its label (label_table.cpp); `dep` where nothing does.
Label usual_label(Category phrase, Category child, bool right);

}  // namespace spidercap
