// A tree for each category, of the peers that cannot ask for one or are faster so.
#include <map>
#include <memory>
#include <vector>

#include "Peer.hpp"

namespace {

/// One category: its points and categories, copied, and where each stood.
struct Share {
  std::vector<double> degrees;
  std::vector<uint32_t> categories, ids;
  std::unique_ptr<CPeer> peer;
};

struct EachCategory final : CPeer {
  std::map<int64_t, Share> shares;

  EachCategory(const Places &places, const Entry &entry) {
    for (size_t id = 0; id < places.count; id++) {
      Share &share = shares[places.categories[id]];
      share.degrees.push_back(places.longitude(id));
      share.degrees.push_back(places.latitude(id));
      share.categories.push_back(places.categories[id]);
      share.ids.push_back(uint32_t(id));
    }
    for (auto &named : shares) {
      Share &share = named.second;
      share.peer.reset(
          entry.build(Places{share.degrees.data(), share.categories.data(), share.ids.size()}));
    }
  }

  size_t nearest(
      double longitude, double latitude, size_t k, int64_t category, uint32_t *ids) override {
    const auto named = shares.find(category);
    if (named == shares.end()) return 0;
    const Share &share = named->second;
    const size_t count = share.peer->nearest(longitude, latitude, k, -1, ids);
    for (size_t i = 0; i < count; i++) ids[i] = share.ids[ids[i]];
    return count;
  }
};

template <const Entry &entry> CPeer *build(const Places &places) {
  return new EachCategory(places, entry);
}

/// Asked for one category only: the rest is what the peer itself is for.
constexpr CPeerKind kind(const char *name) {
  return {name, "as above", "a tree for each category", CPeerMeasureSphere, 0, true, false, false};
}

}  // namespace

const Entry nanoflannEach = {kind("nanoflann-3d-32-each"), build<nanoflann32>};
const Entry cgalEach = {kind("cgal-3d-each"), build<cgal>};
const Entry boostSpaceEach = {kind("boost-3d-each"), build<boostSpace>};
const Entry s2Each = {kind("s2-each"), build<s2Index>};
