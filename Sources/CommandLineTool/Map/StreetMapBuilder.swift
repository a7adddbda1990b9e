import AlarmService
import CommandLineSupport
import Cryptography
import Formats
import Foundation
import StreetMap

/// Makes the map of streets: osmium extracts the drawn features of each region, tippecanoe makes one archive
/// of all. Both sort on the disk, so that memory does not grow with the extract.
struct StreetMapBuilder {
  private let folder: StreetMapFolder
  private let options: StreetMapOptions
  private let console: Console
  private let osmium: MapTool
  private let tippecanoe: MapTool
  private let lock: FolderLock
  private static let files = FileManager.default

  /// The version of the drawn features, written into each region; a region of another version is read again.
  private static let version = 1
  /// An extract larger than this has its nodes sorted on the disk instead of in memory.
  private static let largeBytes = 100_000_000

  init(_ options: StreetMapOptions, on console: Console) throws {
    self.options = options
    self.console = console
    folder = StreetMapFolder(data: options.data)
    let folders = options.tools.map { [$0] } ?? [".build-vendor/tools/tippecanoe/bin"]
    osmium = try MapTool("osmium", in: folders, else: "install Debian's package osmium-tool")
    tippecanoe = try MapTool(
      "tippecanoe", in: folders,
      else: "`make map-tools` installs it into .build-vendor/tools")
    try DataFolder(options.data).make()
    try Self.files.createDirectory(at: folder.regions, withIntermediateDirectories: true)
    guard let lock = try FolderLock(folder.lock.path) else {
      throw ReadError("another import into \(printable(options.data)) is running")
    }
    self.lock = lock
  }

  private func description(of name: String) -> URL { folder.regions.appendingPathComponent(name + ".json") }
  private func features(of name: String) -> URL { folder.regions.appendingPathComponent(name + ".geojsonl") }

  /// The regions that have been read completely, by name.
  func regions() throws -> [StreetRegion] {
    try Self.files.contentsOfDirectory(at: folder.regions, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "json" }
      .map { url in
        do { return try StreetRegion(json: try JSONValue.parse(Array(try Data(contentsOf: url)))) } catch {
          throw ReadError("\(url.path): \(error); delete it and import the region again")
        }
      }
      .sorted { $0.name < $1.name }
  }

  func remove(_ name: String) throws {
    // The description first: a region without one does not exist.
    try Self.files.removeItem(at: description(of: name))
    try? Self.files.removeItem(at: features(of: name))
  }

