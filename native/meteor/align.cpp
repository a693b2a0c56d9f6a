#include "meteor/align.h"

#include <algorithm>
#include <bit>
#include <span>
#include <utility>

namespace spidercap {
namespace {

constexpr size_t beam_width = 40;
constexpr uint32_t no_end = 0xFFFFFFFFu;
constexpr uint32_t no_step = 0xFFFFFFFFu;

// Sort keys of captions and references of up to 64 words: the whole order in one number, smallest first.
// From the top: 8 bits for (most possible value − K), 7 for C, 28 for D, 21 for the order of production.
struct SmallScale {
  using Key = uint64_t;
  static constexpr int order_bits = 21;
  static constexpr int distance_bits = 28;
  static constexpr int chunk_shift = order_bits + distance_bits;
  static constexpr int value_shift = chunk_shift + 7;
  static constexpr uint64_t order_mask = (uint64_t{1} << order_bits) - 1;
  static constexpr uint64_t distance_mask = ((uint64_t{1} << distance_bits) - 1) << order_bits;

  struct Used {
    uint64_t bits = 0;
    void reset(size_t) { bits = 0; }
    static uint64_t span(uint32_t start, uint32_t length) { return ((uint64_t{1} << length) - 1) << start; }
    bool any(uint32_t start, uint32_t length) const { return (bits & span(start, length)) != 0; }
    void mark(uint32_t start, uint32_t length) { bits |= span(start, length); }
  };

  static bool fits(const MatchLists& lists, size_t longest_list) {
    return lists.caption_size() <= 64 && lists.reference_size() <= 64 && lists.distance >> distance_bits == 0 &&
           longest_list < (size_t{1} << (order_bits - 6));
  }
  static Key first(size_t most_value) { return uint64_t{most_value} << value_shift; }
  static uint64_t distance(Key key) { return (key & distance_mask) >> order_bits; }
  static uint64_t order(Key key) { return key & order_mask; }
  static Key change(Key key, uint64_t value, uint64_t chunks, uint64_t distance, uint64_t order) {
    return ((key & ~(distance_mask | order_mask)) - (value << value_shift) + (chunks << chunk_shift)) |
           (distance << order_bits) | order;
  }
};

// The same for texts of any length.
struct LargeScale {
  struct Key {
    uint64_t lost_value_and_chunks;
    uint64_t total_distance;
    uint64_t production;

    bool operator<(const Key& other) const {
      if (lost_value_and_chunks != other.lost_value_and_chunks)
        return lost_value_and_chunks < other.lost_value_and_chunks;
      if (total_distance != other.total_distance) return total_distance < other.total_distance;
      return production < other.production;
    }
  };

  struct Used {
    std::vector<uint64_t> bits;
    void reset(size_t words) { bits.assign(words / 64 + 1, 0); }
    bool any(uint32_t start, uint32_t length) const {
      for (uint32_t i = start; i < start + length; ++i)
        if ((bits[i / 64] >> (i % 64)) & 1) return true;
      return false;
    }
    void mark(uint32_t start, uint32_t length) {
      for (uint32_t i = start; i < start + length; ++i) bits[i / 64] |= uint64_t{1} << (i % 64);
    }
  };

  static Key first(size_t most_value) { return {uint64_t{most_value} << 32, 0, 0}; }
  static uint64_t distance(const Key& key) { return key.total_distance; }
  static uint64_t order(const Key& key) { return key.production; }
  static Key change(const Key& key, uint64_t value, uint64_t chunks, uint64_t distance, uint64_t order) {
    return {key.lost_value_and_chunks - (value << 32) + chunks, distance, order};
  }
};

template <typename Scale>
class Beam {
 public:
  // Appends the chosen matches that are not preassigned, last first.
  void search(const MatchLists& lists, std::span<const uint8_t> preassigned, size_t longest_list,
              std::vector<ChosenMatch>& chosen) {
    lists_ = &lists;
    choice_bits_ = std::bit_width(longest_list);
    steps_.clear();
    states_.resize(1);
    states_[0].key = Scale::first(lists.caption_size() + lists.reference_size());
    states_[0].used.reset(lists.caption_size());
    states_[0].end = no_end;
    states_[0].next = 0;
    states_[0].step = no_step;
    for (uint32_t r = 0; r < lists.reference_size(); ++r) {
      const auto list = lists.list(r);
      if (list.empty()) {
        leave_unmatched(r);
      } else if (preassigned[r]) {
        match_preassigned(r, list.front());
      } else {
        branch(r, list);
      }
    }
    const State& best = best_final_state();
    for (uint32_t step = best.step; step != no_step; step = steps_[step].before) chosen.push_back(steps_[step].match);
  }

