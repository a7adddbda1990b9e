import Foundation

/// The KML document inside a KMZ archive.
enum KMZDocument {
  /// What an archive may measure: 256 MiB, in which libzip finds 5 million files at most and needs 1.4 GB for them. The
  /// document is read a chunk at a time.
  private static let sizeLimit = 256 << 20

  /// What a document may unzip to, in bytes: 256 MiB, which take seconds to read, and of a small archive no more than
  /// text is ever packed. A megabyte of zip made to unzip to a thousand of them is refused long before.
  static func unzippedLimit(packed: Int) -> Int { min(256 << 20, max(16 << 20, 100 * packed)) }

  /// The first file of the archive that is KML, `doc.kml` before others.
  /// - Returns: the document, and a warning where others are passed over.
  /// - Throws: `ReadError` where the bytes are no archive or hold no KML.
  static func find(in archive: ByteSource) throws -> (document: ByteSource, warning: ReadIssue?) {
    let zip = try ZipArchive(archive.rest(limit: sizeLimit))
    let documents = zip.entries.filter { $0.name.lowercased().hasSuffix(".kml") }
    guard let entry = documents.first(where: { $0.name.lowercased() == "doc.kml" }) ?? documents.first else {
      throw ReadError("\(archive.label): no .kml file found in the archive, one expected")
    }
    var warning: ReadIssue?
    if documents.count > 1 {
      let name = NumberField.excerpt(entry.name)
      warning = ReadIssue(
        .warning, "\(documents.count) KML files in the archive found; only \(name) is read")
    }
    let file = try ZipArchive.Reader(entry, of: zip, limit: unzippedLimit(packed: entry.packedSize))
    return (ByteSource(file, name: archive.name), warning)
  }
}
