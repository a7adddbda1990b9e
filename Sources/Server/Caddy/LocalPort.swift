#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Looks at TCP ports of this machine.
enum LocalPort {
  /// Tells whether another program listens on the port.
  ///
  /// Caddy shares its ports (SO_REUSEPORT): a second Caddy of the same user would silently take half of the connections.
  /// A socket that does not share its port fails to bind instead.
  static func isTaken(_ port: Int) -> Bool {
    with { file in
      var on: CInt = 1
      setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<CInt>.size))
      return address(INADDR_ANY, port) { bind(file, $0, $1) } != 0 && errno == EADDRINUSE
    }
  }

  /// Tells whether 127.0.0.1 accepts a connection to the port.
  static func answers(_ port: Int) -> Bool {
    with { file in address(INADDR_LOOPBACK, port) { connect(file, $0, $1) } == 0 }
  }

  private static func with(_ body: (CInt) -> Bool) -> Bool {
    #if canImport(Glibc)
      let file = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
    #else
      let file = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    guard file >= 0 else { return false }
    _ = fcntl(file, F_SETFD, FD_CLOEXEC)
    defer { close(file) }
    return body(file)
  }

  private static func address(
    _ host: UInt32, _ port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt
  ) -> CInt {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = host.bigEndian
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}