 private:
  using Key = typename Scale::Key;

  struct State {
    Key key;
    typename Scale::Used used;
    uint32_t end;   // caption position behind the last match, if it is adjacent
    uint32_t next;  // first reference position behind the last match
    uint32_t step;  // the last match chosen
  };
  struct Step {
    uint32_t before;
    ChosenMatch match;
  };

  // The order of production within a position: by parent, then by choice; "leave unmatched" is the last choice.
  uint64_t order(size_t parent, size_t choice) const { return (uint64_t{parent} << choice_bits_) | choice; }

  static bool breaks_chunk(const State& state, const MatchCandidate& candidate) {
    return state.end != no_end && state.end != candidate.caption_start;
  }

  static uint64_t distance(uint32_t r, const MatchCandidate& candidate) {
    return r > candidate.caption_start ? r - candidate.caption_start : candidate.caption_start - r;
  }

  // A word without candidates closes the open chunks; no state is added.
  void leave_unmatched(uint32_t r) {
    for (size_t i = 0; i < states_.size(); ++i) {
      State& state = states_[i];
      const bool closes = r >= state.next && state.end != no_end;
      state.key = Scale::change(state.key, 0, closes, Scale::distance(state.key), i);
      if (closes) state.end = no_end;
    }
    restore_order();
  }

  // A match that all states share, and that no other candidate touches.
  void match_preassigned(uint32_t r, const MatchCandidate& only) {
    for (size_t i = 0; i < states_.size(); ++i) {
      State& state = states_[i];
      state.key = Scale::change(state.key, only.value, breaks_chunk(state, only),
                                Scale::distance(state.key) + distance(r, only), i);
      state.end = only.caption_start + only.caption_words;
      state.next = r + only.reference_words;
    }
    restore_order();
  }

  // The states are nearly in order; their keys hold their old places, so that equals stay as they are.
  void restore_order() {
    for (size_t i = 1; i < states_.size(); ++i)
      for (size_t k = i; k > 0 && states_[k].key < states_[k - 1].key; --k) std::swap(states_[k], states_[k - 1]);
  }

  void branch(uint32_t r, std::span<const MatchCandidate> list) {
    proposals_.clear();
    limited_ = false;
    for (size_t parent = 0; parent < states_.size(); ++parent) propose(r, list, parent);
    keep_best();
    take_over(r, list);
  }

  void propose(uint32_t r, std::span<const MatchCandidate> list, size_t parent) {
    const State& state = states_[parent];
    uint64_t travelled = Scale::distance(state.key);
    if (r < state.next) {
      push(Scale::change(state.key, 0, 0, travelled, order(parent, list.size())));
      return;
    }
    for (size_t choice = 0; choice < list.size(); ++choice) {
      const MatchCandidate& candidate = list[choice];
      if (state.used.any(candidate.caption_start, candidate.caption_words)) continue;
      push(Scale::change(state.key, candidate.value, breaks_chunk(state, candidate), travelled, order(parent, choice)));
      // A state pays for the earlier siblings' distances, not for its own.
      travelled += distance(r, candidate);
    }
    push(Scale::change(state.key, 0, state.end != no_end, travelled, order(parent, list.size())));
  }

  // Long lists would fill the memory with proposals that cannot stay: beyond a few thousand only the best are kept.
  void push(const Key& key) {
    if (limited_ && !(key < limit_)) return;
    proposals_.push_back(key);
    if (proposals_.size() < most_proposals) return;
    keep_best();
    limit_ = proposals_.back();
    limited_ = true;
  }

