// SPICE's own changes to the collapsed graph: quantifier expressions ("a couple of girls") make way for the noun they
// count, and pronouns for their antecedent. Cost: nothing for a caption that has neither; else linear per match.
#pragma once

#include <vector>

#include "spice/graph.h"

namespace spidercap {

class Enhancer {
 public:
  void enhance(Graph& graph);

 private:
  struct Match {
    int32_t head, noun, of;
    int32_t article;  // -1 where the family asks for none
  };

  void join_quantifiers();
  bool rewrite(const Match& match, uint8_t family);
  void collect_parts(const Match& match, uint8_t family);
  void find_matches(Graph& found, uint8_t family);
  Match match_at(Graph& found, int32_t head, uint8_t family);
  Match match_word(Graph& found, int32_t head);
  int32_t of_marker(Graph& found, int32_t head, int32_t noun);

  void resolve_pronouns();
  int32_t antecedent(bool singular);
  void order_links();
  void replace(int32_t pronoun, int32_t noun);

  Graph* graph_ = nullptr;
  Graph copy_;
  std::vector<int32_t> order_, parts_, edges_, queue_;
  std::vector<Match> matches_;
  std::vector<uint8_t> seen_;
  struct Link {
    int32_t pronoun, noun;
  };
  std::vector<Link> links_;
};

}  // namespace spidercap
