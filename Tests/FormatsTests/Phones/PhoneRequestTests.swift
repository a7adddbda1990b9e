import Testing

@testable import Formats

@Suite("Requests of phones")
struct PhoneRequestTests {
  @Test(
    arguments: [
      ("/pub", PhoneEndpoint.owntracks, nil, nil), ("/owntracks", .owntracks, nil, nil),
      ("/", .traccar, nil, nil),
      ("", .traccar, nil, nil), ("/overland/tok", .overland, "tok", nil),
      ("/osmand/a%2Fb/c%20d/", .osmand, "a/b", "c d"),
      ("/gpslogger/tok", .gpslogger, "tok", nil), ("/logGet/t/d", .logGet, "t", "d"),
      ("/apps/phonetrack/log/ulogger/t/d/client/index.php", .logULogger, "t", "d"),
      ("/index.php/apps/phonetrack/logPostMultiple/t/d", .logPostMultiple, "t", "d"),
      ("//log/opengts//t/d", .logOpenGTS, "t", "d"), ("/log/opengts", .logOpenGTS, nil, nil),
    ] as [(String, PhoneEndpoint, String?, String?)])
  func `a path names the endpoint, the token and the device`(
    path: String, endpoint: PhoneEndpoint, token: String?, device: String?
  ) {
    let request = phoneRequest(path)
    #expect(request.endpoint == endpoint && request.token == token && request.device == device)
  }

  @Test(arguments: ["/zones", "/log", "/log/", "/log/nothing/t/d", "/pubs", "/apps/other", "/%00"])
  func `other paths are no phones'`(path: String) {
    #expect(
      PhoneRequest(path: path, query: "", header: { _ in nil }, body: [], receivedAt: phoneArrival) == nil)
  }

  @Test(
    arguments: [
      ("Basic YW5uYTpzZWNyZXQ=", .basic(user: "anna", password: "secret")),
      ("basic  YW5uYTpzZTpjcmV0", .basic(user: "anna", password: "se:cret")),
      ("Basic Og==", .basic(user: "", password: "")), ("Bearer tok", .bearer(token: "tok")),
      ("Basic tok:", .bearer(token: "tok")), ("Basic !!", nil), ("Basic YW5uYQ==", nil), ("Bearer ", nil),
      ("", nil),
      ("Digest x", nil), ("Basic :", nil),
    ] as [(String, PhoneCredentials?)])
  func `credentials are Basic, Bearer, or Overland's bare token`(
    header: String, credentials: PhoneCredentials?
  ) {
    #expect(PhoneCredentials(authorization: header) == credentials)
  }

  @Test func `percent encoding is read back, and bad encoding is itself`() {
    let odd = "a b+c/d?e=f&g%h:é\u{1f600}\n"
    #expect(PercentCoding.decode(Array(PercentCoding.encode(odd).utf8)[...]) == odd)
    #expect(PercentCoding.decode(Array("100%, %4, %zz%41+".utf8)[...]) == "100%, %4, %zzA+")
    #expect(PercentCoding.decode(Array("a+b".utf8)[...], plusIsBlank: true) == "a b")
    #expect(PercentCoding.decode(Array("%e9%".utf8)[...]) == "é%")
  }

  @Test(
    arguments: [
      (#"{"a":,"b":1}"#, #"{"a":null,"b":1}"#), (#"{"a":NaN}"#, #"{"a":"NaN"}"#),
      (#"{"a":+1.5}"#, #"{"a":"+1.5"}"#),
      (#"[1,,2]"#, #"[1,null,2]"#), (#"{"a": }"#, #"{"a": null}"#),
      (#"{"x,:":-Infinity}"#, #"{"x,:":"-Infinity"}"#),
      (#"{"a":1e999,"\",":2}"#, #"{"a":"1e999","\",":2}"#), (#"{"a":1}"#, nil), ("", nil), (#"{"a"#, nil),
    ] as [(String, String?)])
  func `JSON from a template is mended where a value is missing or no JSON`(text: String, mended: String?) {
    #expect(JSONMending.mend(Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) } == mended)
  }
}
