import AlarmService
import Formats
import HTTPTypes
import Hummingbird

/// Links as pictures that a phone reads from a screen. A POST, so that a link with a secret stands in no address and no log.
enum QRCodeRoutes {
  private enum Format: String, CaseIterable { case svg, png }
  /// Pixels of a module's side.
  private static let scale = 8

  static let table: [Route] = [
    Route(
      method: .post, path: "/api/v1/qr-codes", name: "drawQRCode",
      summary: "A text as a QR code; nothing of it is kept",
      handler: .account { call, _ in try draw(call) },
      body: .json(
        .object([
          .needed("text", .text(1...QRCode.maximumBytes), "At most \(QRCode.maximumBytes) bytes of UTF-8."),
          .allowed("format", .words(Format.allCases.map(\.rawValue)), "svg if left out."),
        ])),
      answers: [.media(["image/svg+xml", "image/png"], "The picture.")])
  ]

  private static func draw(_ call: Call) throws -> Response {
    let code: QRCode
    do { code = try QRCode(call.json["text"]?.string ?? "") } catch {
      throw Problem.invalid("/text", "\(error.given) bytes found, \(error.allowed) allowed")
    }
    switch call.json["format"]?.string.flatMap(Format.init(rawValue:)) ?? .svg {
    case .svg: return .bytes(Array(code.svg.utf8), type: "image/svg+xml")
    case .png: return .bytes(code.png(scale: scale), type: "image/png")
    }
  }
}
