import Geometry
import HitChecksum

// The functions that `Benchmarks/wasm.mjs` calls. Zones and fixes are those that `IndexBenchmark write`
// writes.

nonisolated(unsafe) private var entries: [OutlineIndex.Entry] = []
nonisolated(unsafe) private var index: ContainmentIndex?
nonisolated(unsafe) private var fixes: [Coordinate] = []
nonisolated(unsafe) private var batches: [[Coordinate]] = []
nonisolated(unsafe) private var hits = ContainmentIndex.Hits()
nonisolated(unsafe) private var checksum = Checksum()

/// - Returns: the address of `count` bytes, aligned for any number type. `release` frees them.
@_expose(wasm, "allocate") @_cdecl("allocate")
public func allocate(_ count: Int32) -> UnsafeMutableRawPointer {
  .allocate(byteCount: Int(max(count, 1)), alignment: 16)
}

@_expose(wasm, "release") @_cdecl("release")
public func release(_ address: UnsafeMutableRawPointer) { address.deallocate() }

/// Makes outlines from the bytes of a `.zones` file: kind, number of zones, number of vertices, first
/// vertices, radii, longitudes and latitudes in turn.
///
/// - Returns: the number of zones.
@_expose(wasm, "takeZones") @_cdecl("takeZones")
public func takeZones(_ bytes: UnsafeRawPointer) -> Int32 {
  let words = bytes.assumingMemoryBound(to: UInt64.self)
  let isCircles = words[0] == 0
  let count = Int(words[1])
  let first = words + 3
  let radii = UnsafeRawPointer(first + count + 1).assumingMemoryBound(to: Double.self)
  let places = radii + count
  entries = []
  for zone in 0..<count {
    let vertices = (Int(first[zone])..<Int(first[zone + 1])).map { place(places, $0) }
    let shape: Shape
    if isCircles {
      shape = .circle(center: vertices[0], radius: .metres(radii[zone]))
    } else {
      guard let ring = try? Ring(vertices) else {
        preconditionFailure("rings are laid out with three vertices or more")
      }
      shape = .polygon(Polygon(parts: [.init(outer: ring)], edges: .geodesic))
    }
    entries.append(OutlineIndex.Entry(outline: Outline(shape)))
  }
  return Int32(count)
}

@_expose(wasm, "build") @_cdecl("build")
public func build() { index = ContainmentIndex(entries) }

/// Takes the first `count` fixes from an array of longitudes and latitudes in turn.
@_expose(wasm, "takeFixes") @_cdecl("takeFixes")
public func takeFixes(_ places: UnsafePointer<Double>, _ count: Int32) {
  fixes = (0..<Int(count)).map { place(places, $0) }
  batches = stride(from: 0, to: fixes.count, by: 64).map { Array(fixes[$0..<min($0 + 64, fixes.count)]) }
}

/// Finds the zones of all fixes, one by one.
///
/// - Returns: the number of pairs of fix and zone, or -1 without an index. `sumLow` and `sumHigh` return
///   their checksum.
@_expose(wasm, "contains") @_cdecl("contains")
public func contains() -> Int32 {
  guard let index else { return -1 }
  var sum = Checksum()
  for (number, fix) in fixes.enumerated() {
    index.visitOutlines(containing: fix) { sum.add(fix: number, zone: $0) }
  }
  checksum = sum
  return Int32(sum.hits)
}

/// Finds the zones of all fixes in batches of 64; returns the same as ``contains()``.
@_expose(wasm, "containsBatch") @_cdecl("containsBatch")
public func containsBatch() -> Int32 {
  guard let index else { return -1 }
  var sum = Checksum()
  var number = 0
  for batch in batches {
    index.containing(batch, into: &hits)
    let (outlines, offsets) = (hits.outlines, hits.offsets)
    for fix in 0..<batch.count {
      for place in offsets[fix]..<offsets[fix + 1] { sum.add(fix: number, zone: outlines[place]) }
      number &+= 1
    }
  }
  checksum = sum
  return Int32(sum.hits)
}

@_expose(wasm, "sumLow") @_cdecl("sumLow")
public func sumLow() -> UInt32 { UInt32(truncatingIfNeeded: checksum.sum) }

@_expose(wasm, "sumHigh") @_cdecl("sumHigh")
public func sumHigh() -> UInt32 { UInt32(truncatingIfNeeded: checksum.sum >> 32) }

private func place(_ places: UnsafePointer<Double>, _ number: Int) -> Coordinate {
  Coordinate(latitude: .degrees(places[2 * number + 1]), longitude: .degrees(places[2 * number]))
}
