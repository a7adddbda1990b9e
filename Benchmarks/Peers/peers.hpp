// What the peers' programs share: the files that `IndexBenchmark write` leaves, time, checksums, one line of result.
#pragma once
#include <time.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <malloc.h>

struct Degrees {
  double longitude, latitude;
};

struct Zones {
  bool circles;
  std::vector<uint64_t> first;  // and the end of the last
  std::vector<double> radii;    // metres, of circles
  std::vector<Degrees> vertices;
  size_t count() const { return first.size() - 1; }
};

inline void take(FILE* file, void* into, size_t bytes) {
  if (fread(into, 1, bytes, file) == bytes) return;
  fprintf(stderr, "a file of the workload is shorter than it says\n");
  exit(3);
}

inline FILE* opened(const std::string& path) {
  FILE* file = fopen(path.c_str(), "rb");
  if (file) return file;
  fprintf(stderr, "cannot read %s\n", path.c_str());
  exit(3);
}

inline Zones read_zones(const std::string& path) {
  FILE* file = opened(path);
  uint64_t head[3];
  take(file, head, sizeof head);
  Zones zones;
  zones.circles = head[0] == 0;
  zones.first.resize(head[1] + 1);
  zones.radii.resize(head[1]);
  zones.vertices.resize(head[2]);
  take(file, zones.first.data(), 8 * zones.first.size());
  take(file, zones.radii.data(), 8 * zones.radii.size());
  take(file, zones.vertices.data(), 16 * zones.vertices.size());
  fclose(file);
  return zones;
}

inline std::vector<Degrees> read_fixes(const std::string& path, size_t limit) {
  FILE* file = opened(path);
  uint64_t count;
  take(file, &count, 8);
  std::vector<Degrees> fixes(std::min<uint64_t>(count, limit));
  take(file, fixes.data(), 16 * fixes.size());
  fclose(file);
  return fixes;
}

// Seconds of this thread's own work.
inline double seconds() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec + 1e-9 * time.tv_nsec;
}

inline double megabytes() {
  auto info = mallinfo2();
  return (info.uordblks + info.hblkhd) / 1e6;
}

struct Checksum {
  uint64_t hits = 0, sum = 0;
  void add(uint64_t fix, uint64_t zone) {
    uint64_t z = (fix << 32 | zone) + 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    hits++;
    sum += z ^ (z >> 31);
  }
};

inline void write_row(const char* engine, const std::string& workload, const std::string& operation, size_t count,
                      double nanoseconds, Checksum checksum, double build, double memory) {
  printf("%s\t%s\t%s\t%zu\t%.3f\t%llu\t%016llx\t%.3f\t%.3f\n", engine, workload.c_str(), operation.c_str(), count,
         nanoseconds, (unsigned long long)checksum.hits, (unsigned long long)checksum.sum, build, memory);
  fflush(stdout);
}

// The middle of several passes, nanoseconds for one.
template <class Body>
double middle(int passes, size_t count, Body body) {
  std::vector<double> times;
  for (int pass = 0; pass < passes; pass++) {
    double start = seconds();
    body();
    times.push_back((seconds() - start) * 1e9 / count);
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

// PROGRAM DIRECTORY WORKLOAD FIXES PASSES OPERATION..., or PROGRAM version
struct Task {
  std::string base, workload;
  size_t limit;
  int passes;
  std::vector<std::string> operations;
  Task(int count, char** words, const char* version) {
    if (count == 2 && std::string(words[1]) == "version") {
      puts(version);
      exit(0);
    }
    if (count < 6) {
      fprintf(stderr, "usage: %s DIRECTORY WORKLOAD FIXES PASSES OPERATION...\n", words[0]);
      exit(2);
    }
    workload = words[2];
    base = std::string(words[1]) + "/" + workload;
    limit = strtoull(words[3], nullptr, 10);
    passes = std::max(1, atoi(words[4]));
    operations.assign(words + 5, words + count);
  }
  std::string file(const std::string& operation) const {
    return base + (operation == "journeys" ? ".journeys" : ".fixes");
  }
};
