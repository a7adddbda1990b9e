/// A reason why Caddy does not serve, with the remedy.
public enum CaddyFailure: Error, Equatable, CustomStringConvertible, Sendable {
  case notInstalled
  case portTaken(Int, Transport)
  case notAllowed(Int)
  /// Its folder, pipes or process could not be made.
  case notStarted(String)
  /// The last line of its log.
  case ended(String)

  public enum Transport: String, Sendable { case tcp, udp }

  public var description: String {
    switch self {
    case .notInstalled:
      "--domain needs Caddy, which is not on the PATH: install it (Debian and Ubuntu: apt install caddy, then "
        + "systemctl disable --now caddy, since its own service takes port 80), or leave --domain out"
    case .portTaken(let port, let kind):
      "Caddy cannot listen on port \(port) (\(kind.rawValue.uppercased())), which another program has: stop that program "
        + "(Caddy's own service: systemctl disable --now caddy), or name other ports with --http-port and --https-port"
    case .notAllowed(let port):
      "Caddy may not listen on port \(port): give the service the capability (systemd: "
        + "AmbientCapabilities=CAP_NET_BIND_SERVICE), or name ports above 1023 with --http-port and --https-port"
    case .notStarted(let why): "Caddy cannot be started: \(why)"
    case .ended(let words): "Caddy ended: \(words)"
    }
  }

  /// Reads the last line of the log of a Caddy that has ended.
  init(lastLine: String) {
    guard
      let found = lastLine.firstMatch(
        of: #/listen (tcp|udp)[46]? [^ ]*:([0-9]+): bind: (address already in use|permission denied)/#),
      let port = Int(found.output.2)
    else {
      self = .ended(lastLine.isEmpty ? "it said nothing" : lastLine)
      return
    }
    self =
      found.output.3 == "permission denied"
      ? .notAllowed(port) : .portTaken(port, Transport(rawValue: String(found.output.1)) ?? .tcp)
  }
}
