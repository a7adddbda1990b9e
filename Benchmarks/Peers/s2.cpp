// S2 Geometry: a shape index for polygons; for circles a cell index of coverings of eight cells and the chord to the
// centre, which is faster than polygons of 64 sides. Nearest boundaries by the closest edge, circles as 64 sides.
#include "peers.hpp"

#include <memory>
#include <set>

#include "s2/mutable_s2shape_index.h"
#include "s2/s2cap.h"
#include "s2/s2cell_index.h"
#include "s2/s2closest_edge_query.h"
#include "s2/s2contains_point_query.h"
#include "s2/s2earth.h"
#include "s2/s2latlng.h"
#include "s2/s2lax_loop_shape.h"
#include "s2/s2loop.h"
#include "s2/s2region_coverer.h"

static const char* const engine = "s2";

static S2Point point(Degrees place) { return S2LatLng::FromDegrees(place.latitude, place.longitude).ToPoint(); }

static void circles(const Task& task, const Zones& zones, const std::vector<std::string>& operations) {
  struct Circle {
    S2Point center;
    S1ChordAngle radius;
  };
  double memory = megabytes(), start = seconds();
  std::vector<Circle> caps(zones.count());
  S2CellIndex index;
  S2RegionCoverer coverer;
  coverer.mutable_options()->set_max_cells(8);
  coverer.mutable_options()->set_max_level(20);
  std::vector<S2CellId> cells;
  for (size_t zone = 0; zone < zones.count(); zone++) {
    S1Angle radius = S2Earth::MetersToAngle(zones.radii[zone]);
    caps[zone] = {point(zones.vertices[zone]), S1ChordAngle(radius)};
    coverer.GetCovering(S2Cap(caps[zone].center, radius), &cells);
    for (auto cell : cells) index.Add(cell, int(zone));
  }
  index.Build();
  double build = seconds() - start, used = megabytes() - memory;
  for (auto& operation : operations) {
    auto fixes = read_fixes(task.file(operation), task.limit);
    Checksum checksum;
    double time = middle(task.passes, fixes.size(), [&] {
      checksum = Checksum();
      S2CellIndex::RangeIterator range(&index);
      S2CellIndex::ContentsIterator contents(&index);
      for (size_t fix = 0; fix < fixes.size(); fix++) {
        S2Point place = point(fixes[fix]);
        contents.Clear();
        range.Seek(S2CellId(place));
        for (contents.StartUnion(range); !contents.done(); contents.Next()) {
          auto& cap = caps[contents.label()];
          if (S1ChordAngle(place, cap.center) <= cap.radius) checksum.add(fix, contents.label());
        }
      }
    });
    write_row(engine, task.workload, operation, fixes.size(), time, checksum, build, used);
  }
}

static void nearest(const Task& task, const MutableS2ShapeIndex& index, const std::string& operation, double build,
                    double used) {
  size_t wanted = operation == "nearest" ? 1 : 8;
  auto fixes = read_fixes(task.base + ".fixes", std::min<size_t>(task.limit, wanted == 1 ? 20000 : 2000));
  S2ClosestEdgeQuery query(&index);
  query.mutable_options()->set_include_interiors(false);
  double sum = 0;
  double time = middle(task.passes, fixes.size(), [&] {
    sum = 0;
    for (auto& fix : fixes) {
      S2ClosestEdgeQuery::PointTarget target(point(fix));
      // It answers edges, not zones: more and more of them until there are enough zones.
      for (size_t edges = wanted == 1 ? 1 : 64;; edges *= 4) {
        query.mutable_options()->set_max_results(int(edges));
        auto results = query.FindClosestEdges(&target);
        std::set<int> seen;
        double farthest = 0;
        for (auto& result : results)
          if (seen.size() < wanted && seen.insert(result.shape_id()).second)
            farthest = result.distance().ToAngle().radians();
        if (seen.size() >= std::min<size_t>(wanted, index.num_shape_ids()) || results.size() < edges) {
          sum += farthest;
          break;
        }
      }
    }
  });
  Checksum mean;
  mean.hits = uint64_t(sum * 6371010 / fixes.size());
  write_row(engine, task.workload, operation, fixes.size(), time, mean, build, used);
}

static void polygons(const Task& task, const Zones& zones, const std::vector<std::string>& operations) {
  double memory = megabytes(), start = seconds();
  MutableS2ShapeIndex index;
  std::vector<S2Point> ring;
  for (size_t zone = 0; zone < zones.count(); zone++) {
    ring.clear();
    if (zones.circles) {
      auto loop = S2Loop::MakeRegularLoop(point(zones.vertices[zone]), S2Earth::MetersToAngle(zones.radii[zone]), 64);
      for (int vertex = 0; vertex < loop->num_vertices(); vertex++) ring.push_back(loop->vertex(vertex));
    } else {
      for (uint64_t vertex = zones.first[zone]; vertex < zones.first[zone + 1]; vertex++)
        ring.push_back(point(zones.vertices[vertex]));
    }
    index.Add(std::make_unique<S2LaxLoopShape>(ring));
  }
  index.ForceBuild();
  double build = seconds() - start, used = megabytes() - memory;
  auto query = MakeS2ContainsPointQuery(&index, S2ContainsPointQueryOptions(S2VertexModel::SEMI_OPEN));
  for (auto& operation : operations) {
    if (operation == "nearest" || operation == "nearest-8") {
      nearest(task, index, operation, build, used);
      continue;
    }
    auto fixes = read_fixes(task.file(operation), task.limit);
    Checksum checksum;
    double time = middle(task.passes, fixes.size(), [&] {
      checksum = Checksum();
      for (size_t fix = 0; fix < fixes.size(); fix++)
        query.VisitContainingShapes(point(fixes[fix]), [&](S2Shape* shape) {
          checksum.add(fix, shape->id());
          return true;
        });
    });
    write_row(engine, task.workload, operation, fixes.size(), time, checksum, build, used);
  }
}

int main(int count, char** words) {
  Task task(count, words, VERSION);
  Zones zones = read_zones(task.base + ".zones");
  std::vector<std::string> by_cells, by_shapes;
  for (auto& operation : task.operations)
    (zones.circles && operation.rfind("nearest", 0) != 0 ? by_cells : by_shapes).push_back(operation);
  if (!by_cells.empty()) circles(task, zones, by_cells);
  if (!by_shapes.empty()) polygons(task, zones, by_shapes);
}
