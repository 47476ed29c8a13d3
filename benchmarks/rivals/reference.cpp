// Scalar reference in C++: what a good programmer writes without vector lanes.
//
// Partial Fisher-Yates shuffle with exactly uniform draws (16-bit pieces of SplitMix64 words, Lemire's
// rejection), look-up of the hand class in the same table as the library's, settlement of the round, and a
// pot that is carried to the next one. Number of players and cards are template parameters, so that the
// compiler may unroll. The seven-card evaluator is our own: a perfect hash of the multiset of ranks and a
// table of flushes.
//
// Card codes are 4 * rank + suit.

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <vector>

namespace {

constexpr int kDeck = 52;
constexpr int kRanks = 13;
constexpr int64_t kLargestPot = int64_t{1} << 40;  // a table beyond it starts again

class Words {
 public:
  explicit Words(uint64_t seed) : state_(seed) {}

  uint64_t next() {
    uint64_t z = (state_ += 0x9E3779B97F4A7C15ULL);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
  }

  // Uniform in 0 .. span - 1.
  uint32_t below(uint32_t span) {
    for (;;) {
      if (pieces_left_ == 0) {
        word_ = next();
        pieces_left_ = 4;
      }
      const uint32_t product = static_cast<uint32_t>(word_ & 0xFFFF) * span;
      word_ >>= 16;
      --pieces_left_;
      const uint32_t low = product & 0xFFFF;
      if (__builtin_expect(low >= span, 1) || low >= 65536 % span) return product >> 16;
    }
  }

 private:
  uint64_t state_;
  uint64_t word_ = 0;
  int pieces_left_ = 0;
};

class Deck {
 public:
  Deck() { std::iota(cards_.begin(), cards_.end(), uint8_t{0}); }

  template <int kCards>
  const uint8_t* deal(Words& words) {
    for (int i = 0; i < kCards; ++i) std::swap(cards_[i], cards_[i + words.below(kDeck - i)]);
    return cards_.data();
  }

 private:
  std::array<uint8_t, kDeck> cards_;
};

template <int kSize>
int hand_index(const uint8_t* hand) {
  int index = 0;
  for (int i = 0; i < kSize; ++i) index = index * kRanks + (hand[i] >> 2);
  if (kSize == 3 && (((hand[0] ^ hand[1]) | (hand[0] ^ hand[2])) & 3) == 0) index += 2197;
  return index;
}

template <int kPlayers, int kSize>
void play(uint64_t seed, int64_t n_rounds, const uint16_t* table, int first_class, int64_t* multipliers,
          int64_t* nets) {
  Words words(seed);
  Deck deck;
  int64_t pot = kPlayers;
  for (int64_t round = 0; round < n_rounds; ++round) {
    const uint8_t* cards = deck.deal<kPlayers * kSize>(words);
    int classes[kPlayers];
    int best = -1, n_in = 0, n_best = 0;
    for (int player = 0; player < kPlayers; ++player) {
      const int hand_class = table[hand_index<kSize>(cards + player * kSize)];
      classes[player] = hand_class >= first_class ? hand_class : -1;
      n_in += classes[player] >= 0;
      best = std::max(best, classes[player]);
    }
    if (n_in == 0) {
      ++multipliers[1];
      continue;
    }
    for (int player = 0; player < kPlayers; ++player) n_best += classes[player] == best;
    const int64_t share = n_best == 1 ? pot : pot / n_best;
    for (int player = 0; player < kPlayers; ++player) {
      if (classes[player] == best) nets[player] += share;
      else if (classes[player] >= 0) nets[player] -= pot;
    }
    const int n_losers = n_in - n_best;
    ++multipliers[n_losers];
    pot *= n_losers;
    if (pot == 0 || pot > kLargestPot) {
      pot = kPlayers;
      for (int player = 0; player < kPlayers; ++player) nets[player] -= 1;
    }
  }
}

// ---- seven cards ----

// Ranks as digits of base 5: the sum over a hand determines how often each rank occurs.
constexpr std::array<uint32_t, kRanks> kDigits = [] {
  std::array<uint32_t, kRanks> digits{};
  uint32_t power = 1;
  for (auto& digit : digits) {
    digit = power;
    power *= 5;
  }
  return digits;
}();

constexpr int kBucketBits = 13;
constexpr int kSlotBits = 17;
constexpr uint64_t kHashFactor = 0x9E3779B97F4A7C15ULL;
constexpr uint64_t kThrees = 0x3333000000000000ULL;   // five cards of a suit lift its count to 8
constexpr uint64_t kEights = 0x8888000000000000ULL;

// Lower 32 bits: digit of the rank; upper 16 bits: one count of four bits per suit.
constexpr std::array<uint64_t, kDeck> kCardSums = [] {
  std::array<uint64_t, kDeck> sums{};
  for (int card = 0; card < kDeck; ++card) sums[card] = kDigits[card / 4] | uint64_t{1} << (48 + 4 * (card % 4));
  return sums;
}();

int straight_top(int ranks) {
  const int with_low_ace = ranks << 1 | (ranks >> 12 & 1);
  for (int top = 13; top >= 4; --top)
    if ((with_low_ace >> (top - 4) & 31) == 31) return top;
  return 0;
}

int highest(int ranks, int count) {
  int kept = 0;
  for (int rank = kRanks - 1; rank >= 0 && count > 0; --rank)
    if (ranks >> rank & 1) kept |= 1 << rank, --count;
  return kept;
}

uint32_t strength(int category, int primary, int kickers) {
  return static_cast<uint32_t>(category) << 26 | static_cast<uint32_t>(primary) << 13 | kickers;
}

uint32_t flush_strength(int ranks) {
  if (const int top = straight_top(ranks)) return strength(8, top, 0);
  return strength(5, 0, highest(ranks, 5));
}

uint32_t rank_strength(const int* counts) {
  int at_least[5] = {};
  for (int rank = 0; rank < kRanks; ++rank)
    for (int n = 1; n <= counts[rank]; ++n) at_least[n] |= 1 << rank;
  const int held = at_least[1], twos = at_least[2], threes = at_least[3], fours = at_least[4];
  if (fours) return strength(7, fours, highest(held & ~fours, 1));
  const int trips = highest(threes, 1);
  if (trips && (twos & ~trips)) return strength(6, trips, highest(twos & ~trips, 1));
  if (const int top = straight_top(held)) return strength(4, top, 0);
  if (trips) return strength(3, trips, highest(held & ~trips, 2));
  const int pairs = highest(twos, 2);
  if (pairs & (pairs - 1)) return strength(2, pairs, highest(held & ~pairs, 1));
  if (pairs) return strength(1, pairs, highest(held & ~pairs, 3));
  return strength(0, 0, highest(held, 5));
}

class Evaluator {
 public:
  Evaluator() {
    std::vector<uint32_t> keys, strengths;
    int counts[kRanks] = {};
    list_multisets(0, 7, counts, keys, strengths);
    std::vector<uint32_t> order(strengths);
    std::vector<uint32_t> flushes(1 << kRanks, 0);
    for (int ranks = 0; ranks < 1 << kRanks; ++ranks) {
      const int size = __builtin_popcount(ranks);
      if (size >= 5 && size <= 7) order.push_back(flushes[ranks] = flush_strength(ranks));
    }
    std::sort(order.begin(), order.end());
    order.erase(std::unique(order.begin(), order.end()), order.end());
    n_classes_ = static_cast<int>(order.size());
    const auto dense = [&](uint32_t value) {
      return static_cast<uint16_t>(std::lower_bound(order.begin(), order.end(), value) - order.begin());
    };
    for (int ranks = 0; ranks < 1 << kRanks; ++ranks) flush_[ranks] = flushes[ranks] ? dense(flushes[ranks]) : 0;
    for (auto& value : strengths) value = dense(value);
    place(keys, strengths);
  }

