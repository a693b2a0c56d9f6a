// What may be left out of the search for a caption's best tree.
#pragma once

namespace spidercap {

inline constexpr float kNoBeam = 1e20F;  // wider limits leave nothing out

// Infinite limits give the exact maximum.
struct Limits {
  float tag_beam = 16.0F;      // nats below the best tag sequence of the bigram model
  float tag_odds = -8.0F;      // log-odds below which a tag is left out (odds.h)
  float label_odds = -9.5F;    // the same of a label over a span
  float active_odds = -12.0F;  // the same of an active over a span
  float class_odds = -11.5F;   // the same of any state of a class over a span
  float longer = 2.0F;         // by how much these limits are lower in a caption of 20 words than in one of 10
  float odder = 3.0F;          // the same in one whose tags follow each other less likely by a nat a word

  Limits wider() const {
    constexpr float by = 6.0F;
    return {tag_beam, tag_odds - by, label_odds - by, active_odds - by, class_odds - by, longer, odder};
  }
  bool leave_out() const { return label_odds >= -kNoBeam; }
};

}  // namespace spidercap
