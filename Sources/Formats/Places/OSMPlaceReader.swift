import Foundation

/// Reads the places of an .osm.pbf file in two passes of bounded memory.
///
/// The first pass passes on places that are nodes, and keeps places that are ways with the ids of their
/// nodes. The second looks up the positions of those nodes, only in blocks that have nodes. The ways of one
/// street become one place. Relations (a campus of several buildings) are counted and left out: their outline
/// would take a third pass. Linear in the size of the file.
struct OSMPlaceReader {
  /// The most nodes of all ways together, far more than any country has. Each takes 8 bytes, and 20 more in
  /// `NodePositions`.
  static let maximumWayNodes = 100_000_000

  private let file: OSMBlobFile
  private let progress: ReadProgress?
  private var summary = PlaceFile.Summary()
  private var ways: [(id: Int64, draft: PlaceDraft, nodes: Range<Int>)] = []
  private var wayNodes: [Int64] = []
  private var nodeBlobs: [OSMBlobFile.Blob] = []
  private var streets = StreetMerger()

  static func read(
    _ file: OSMBlobFile, progress: ReadProgress?, _ handle: (Place) throws -> Void
  ) throws -> PlaceFile.Summary {
    var reader = Self(file: file, progress: progress)
    try reader.readAll(handle)
    if !reader.ways.isEmpty { try reader.placeWays(handle) }
    return reader.summary
  }

  private init(file: OSMBlobFile, progress: ReadProgress?) {
    self.file = file
    self.progress = progress
  }

  /// - Parameter done: the bytes done, of twice the file's size, since it is read twice.
  private func report(_ done: Int) throws {
    if let progress, !progress(done, 2 * file.size) { throw CancellationError() }
  }

  private mutating func readAll(_ handle: (Place) throws -> Void) throws {
    var sawHeader = false
    while let blob = try file.next() {
      switch blob.kind {
      case .header:
        sawHeader = true
        try checkHeader(blob)
      case .data:
        guard sawHeader else { throw file.fail("data before a header found", at: blob.range.lowerBound) }
        try readBlock(blob, handle)
      // The format requires readers to skip unknown kinds.
      case .unknown: break
      }
      try report(file.position)
    }
    guard sawHeader else { throw ReadError("\(file.name): not an .osm.pbf file: no header found") }
  }

  private func checkHeader(_ blob: OSMBlobFile.Blob) throws {
    let known = ["OsmSchema-V0.6", "DenseNodes"]
    var features: [String] = []
    var header = ProtobufReader(try file.content(of: blob))
    do throws(ProtobufReader.Failure) {
      while let field = try header.next() {
        if case (4, .bytes(let text)) = field { features.append(String(decoding: text.rest, as: UTF8.self)) }
      }
    } catch { throw file.fail("the header cannot be read: \(error)", at: blob.range.lowerBound) }
    for feature in features where !known.contains(feature) {
      throw file.fail(
        "the feature \"\(feature.prefix(60))\" is required, \(known.joined(separator: " and ")) are known",
        at: blob.range.lowerBound)
    }
  }

  private func block(_ blob: OSMBlobFile.Blob) throws -> OSMBlock { try OSMBlock(file.content(of: blob)) }

  /// Adds to an error the byte at which the damaged block begins.
  private func located<Value>(_ blob: OSMBlobFile.Blob, _ read: () throws -> Value) throws -> Value {
    do { return try read() } catch let error as OSMBlock.Failure {
      throw file.fail("a block cannot be read: \(error)", at: blob.range.lowerBound)
    }
  }

  private mutating func readBlock(_ blob: OSMBlobFile.Blob, _ handle: (Place) throws -> Void) throws {
    var summary = summary
    var streets = streets
    self.streets = StreetMerger()
    defer { self.streets = streets }
    let content = try located(blob) {
      var block = try block(blob)
      let content = try block.readShapes()
      guard content.hasNodes else { return content }
      try block.readNodes(drafting: true) { id, point, draft in
        guard let draft else { return }
        let centre = point.flatMap { PlaceCentre.of([$0.degrees]) }
        guard let centre, let place = draft.place(id: "node/\(id)", at: centre) else {
          summary.unplaced += 1
          return
        }
        summary.places += 1
        streets.addSettlement(place)
        try handle(place)
      }
      return content
    }
    if content.hasNodes { nodeBlobs.append(blob) }
    summary.relations += content.relations
    self.summary = summary
    for way in content.ways {
      guard wayNodes.count + way.nodes.count <= Self.maximumWayNodes else {
        throw ReadError(
          "\(file.name): ways of more than \(Self.maximumWayNodes) nodes found; split the file")
      }
      let start = wayNodes.count
      wayNodes += way.nodes
      ways.append((way.id, way.draft, start..<wayNodes.count))
    }
  }

  private mutating func placeWays(_ handle: (Place) throws -> Void) throws {
    var positions = NodePositions(wayNodes)
    var done = file.size
    for blob in nodeBlobs {
      try located(blob) {
        var block = try block(blob)
        try block.readNodes(drafting: false) { id, point, _ in
          if let point { positions.set(id, to: point) }
        }
      }
      done += blob.range.count
      try report(done)
    }
    for (count, way) in ways.enumerated() {
      let points = wayNodes[way.nodes].compactMap { positions[$0]?.degrees }
      if way.draft.isStreet {
        if !streets.add(id: "way/\(way.id)", way.draft, points) { summary.unplaced += 1 }
      } else if let centre = PlaceCentre.of(points),
        let place = way.draft.place(id: "way/\(way.id)", at: centre)
      {
        summary.places += 1
        try handle(place)
      } else {
        summary.unplaced += 1
      }
      if count % 1000 == 0 { try report(done) }
    }
    for place in streets.places() {
      summary.places += 1
      try handle(place)
    }
    try report(2 * file.size)
  }
}
