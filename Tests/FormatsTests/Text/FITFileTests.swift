import Foundation
import Testing

@testable import Formats

@Suite("FIT files")
struct FITFileTests {
  /// A header of 12 or 14 bytes: its size, versions, the size of the data, ".FIT", a checksum.
  private static func file(_ header: UInt8, mark: String = ".FIT") -> Data {
    Data(
      [header, 0x20, 0x54, 0x08, 0xe8, 3, 0, 0] + Array(mark.utf8) + [UInt8](repeating: 0x40, count: 1000))
  }

  @Test(arguments: [12, 14] as [UInt8], ["walk.fit", "walk", "walk.gpx"])
  func `are named, with what to do instead, as tracks and as zones`(header: UInt8, name: String) throws {
    for read in [
      { _ = try TrackFile.read(data: $0, name: name) }, { _ = try ZoneFile.read(data: $0, name: name) },
      { _ = try TrackFile.stream(data: $0, name: name) { _, _ in } },
    ] as [(Data) throws -> Void] {
      let error = try #require(throws: ReadError.self) { try read(Self.file(header)) }
      #expect(error.description.contains("\(name) is a FIT file") && error.description.contains("GPX or TCX"))
    }
  }

  @Test func `are told by their header alone`() throws {
    for other in [Self.file(13), Self.file(12, mark: ".FIX"), Data(Self.file(14).prefix(11))] {
      let error = try #require(throws: ReadError.self) { try TrackFile.read(data: other, name: "walk.fit") }
      #expect(!error.description.contains("FIT file"))
    }
  }
}
