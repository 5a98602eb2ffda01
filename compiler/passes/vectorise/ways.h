// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A map for what is known on the way through code that forks: what is noted on one way is not there on the next.
#pragma once

#include "llvm/ADT/DenseMap.h"

#include <optional>
#include <utility>
#include <vector>

namespace hel::cc {

/// Entries that are written while a Way lives are at its end what they were before. That takes time by what is written
/// there, not by what the map holds.
template <typename Key, typename Value> class MapOfWays {
public:
  /// The entry of the key; null if there is none. Holds until the next entry is written.
  const Value *find(const Key &key) const {
    auto found = entries_.find(key);
    return found == entries_.end() ? nullptr : &found->second;
  }

  /// The entry of the key, an empty one if there is none, to be written at once.
  Value &entry(const Key &key) {
    auto [place, is_new] = entries_.try_emplace(key);
    if (ways_ != 0) {
      before_.emplace_back(key, is_new ? std::nullopt : std::optional<Value>(place->second));
    }
    return place->second;
  }

  /// Only where no Way lives.
  void clear() { entries_.clear(); }

  class Way {
  public:
    explicit Way(MapOfWays &map) : map_(map), begin_(map.before_.size()) { map_.ways_++; }
    ~Way() {
      for (; map_.before_.size() > begin_; map_.before_.pop_back()) {
        auto &[key, value] = map_.before_.back();
        if (value) {
          map_.entries_.find(key)->second = std::move(*value);
        } else {
          map_.entries_.erase(key);
        }
      }
      map_.ways_--;
    }
    Way(const Way &) = delete;
    Way &operator=(const Way &) = delete;

  private:
    MapOfWays &map_;
    const size_t begin_;  ///< of what this way wrote, in `before_`
  };

private:
  llvm::DenseMap<Key, Value> entries_;
  std::vector<std::pair<Key, std::optional<Value>>> before_;  ///< the entries written on the ways that live, in order
  unsigned ways_ = 0;
};

}  // namespace hel::cc
