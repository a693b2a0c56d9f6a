// Which child of a phrase holds its head word: lists of categories by priority (after Collins 1999, appendix A), with
// the content word as head (after de Marneffe and Manning 2008): auxiliaries, copulas and prepositions never are where
// something else can be.
#pragma once

#include "parser/phrase_tree.h"

namespace spidercap {

// Finds the heads of all phrases, children first. Coordinations inside flat noun phrases become phrases of their own.
void find_heads(PhraseTree& tree);

// Whether a child of a verb phrase is an auxiliary or a copula beside the predicate.
bool is_auxiliary(const PhraseTree& tree, int32_t phrase, int32_t child);

// "what is the time": the question word is the predicate, the noun phrase behind the copula its subject.
bool asks_by_copula(const PhraseTree& tree, int32_t question);

// Whether "there" is the subject beside a verb phrase.
bool is_existential(const PhraseTree& tree, int32_t phrase);

}  // namespace spidercap
