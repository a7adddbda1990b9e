// GEOS: a tree of envelopes and prepared polygons, straight in longitude and latitude, circles as 64 sides: what most
// geographic programs do. Rings across the antimeridian come twice, rings around a pole are led along it.
#include "peers.hpp"

#include <cmath>
#include <cstdarg>

#include <geos_c.h>

static void complain(const char* format, ...) {
  va_list rest;
  va_start(rest, format);
  vfprintf(stderr, format, rest);
  va_end(rest);
  fputc('\n', stderr);
}

static std::vector<Degrees> sides(Degrees center, double radius) {
  // On the ellipsoid's radii at the centre: some millimetres wrong at 500 m, less than the sides are.
  const double degree = M_PI / 180, squared = 0.00669437999014;
  double sine = std::sin(center.latitude * degree), w = 1 - squared * sine * sine;
  double east = 6378137 / std::sqrt(w) * std::cos(center.latitude * degree) * degree;
  double north = 6378137 / std::sqrt(w) * (1 - squared) / w * degree;
  std::vector<Degrees> ring;
  for (int side = 0; side < 64; side++) {
    double angle = side * M_PI / 32;
    ring.push_back({center.longitude + radius * std::sin(angle) / east, center.latitude + radius * std::cos(angle) / north});
  }
  return ring;
}

static std::vector<std::vector<Degrees>> flat(const std::vector<Degrees>& ring) {
  std::vector<Degrees> line;
  double longitude = ring[0].longitude, west = longitude, east = longitude, sum = 0;
  for (size_t index = 0; index <= ring.size(); index++) {
    auto& to = ring[index % ring.size()];
    if (index) {
      double turn = to.longitude - ring[index - 1].longitude;
      longitude += turn > 180 ? turn - 360 : turn < -180 ? turn + 360 : turn;
      if (std::fabs(longitude - to.longitude) < 1e-6) longitude = to.longitude;
    }
    line.push_back({longitude, to.latitude});
    west = std::min(west, longitude);
    east = std::max(east, longitude);
    sum += to.latitude;
  }
  if (std::fabs(line.back().longitude - line[0].longitude) > 180) {
    double pole = sum > 0 ? 90 : -90;
    line.push_back({line.back().longitude, pole});
    line.push_back({line[0].longitude, pole});
  }
  line.back() = line[0].longitude == line.back().longitude && line[0].latitude == line.back().latitude ? line[0] : line.back();
  if (line.back().longitude != line[0].longitude || line.back().latitude != line[0].latitude) line.push_back(line[0]);
  std::vector<std::vector<Degrees>> rings{line};
  if (west < -180 || east > 180) {
    double turn = east > 180 ? -360 : 360;
    for (auto& place : line) place.longitude += turn;
    rings.push_back(line);
  }
  return rings;
}

struct Search {
  GEOSContextHandle_t context;
  std::vector<const GEOSPreparedGeometry*>* prepared;
  std::vector<uint64_t>* zones;
  GEOSGeometry* place;
  size_t fix;
  Checksum* checksum;
};

int main(int count, char** words) {
  Task task(count, words, "GEOS " GEOS_VERSION);
  Zones zones = read_zones(task.base + ".zones");
  GEOSContextHandle_t context = GEOS_init_r();
  GEOSContext_setNoticeHandler_r(context, complain);
  GEOSContext_setErrorHandler_r(context, complain);
  double memory = megabytes(), start = seconds();
  std::vector<GEOSGeometry*> polygons;
  std::vector<const GEOSPreparedGeometry*> prepared;
  std::vector<uint64_t> names;
  auto tree = GEOSSTRtree_create_r(context, 10);
  for (uint64_t zone = 0; zone < zones.count(); zone++) {
    std::vector<Degrees> ring;
    if (zones.circles) ring = sides(zones.vertices[zone], zones.radii[zone]);
    else ring.assign(zones.vertices.begin() + zones.first[zone], zones.vertices.begin() + zones.first[zone + 1]);
    for (auto& line : flat(ring)) {
      auto sequence = GEOSCoordSeq_copyFromBuffer_r(context, &line[0].longitude, unsigned(line.size()), 0, 0);
      polygons.push_back(GEOSGeom_createPolygon_r(context, GEOSGeom_createLinearRing_r(context, sequence), nullptr, 0));
      prepared.push_back(GEOSPrepare_r(context, polygons.back()));
      names.push_back(zone);
      GEOSSTRtree_insert_r(context, tree, polygons.back(), reinterpret_cast<void*>(polygons.size() - 1));
    }
  }
  // What is made on first use is made before the clock runs.
  for (size_t index = 0; index < polygons.size(); index++) {
    auto& place = zones.vertices[zones.first[names[index]]];
    auto point = GEOSGeom_createPointFromXY_r(context, place.longitude, place.latitude);
    for (int twice = 0; twice < 2; twice++) GEOSPreparedIntersects_r(context, prepared[index], point);
    if (index == 0) GEOSSTRtree_query_r(context, tree, point, [](void*, void*) {}, nullptr);
    GEOSGeom_destroy_r(context, point);
  }
  double build = seconds() - start, used = megabytes() - memory;
  for (auto& operation : task.operations) {
    if (operation != "contains" && operation != "journeys") continue;
    auto fixes = read_fixes(task.file(operation), task.limit);
    Checksum checksum;
    Search search{context, &prepared, &names, nullptr, 0, &checksum};
    double time = middle(task.passes, fixes.size(), [&] {
      checksum = Checksum();
      for (search.fix = 0; search.fix < fixes.size(); search.fix++) {
        auto& fix = fixes[search.fix];
        search.place = GEOSGeom_createPointFromXY_r(context, fix.longitude, fix.latitude);
        GEOSSTRtree_query_r(
            context, tree, search.place,
            [](void* item, void* data) {
              auto& search = *static_cast<Search*>(data);
              auto index = reinterpret_cast<size_t>(item);
              if (GEOSPreparedIntersects_r(search.context, (*search.prepared)[index], search.place) == 1)
                search.checksum->add(search.fix, (*search.zones)[index]);
            },
            &search);
        GEOSGeom_destroy_r(context, search.place);
      }
    });
    write_row("geos", task.workload, operation, fixes.size(), time, checksum, build, used);
  }
}
