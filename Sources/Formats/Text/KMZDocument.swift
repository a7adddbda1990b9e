import Foundation

/// The KML documents inside a KMZ archive: `doc.kml`, or else the first one, and those that it links to, each once.
struct KMZDocument {
  /// The largest size of an archive in bytes: 256 MiB, in which libzip finds at most 5 million files and
  /// needs 1.4 GB for them. The documents are read a chunk at a time.
  private static let sizeLimit = 256 << 20
  /// The most documents that are read of one archive.
  static let maximumDocuments = 1000

  /// Returns the largest decompressed size in bytes of a document, or of a whole archive: at most 256 MiB,
  /// which take seconds to read, and for a small archive no more than text can expand to. A megabyte of zip
  /// made to expand to a thousand is refused long before its end.
  static func unzippedLimit(packed: Int) -> Int { min(256 << 20, max(16 << 20, 100 * packed)) }

  private let zip: ZipArchive
  private let documents: [ZipArchive.Entry]
  private let indices: [String: Int]
  /// The number of bytes that may still be decompressed.
  private var room: Int
  /// The indices of the documents to read, each once; `read` is the number already read.
  private var queue: [Int]
  private var isQueued: Set<Int>
  private var read = 0

  /// - Throws: `ReadError` if the bytes are no archive or hold no KML.
  init(_ archive: ByteSource) throws {
    let bytes = try archive.rest(limit: Self.sizeLimit)
    zip = try ZipArchive(bytes)
    room = Self.unzippedLimit(packed: bytes.count)
    documents = zip.entries.filter { $0.name.lowercased().hasSuffix(".kml") }
    guard
      let first = documents.firstIndex(where: { $0.name.lowercased() == "doc.kml" })
        ?? documents.indices.first
    else { throw ReadError("\(archive.label): no .kml file found in the archive, one expected") }
    indices = Dictionary(
      documents.enumerated().map { (Self.path($1.name, from: []), $0) },
      uniquingKeysWith: { first, _ in first })
    (queue, isQueued) = ([first], [first])
  }

  /// Reads the first document, then each document that is linked to.
  ///
  /// - Throws: `ReadError` if the first one cannot be read; for any other an issue is noted.
  static func read(_ archive: ByteSource, with reader: some KMLDocumentReader, longestText: Int = 4096) throws
  {
    var files = try Self(archive)
    while files.read < files.queue.count {
      let entry = files.documents[files.queue[files.read]]
      let isFirst = files.read == 0
      files.read += 1
      if !isFirst { reader.begin(document: entry.name) }
      do {
        try files.unzip(entry, named: isFirst ? archive.name : entry.name, check: archive.check) {
          try XMLReader.read($0, with: reader, longestText: longestText)
        }
      } catch let error as ReadError where !isFirst {
        reader.note(.error, line: 1, error.description)
      }
      for (address, line) in reader.links.taken() { files.follow(address, line, of: entry, for: reader) }
    }
    guard files.read < files.documents.count else { return }
    let name = NumberField.excerpt(files.documents[files.queue[0]].name)
    reader.begin(document: "")
    reader.note(
      .warning, line: nil,
      "\(files.documents.count) KML files in the archive found; "
        + (files.read == 1
          ? "only \(name) is read" : "only \(name) and those that it links to are read, \(files.read) in all")
    )
  }

  private mutating func unzip(
    _ entry: ZipArchive.Entry, named name: String, check: (() throws -> Void)?,
    _ take: (ByteSource) throws -> Void
  ) throws {
    let limit = min(Self.unzippedLimit(packed: entry.packedSize), room)
    let file = try ZipArchive.Reader(entry, of: zip, limit: limit)
    defer { room = max(0, room - file.produced) }
    let source = ByteSource(file, name: name)
    source.check = check
    try take(source)
  }

  private mutating func follow(
    _ address: String, _ line: Int, of entry: ZipArchive.Entry, for reader: some KMLDocumentReader
  ) {
    guard !address.contains("://"), !address.hasPrefix("//") else {
      reader.noteLink(address, line, "is not in the archive and is not read")
      return
    }
    guard let index = index(address, from: entry) else {
      reader.noteLink(address, line, isError: true, "is no KML file in the archive")
      return
    }
    guard !isQueued.contains(index) else { return }
    guard queue.count < Self.maximumDocuments else {
      reader.noteLink(
        address, line, isError: true,
        "is one too many: \(Self.maximumDocuments) documents of an archive are read")
      return
    }
    isQueued.insert(index)
    queue.append(index)
  }

  private func index(_ address: String, from entry: ZipArchive.Entry) -> Int? {
    let place = Self.path(entry.name, from: []).split(separator: "/").dropLast()
    let folder = address.hasPrefix("/") ? [] : Array(place)
    let bare = String(address.prefix { $0 != "#" && $0 != "?" })
    // A link to a place inside its own document.
    if bare.isEmpty { return indices[Self.path(entry.name, from: [])] }
    for name in [address, bare, bare.removingPercentEncoding ?? bare] {
      if let index = indices[Self.path(name, from: folder)] { return index }
    }
    return nil
  }

  /// Returns a normalised path inside the archive, in lower case.
  private static func path(_ name: String, from folder: [Substring]) -> String {
    var parts = folder.map(String.init)
    for part in name.lowercased().split(whereSeparator: { $0 == "/" || $0 == "\\" }) where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(String(part)) }
    }
    return parts.joined(separator: "/")
  }
}