  int n_classes() const { return n_classes_; }

  uint16_t rank(const uint8_t* hand) const {
    uint64_t sum = kThrees;
    for (int i = 0; i < 7; ++i) sum += kCardSums[hand[i]];
    const uint64_t flush = sum & kEights;
    if (__builtin_expect(flush != 0, 0)) return flush_of(hand, (__builtin_ctzll(flush) - 51) / 4);
    return of_ranks(static_cast<uint32_t>(sum));
  }

  uint16_t of_ranks(uint32_t key) const {
    const uint64_t hash = key * kHashFactor;
    return table_[slot(hash, shift_[hash >> (64 - kBucketBits)])];
  }

  uint16_t of_flush(int ranks) const { return flush_[ranks]; }

 private:
  static uint32_t slot(uint64_t hash, uint32_t shift) {
    return (static_cast<uint32_t>(hash >> 24) + shift) & ((1u << kSlotBits) - 1);
  }

  uint16_t flush_of(const uint8_t* hand, int suit) const {
    int ranks = 0;
    for (int i = 0; i < 7; ++i) ranks |= (hand[i] & 3) == suit ? 1 << (hand[i] >> 2) : 0;
    return flush_[ranks];
  }

  static void list_multisets(int rank, int left, int* counts, std::vector<uint32_t>& keys,
                             std::vector<uint32_t>& strengths) {
    if (rank == kRanks) {
      if (left) return;
      uint32_t key = 0;
      for (int r = 0; r < kRanks; ++r) key += counts[r] * kDigits[r];
      keys.push_back(key);
      strengths.push_back(rank_strength(counts));
      return;
    }
    for (counts[rank] = 0; counts[rank] <= std::min(4, left); ++counts[rank])
      list_multisets(rank + 1, left - counts[rank], counts, keys, strengths);
    counts[rank] = 0;
  }