  void keep_best() {
    if (proposals_.size() > beam_width) {
      std::nth_element(proposals_.begin(), proposals_.begin() + beam_width, proposals_.end());
      proposals_.resize(beam_width);
    }
    std::sort(proposals_.begin(), proposals_.end());
  }

  void take_over(uint32_t r, std::span<const MatchCandidate> list) {
    children_.resize(proposals_.size());
    for (size_t i = 0; i < proposals_.size(); ++i) {
      const uint64_t produced = Scale::order(proposals_[i]);
      const State& parent = states_[produced >> choice_bits_];
      const size_t choice = produced & ((uint64_t{1} << choice_bits_) - 1);
      State& child = children_[i];
      child = parent;
      child.key = proposals_[i];
      if (choice < list.size()) {
        const MatchCandidate& candidate = list[choice];
        child.used.mark(candidate.caption_start, candidate.caption_words);
        child.end = candidate.caption_start + candidate.caption_words;
        child.next = r + candidate.reference_words;
        child.step = static_cast<uint32_t>(steps_.size());
        steps_.push_back({parent.step, {r, static_cast<uint32_t>(lists_->starts[r] + choice)}});
      } else if (r >= parent.next) {
        child.end = no_end;
      }
    }
    states_.swap(children_);
  }

  // The open chunk of a state counts only now; ties stay in the order of the beam.
  const State& best_final_state() const {
    size_t best = 0;
    Key best_key{};
    for (size_t i = 0; i < states_.size(); ++i) {
      const State& state = states_[i];
      const Key key = Scale::change(state.key, 0, state.end != no_end, Scale::distance(state.key), i);
      if (i == 0 || key < best_key) {
        best = i;
        best_key = key;
      }
    }
    return states_[best];
  }

  static constexpr size_t most_proposals = 4096;

  const MatchLists* lists_ = nullptr;
  int choice_bits_ = 0;
  std::vector<State> states_;
  std::vector<State> children_;
  std::vector<Key> proposals_;
  Key limit_{};
  bool limited_ = false;
  std::vector<Step> steps_;
};

}  // namespace

struct Aligner::Beams {
  Beam<SmallScale> small;
  Beam<LargeScale> large;
};

Aligner::Aligner() : beams_(std::make_unique<Beams>()) {}
Aligner::~Aligner() = default;
Aligner::Aligner(Aligner&&) noexcept = default;

void Aligner::find_preassigned(const MatchLists& lists) {
  preassigned_.assign(lists.reference_size(), 0);
  for (size_t r = 0; r < lists.reference_size(); ++r) {
    const auto list = lists.list(r);
    if (list.size() != 1) continue;
    const auto alone = [](uint32_t coverage) { return coverage == 1; };
    const auto reference = std::span(lists.reference_coverage).subspan(r, list[0].reference_words);
    const auto caption = std::span(lists.caption_coverage).subspan(list[0].caption_start, list[0].caption_words);
    preassigned_[r] =
        std::all_of(reference.begin(), reference.end(), alone) && std::all_of(caption.begin(), caption.end(), alone);
  }
}

const std::vector<ChosenMatch>& Aligner::align(const MatchLists& lists) {
  find_preassigned(lists);
  chosen_.clear();
  size_t longest_list = 0;
  for (size_t r = 0; r < lists.reference_size(); ++r) longest_list = std::max(longest_list, lists.list(r).size());
  if (SmallScale::fits(lists, longest_list)) {
    beams_->small.search(lists, preassigned_, longest_list, chosen_);
  } else {
    beams_->large.search(lists, preassigned_, longest_list, chosen_);
  }
  for (uint32_t r = 0; r < lists.reference_size(); ++r)
    if (preassigned_[r]) chosen_.push_back({r, lists.starts[r]});
  std::sort(chosen_.begin(), chosen_.end(),
            [](const ChosenMatch& a, const ChosenMatch& b) { return a.reference_start < b.reference_start; });
  return chosen_;
}

}  // namespace spidercap
