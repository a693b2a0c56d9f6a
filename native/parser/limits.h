// What may be left out of the search for a caption's best tree.
#pragma once

namespace spidercap {

inline constexpr float kNoBeam = 1e20F;  // wider limits leave nothing out

// Infinite limits give the exact maximum.
struct Limits {
  float tag_beam = 15.0F;      // nats below a word's likeliest tag by itself, and below the best tag sequence
  float tag_odds = -8.0F;      // log-odds below which a tag is left out (odds.h)
  float label_odds = -11.0F;   // the same of a label over a span
  float active_odds = -14.0F;  // the same of an active over a span
  float class_odds = -13.0F;   // the same of any state of a class over a span
  float odder = 4.0F;          // by how much these are lower where tags follow each other less likely by a nat a word
  float same = 1e-4F;          // scores this near are equal: of two ways the one with the shorter first part is taken

  Limits wider() const {
    constexpr float by = 6.0F;
    return {tag_beam + by, tag_odds - by, label_odds - by, active_odds - by, class_odds - by, odder, same};
  }
  bool leave_out() const { return label_odds >= -kNoBeam; }
};

}  // namespace spidercap
