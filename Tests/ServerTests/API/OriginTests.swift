import Foundation
import HTTPTypes
import Hummingbird
import Testing

@testable import Server

@Suite("Where a request comes from")
struct OriginTests {
  private func origin(
    _ headers: HTTPFields, peer: String = "10.0.0.1", proxies: [String], loginHeader: String? = nil
  ) -> Origin {
    var settings = ServerSettings()
    settings.loginHeader = loginHeader.flatMap { HTTPField.Name($0) }
    settings.trustedProxies = proxies.compactMap { AddressBlock($0) }
    let head = HTTPRequest(
      method: .get, scheme: "http", authority: "inner:8080", path: "/", headerFields: headers)
    return Origin(Request(head: head, body: .init(buffer: .init())), peer: peer, settings: settings)
  }

  @Test func `forwarded headers of a stranger mean nothing`() {
    let forged: HTTPFields = [
      .forwardedFor: "1.2.3.4", .forwardedProto: "https", .forwardedHost: "evil.example",
    ]
    let origin = origin(forged, proxies: ["192.168.0.0/16"])
    #expect(origin.address == "10.0.0.1" && !origin.isSecure && origin.authority == "inner:8080")
  }

  @Test func `behind trusted proxies the last address that is none of them counts`() {
    let headers: HTTPFields = [
      .forwardedFor: "6.6.6.6, 1.2.3.4, 10.0.0.7", .forwardedProto: "https", .forwardedHost: "alarm.example",
    ]
    let origin = origin(headers, proxies: ["10.0.0.0/8"])
    #expect(origin.address == "1.2.3.4")
    #expect(origin.text == "https://alarm.example")
  }

  @Test func `only a trusted proxy says who somebody is, and only once`() {
    let name = HTTPField.Name("Remote-User")!
    var headers: HTTPFields = [name: "anna"]
    func login(proxies: [String] = ["10.0.0.0/8"], header: String? = "Remote-User") -> String? {
      origin(headers, proxies: proxies, loginHeader: header).login
    }
    #expect(login() == "anna" && login(header: "remote-user") == "anna")
    #expect(login(proxies: ["192.168.0.0/16"]) == nil)
    #expect(login(header: nil) == nil && login(header: "Remote-Mail") == nil)
    headers.append(HTTPField(name: name, value: "ben"))
    #expect(login() == nil)
    headers = [name: ""]
    #expect(login() == nil)
  }

  @Test func `ports and brackets around an address are taken off`() {
    #expect(origin([.forwardedFor: "[2001:db8::1]:443"], proxies: ["10.0.0.1"]).address == "2001:db8::1")
    #expect(origin([.forwardedFor: "1.2.3.4:5"], proxies: ["10.0.0.1"]).address == "1.2.3.4")
  }

  @Test(arguments: [
    "<script>", "unknown", "_hidden", "1.2.3", "1.2.3.4/8", "", "::1/128", "a, b", "1.2.3.4.5",
  ])
  func `text that is no address of the network is left out`(text: String) {
    let proxies = ["10.0.0.1", "10.0.0.2"]
    #expect(origin([.forwardedFor: text], proxies: proxies).address == "10.0.0.1")
    #expect(origin([.forwardedFor: "5.6.7.8, \(text)"], proxies: proxies).address == "5.6.7.8")
    #expect(origin([.forwardedFor: "\(text), 5.6.7.8, 10.0.0.2"], proxies: proxies).address == "5.6.7.8")
    let long = String(repeating: "x", count: 3000)
    #expect(origin([.forwardedFor: long], proxies: proxies).address == "10.0.0.1")
  }

  @Test func `a set address counts before all headers`() {
    var settings = ServerSettings()
    settings.publicURL = .init(string: "https://alarm.example:8443")
    let head = HTTPRequest(method: .get, scheme: "http", authority: "x", path: "/")
    let origin = Origin(Request(head: head, body: .init(buffer: .init())), peer: nil, settings: settings)
    #expect(origin.text == "https://alarm.example:8443" && origin.isLoopback)
  }
}
