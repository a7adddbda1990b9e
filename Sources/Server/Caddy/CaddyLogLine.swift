import Formats
import Logging

/// One line of Caddy's log, as the server's log repeats it.
struct CaddyLogLine: Equatable {
  let level: Logger.Level
  let message: String
  let metadata: [String: String]

  /// Caddy logs each step of its start as `info` or `warn`, which is too loud here: only certificates stay `info`. Its errors
  /// become warnings, since the server itself goes on.
  init(_ line: String) {
    guard let value = try? JSONValue.parse(Array(line.utf8)), value.members != nil else {
      (level, message, metadata) = (.warning, line, [:])
      return
    }
    func text(_ name: String) -> String? { value[name]?.string }
    let part = text("logger") ?? ""
    let isNews = part.hasPrefix("tls.obtain") || part.hasPrefix("tls.renew")
    level =
      switch text("level") {
      case "debug"?: .trace
      case "info"?: isNews ? .info : .debug
      case "warn"?: .info
      default: .warning
      }
    message = text("msg") ?? ""
    metadata = ["logger", "identifier", "error"].reduce(into: [:]) { $0[$1] = text($1) }
  }
}
