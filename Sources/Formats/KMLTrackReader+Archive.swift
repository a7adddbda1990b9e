import Foundation

extension KMLTrackReader {
  /// What an archive and the document in it may measure: 1 GiB each.
  private static let sizeLimit = 1 << 30

  /// The first file of a KMZ archive that is KML, `doc.kml` before others.
  static func readArchive(_ input: TrackFileInput) throws -> TrackFile {
    let archive = Data(try input.rest(limit: sizeLimit))
    let documents = try ZipArchive.entries(archive).filter { $0.name.lowercased().hasSuffix(".kml") }
    guard let entry = documents.first(where: { $0.name.lowercased() == "doc.kml" }) ?? documents.first else {
      throw ReadError(
        "\(input.name.isEmpty ? "the file" : input.name): no .kml file found in the archive, one expected")
    }
    let document = Data(try ZoneFileSource(entry, progress: nil).all(limit: sizeLimit))
    var track = try read(TrackFileInput(data: document, name: input.name, progress: nil))
    if documents.count > 1 {
      let name = NumberField.excerpt(entry.name)
      track.issues.append(
        ReadIssue(.warning, "\(documents.count) KML files in the archive found; only \(name) is read"))
    }
    return track
  }
}