  // Hash and displace: the fullest buckets choose first a shift that lands all their keys on free slots.
  void place(const std::vector<uint32_t>& keys, const std::vector<uint32_t>& values) {
    std::vector<std::vector<int>> buckets(1 << kBucketBits);
    for (size_t i = 0; i < keys.size(); ++i) buckets[keys[i] * kHashFactor >> (64 - kBucketBits)].push_back(i);
    std::vector<int> order(buckets.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return buckets[a].size() > buckets[b].size(); });
    std::vector<bool> taken(1 << kSlotBits, false);
    for (const int bucket : order) {
      for (uint32_t shift = 0;; ++shift) {
        std::vector<uint32_t> slots;
        for (const int i : buckets[bucket]) slots.push_back(slot(keys[i] * kHashFactor, shift));
        std::sort(slots.begin(), slots.end());
        bool free = std::adjacent_find(slots.begin(), slots.end()) == slots.end();
        for (const uint32_t s : slots) free = free && !taken[s];
        if (!free) continue;
        shift_[bucket] = shift;
        for (const uint32_t s : slots) taken[s] = true;
        for (const int i : buckets[bucket])
          table_[slot(keys[i] * kHashFactor, shift)] = static_cast<uint16_t>(values[i]);
        break;
      }
    }
  }

  int n_classes_ = 0;
  std::array<uint16_t, 1 << kRanks> flush_{};
  std::array<uint32_t, 1 << kBucketBits> shift_{};
  std::array<uint16_t, 1 << kSlotBits> table_{};
};

const Evaluator& evaluator() {
  static const Evaluator instance;
  return instance;
}

}  // namespace

extern "C" {

// Rounds of Guts at one table. Adds to multipliers[losing payments] and to nets[player]. Returns 0, or 1 for
// a combination of players and cards that is not compiled in.
int play_guts(uint64_t seed, int64_t n_rounds, int n_players, int hand_size, const uint16_t* table,
              int first_class, int64_t* multipliers, int64_t* nets) {
  if (n_players != 5) return 1;
  if (hand_size == 3) play<5, 3>(seed, n_rounds, table, first_class, multipliers, nets);
  else if (hand_size == 2) play<5, 2>(seed, n_rounds, table, first_class, multipliers, nets);
  else if (hand_size == 1) play<5, 1>(seed, n_rounds, table, first_class, multipliers, nets);
  else return 1;
  return 0;
}

int count_classes() { return evaluator().n_classes(); }

// Ranks of n hands of seven cards, (n, 7) row by row; larger is stronger.
void rank_sevens(const uint8_t* cards, int64_t n, uint16_t* ranks) {
  const Evaluator& e = evaluator();
  for (int64_t i = 0; i < n; ++i) ranks[i] = e.rank(cards + 7 * i);
}

// Four players, seven cards each: adds to n_best[number of tied best hands] and to sole[player].
void play_sevens(uint64_t seed, int64_t n_deals, int64_t* n_best, int64_t* sole) {
  constexpr int kPlayers = 4;
  const Evaluator& e = evaluator();
  Words words(seed);
  Deck deck;
  for (int64_t deal = 0; deal < n_deals; ++deal) {
    const uint8_t* cards = deck.deal<7 * kPlayers>(words);
    int ranks[kPlayers], best = 0, count = 0;
    for (int player = 0; player < kPlayers; ++player) {
      ranks[player] = e.rank(cards + 7 * player);
      best = std::max(best, ranks[player]);
    }
    for (int player = 0; player < kPlayers; ++player) count += ranks[player] == best;
    ++n_best[count];
    if (count == 1)
      for (int player = 0; player < kPlayers; ++player) sole[player] += ranks[player] == best;
  }
}

// All hands of seven cards whose lowest card is at least `first`, in order: adds to counts[class].
void count_sevens(int first, int64_t* counts) {
  const Evaluator& e = evaluator();
  std::array<int, 4> ranks{};
  const auto add = [&](int card, uint64_t sum) {
    ranks[card & 3] ^= 1 << (card >> 2);
    return sum + kCardSums[card];
  };
  const auto drop = [&](int card) { ranks[card & 3] ^= 1 << (card >> 2); };
  for (int a = first; a < kDeck; ++a) {
    const uint64_t sa = add(a, kThrees);
    for (int b = a + 1; b < kDeck; ++b) {
      const uint64_t sb = add(b, sa);
      for (int c = b + 1; c < kDeck; ++c) {
        const uint64_t sc = add(c, sb);
        for (int d = c + 1; d < kDeck; ++d) {
          const uint64_t sd = add(d, sc);
          for (int f = d + 1; f < kDeck; ++f) {
            const uint64_t sf = add(f, sd);
            for (int g = f + 1; g < kDeck; ++g) {
              const uint64_t sg = add(g, sf);
              for (int h = g + 1; h < kDeck; ++h) {
                const uint64_t sum = sg + kCardSums[h];
                const uint64_t flush = sum & kEights;
                if (__builtin_expect(flush == 0, 1)) {
                  ++counts[e.of_ranks(static_cast<uint32_t>(sum))];
                } else {
                  const int suit = (__builtin_ctzll(flush) - 51) / 4;
                  const int last = (h & 3) == suit ? 1 << (h >> 2) : 0;
                  ++counts[e.of_flush(ranks[suit] | last)];
                }
              }
              drop(g);
            }
            drop(f);
          }
          drop(d);
        }
        drop(c);
      }
      drop(b);
    }
    drop(a);
  }
}

}  // extern "C"
