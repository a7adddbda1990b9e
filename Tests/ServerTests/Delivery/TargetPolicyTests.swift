import NIOCore
import Testing

@testable import Delivery
@testable import Server

@Suite("Which hosts are addressed")
struct TargetPolicyTests {
  @Test(arguments: [
    "8.8.8.8", "1.1.1.1", "172.15.0.1", "172.32.0.1", "100.63.0.1", "100.128.0.1", "192.169.0.1",
    "223.255.255.255",
    "2a00:1450:4001::1", "2606:4700::1111", "64:ff9b::808:808", "2002:808:808::1", "::ffff:8.8.8.8",
  ])
  func `public addresses are`(text: String) throws {
    #expect(try #require(NetworkAddress(literal: text)).isPublic)
    try TargetPolicy.publicInternet.check(NetworkAddress(SocketAddress(ipAddress: text, port: 443)))
  }

  @Test(arguments: [
    "0.0.0.0", "10.0.0.1", "100.64.0.1", "127.0.0.1", "127.255.255.255", "169.254.169.254", "172.16.0.1",
    "172.31.255.255", "192.0.0.1", "192.0.2.1", "192.88.99.1", "192.168.1.1", "198.18.0.1", "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1", "255.255.255.255", "::", "::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1",
    "64:ff9b::7f00:1",
    "2002:7f00:1::1", "fe80::1", "fc00::1", "fd12::1", "ff02::1", "2001:db8::1", "2001::1", "3fff::1",
    "100::1",
  ])
  func `others are not`(text: String) throws {
    #expect(try !#require(NetworkAddress(literal: text)).isPublic)
    #expect(throws: TargetRefusal.self) {
      try TargetPolicy.publicInternet.check(NetworkAddress(SocketAddress(ipAddress: text, port: 443)))
    }
    let host = text.contains(":") ? "[\(text)]" : text
    #expect(throws: TargetRefusal.self) { try TargetURL("https://\(host)/x", policy: .publicInternet) }
    #expect(try TargetURL("https://\(host)/x", policy: anywhere).port == 443)
  }

  @Test(arguments: [
    "http://example.org/", "ftp://example.org/", "https://localhost/", "https://a.localhost./",
    "https://printer.local/",
    "https://intranet/", "https://2130706433/", "https://0x7f.1/", "https://127.1/",
    "https://u:p@example.org/",
    "https://example.org/#x", "https://example.org:0/", "https://exa mple.org/", "example.org", "",
    "https://",
    "https://example.org/\r\nX: y", "https://[::1", "https://example.org:99999/",
    "https://metadata.google.internal/",
    "https://017700000001/",
  ])
  func `URLs that could lead astray are refused`(text: String) {
    #expect(throws: TargetRefusal.self) { try TargetURL(text, policy: .publicInternet) }
  }

  @Test func `a URL shows its origin and keeps its path to itself`() throws {
    let url = try TargetURL("HTTPS://Hooks.Example.org/very/secret?x=1", policy: .publicInternet)
    #expect(url.origin == "https://hooks.example.org" && "\(url)" == "https://hooks.example.org")
    #expect(
      try TargetURL("https://example.org:8443/", policy: .publicInternet).origin == "https://example.org:8443"
    )
  }
}