  /// Reads an extract, unless that version of it has been read.
  func read(_ file: String) throws -> ExitStatus {
    let url = URL(fileURLWithPath: file)
    let name = Self.name(of: url)
    guard StreetRegion.isName(name) else {
      throw ReadError("\(printable(file)): a region's name may contain only letters, digits, - and _")
    }
    guard let attributes = try? Self.files.attributesOfItem(atPath: file) else {
      throw ReadError("\(file) does not exist")
    }
    let size = (attributes[.size] as? NSNumber)?.intValue ?? 0
    let changed = (attributes[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
    let source = "\(Self.version) \(url.standardizedFileURL.path) \(size) \(changed)"
    if try regions().contains(where: { $0.name == name && $0.source == source }) {
      console.complain("\(name) has already been read")
      return .ok
    }
    let extract = try look(at: file)
    let sorted = features(of: name).appendingPathExtension("osm.pbf")
    let part = features(of: name).appendingPathExtension("part")
    let nodes = features(of: name).appendingPathExtension("nodes")
    defer {
      try? Self.files.removeItem(at: part)
      try? Self.files.removeItem(at: nodes)
      try? Self.files.removeItem(at: sorted)
    }
    let writer = try StreetFeatureWriter(part, bounds: extract.bounds)
    let progress = ProgressBar("Reading \(printable(url.lastPathComponent))", in: .features, on: console)
    do {
      defer { progress.finish() }
      let file = try extract.isSorted ? file : sort(file, into: sorted)
      try osmium.run(
        [
          "export", "--output-format=geojsonseq", "--format-option=print_record_separator=false",
          "--add-unique-id=type_id", "--no-progress",
          "--index-type=" + (size > Self.largeBytes ? "sparse_file_array,\(nodes.path)" : "flex_mem"), file,
        ], reading: .answers
      ) { line in
        try writer.take(line)
        if writer.read % 1000 == 0 { _ = progress.step(done: writer.read, total: nil) }
      }
    }
    var status = ExitStatus.ok
    let gaps = try writer.finish()
    if gaps > 0 {
      console.complain(
        "\(printable(file)): warning: \(counted(gaps, "gap", "gaps")) of the coastline closed by straight lines"
      )
    }
    if let fault = writer.firstFault {
      console.complain(
        "\(printable(file)): warning: \(counted(writer.faults, "feature", "features")) left out; \(printable(fault))"
      )
      status = .findings
    }
    guard writer.written > 0 else { throw ReadError("\(file): nothing to draw found") }
    try Self.replace(features(of: name), by: part)
    let region = StreetRegion(name: name, bounds: extract.bounds, source: source)
    try Data(region.json(with: true).bytes).write(to: description(of: name), options: .atomic)
    return status
  }

  private func sort(_ file: String, into url: URL) throws -> String {
    console.complain("\(printable(file)) is not sorted; sorting it first")
    try osmium.run(
      ["sort", "--strategy=multipass", "--overwrite", "--output=\(url.path)", file], reading: .answers
    ) { _ in }
    return url.path
  }

  /// "liechtenstein-latest.osm.pbf": "liechtenstein".
  private static func name(of url: URL) -> String {
    var name = url.lastPathComponent.lowercased()
    for end in [".gz", ".bz2", ".pbf", ".osm", "-latest"] where name.hasSuffix(end) {
      name = String(name.dropLast(end.count))
    }
    return name
  }

  /// The properties of an extract, from its header or its content.
  private struct Extract {
    let bounds: Coastline.Bounds
    /// True if nodes come first, then ways, then relations, each by number, as is necessary for reading in
    /// one pass.
    let isSorted: Bool
  }

  private func look(at file: String) throws -> Extract {
    var bytes: [UInt8] = []
    try osmium.run(["fileinfo", "--json", "--extended", "--no-progress", file], reading: .answers) {
      bytes += $0
    }
    let value = try JSONValue.parse(bytes)
    for box in [value["header"]?["boxes"]?.list?.first, value["data"]?["bbox"]] {
      guard let numbers = box?.list?.compactMap(\.double), numbers.count == 4 else { continue }
      let bounds = Coastline.Bounds(west: numbers[0], south: numbers[1], east: numbers[2], north: numbers[3])
      guard bounds.west < bounds.east, bounds.south < bounds.north else { continue }
      if case .bool(false)? = value["data"]?["objects_ordered"] {
        return Extract(bounds: bounds, isSorted: false)
      }
      return Extract(bounds: bounds, isSorted: true)
    }
    throw ReadError("\(file): no object with a position found")
  }

  /// Makes the archive of all regions, unless it is up to date.
  func makeMap() throws {
    let regions = try regions()
    let old = try folder.readIndex()
    guard !regions.isEmpty else {
      try? Self.files.removeItem(at: folder.index)
      if let old { try? Self.files.removeItem(at: folder.archive(old.version)) }
      return console.complain("no region is left; the map is removed")
    }
    let sources = Self.version(of: regions.map(\.source).joined(separator: "\n") + options.attribution)
    if let old, old.version == sources, Self.files.fileExists(atPath: folder.archive(sources).path) {
      return try tell(old)
    }
    let part = folder.url.appendingPathComponent("map.part.pmtiles")
    let scratch = folder.url.appendingPathComponent("scratch")
    try? Self.files.removeItem(at: part)
    try? Self.files.removeItem(at: scratch)
    try Self.files.createDirectory(at: scratch, withIntermediateDirectories: true)
    defer {
      try? Self.files.removeItem(at: scratch)
      try? Self.files.removeItem(at: part)
    }
    let progress = ProgressBar("Drawing the map", in: .shares, on: console)
    do {
      defer { progress.finish() }
      try tippecanoe.run(
        [
          "--output=\(part.path)", "--force", "--json-progress", "--name=Streets",
          "--attribution=\(options.attribution)",
          "--minimum-zoom=\(StreetZooms.least)", "--maximum-zoom=\(StreetZooms.most)", "--drop-rate=1",
          "--no-tile-size-limit", "--no-feature-limit", "--simplification=4", "--simplify-only-low-zooms",
          "--no-tiny-polygon-reduction-at-maximum-zoom", "--buffer=8", "--read-parallel",
          "--temporary-directory=\(scratch.path)",
        ] + regions.map { features(of: $0.name).path }, reading: .messages
      ) { line in
        guard let share = try? JSONValue.parse(line)["progress"]?.double else { return }
        _ = progress.step(done: Int(share * 10), total: 1000)
      }
    }
    let header = try FileHandle(forReadingFrom: part).read(upToCount: 8) ?? Data()
    guard header == Data("PMTiles".utf8) + [3] else { throw ReadError("tippecanoe made no PMTiles archive") }
    let size = ((try Self.files.attributesOfItem(atPath: part.path))[.size] as? NSNumber)?.int64Value ?? 0
    let index = StreetMapIndex(
      version: sources, size: size, madeAt: RFC3339.string(from: ServerClock.system.now()), regions: regions,
      attribution: options.attribution)
    try Self.replace(folder.archive(sources), by: part)
    try Data(index.json.bytes).write(to: folder.index, options: .atomic)
    if let old, old.version != sources { try? Self.files.removeItem(at: folder.archive(old.version)) }
    try tell(index)
  }

  private func tell(_ index: StreetMapIndex) throws {
    try console.print(
      "\(counted(index.regions.count, "region", "regions")) in \(printable(folder.url.path)), "
        + "\(fixedPoint(Double(index.size) / 1e6, decimals: 1)) MB")
  }

  private static func replace(_ old: URL, by new: URL) throws {
    guard rename(new.path, old.path) == 0 else {
      throw ReadError("\(old.path) cannot be written: \(String(cString: strerror(errno)))")
    }
  }

  private static func version(of sources: String) -> String {
    SHA256.hash(sources.utf8).prefix(8).map {
      let text = String($0, radix: 16)
      return text.count == 1 ? "0" + text : text
    }.joined()
  }
}
