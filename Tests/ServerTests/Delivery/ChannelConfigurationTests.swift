import Store
import TestSupport
import Testing

@testable import AlarmService
@testable import Delivery
@testable import Server

@Suite("Channel settings")
struct ChannelConfigurationTests {
  @Test(arguments: [
    (
      ChannelKind.ntfy, #"{"topic":"a b"}"#,
      "topic: other characters found; allowed: 1 to 64 of A-Z, a-z, 0-9, - and _"
    ),
    (.ntfy, #"{"topic":7}"#, "topic: a number found; allowed: a string"),
    (.ntfy, #"{"topik":"a"}"#, "topic: nothing found; allowed: a string"),
    (.ntfy, #"{"topic":"a","colour":1}"#, "colour: an unknown member found; allowed: server, token, topic"),
    (.ntfy, #"{"topic":"a","topic":"b"}"#, "topic: two members of this name found; allowed: one"),
    (.ntfy, #"["a"]"#, "an array found; allowed: a JSON object"),
    (.ntfy, #"{"topic":"a""#, "no JSON (line 1: the text ends early) found; allowed: a JSON object"),
    (
      .ntfy, #"{"topic":"a","server":"https://10.0.0.1"}"#,
      "server: 10.0.0.1 found; allowed: hosts on the public internet (the operator can allow private networks)"
    ),
    (
      .webhook, #"{"url":"http://example.org","secret":"0123456789abcdef"}"#,
      "url: http found; allowed: an https URL"
    ),
    (
      .webhook, #"{"url":"https://example.org","secret":"short"}"#,
      "secret: 5 bytes found; allowed: 16 to 256 bytes"
    ),
    (.webhook, #"{"url":"https://example.org"}"#, "secret: nothing found; allowed: a string"),
    (
      .mail, #"{"address":"anna@example.org, eve@example.org"}"#,
      "address: anna@example.org, eve@example.org found; allowed: one ASCII address such as anna@example.org, at most 254 characters"
    ),
    (
      .mail, #"{"address":"a\r\nRCPT TO:<x@y.z>@example.org"}"#,
      "address: a control character found; allowed: one line of text"
    ),
    (.ownTracks, #"{"tid":"ANNA"}"#, "tid: 4 characters found; allowed: 1 or 2 characters"),
    (
      .homeAssistant, #"{"webhook_id":"a/../b","instance":"https://example.org"}"#,
      "webhook_id: other characters found; allowed: A-Z, a-z, 0-9, - and _"
    ),
    (
      .homeAssistant, #"{"instance":"https://example.org"}"#,
      "access_token: nothing found; allowed: a long-lived access token, or the webhook_id of a registration"
    ),
    (
      .homeAssistant, #"{"access_token":"a"}"#,
      "instance: nothing found; allowed: the address of Home Assistant"
    ),
    (
      .homeAssistant, #"{"webhook_id":"a"}"#,
      "instance: nothing found; allowed: at least one of cloudhook_url, remote_ui_url, instance"
    ),
    (
      .apns, #"{"token":"xyz","topic":"a.b"}"#,
      "token: 3 characters that are something else found; allowed: 16 to 400 hexadecimal digits, an even number"
    ),
    (
      .apns, #"{"token":"00112233445566778899","topic":"a.b","environment":"test"}"#,
      "environment: test found; allowed: production, development"
    ),
    (
      .apns, #"{"token":"00112233445566778899","topic":"a.b","critical":"yes"}"#,
      "critical: a string found; allowed: true or false"
    ),
    (
      .webPush,
      #"{"endpoint":"https://push.example","keys":{"p256dh":"AAAA","auth":"BTBZMqHH6r4Tts7J_aSIgg"}}"#,
      "p256dh: 4 characters that are something else found; allowed: 65 bytes in base64url"
    ),
    (.webPush, #"{"endpoint":"https://push.example"}"#, "keys: nothing found; allowed: an object"),
    (
      .gotify, #"{"server":"http://gotify.example.org","token":"A"}"#,
      "server: http found; allowed: an https URL"
    ),
    (
      .telegram, #"{"token":"nonsense","chat":"1"}"#,
      "token: something else found; allowed: the bot's token, as 123456:ABC-DEF"
    ),
    (
      .telegram, #"{"token":"1:a","chat":"Anna"}"#,
      "chat: Anna found; allowed: the chat's number, or @name of a channel"
    ),
    (
      .pushover, #"{"token":"a/b","user":"u"}"#,
      "token: other characters found; allowed: A-Z, a-z, 0-9, - and _"
    ),
    (
      .matrix, ##"{"server":"https://m.example.org","token":"s","room":"#home:example.org"}"##,
      "room: #home:example.org found; allowed: the room's id, as !abc:example.org (an alias with # is not enough)"
    ),
    (
      .apprise, #"{"server":"https://a.example.org","key":"a b"}"#,
      "key: other characters found; allowed: A-Z, a-z, 0-9, - and _"
    ),
    (
      .gateway, #"{"url":"https://sms.example.org","to":"0170 1234567"}"#,
      "to: 0170 1234567 found; allowed: a phone number with its country, as +49 170 1234567"
    ),
    (
      .gateway, #"{"url":"https://sms.example.org","to":"+491701234567","kind":"fax"}"#,
      "kind: fax found; allowed: sms, voice"
    ),
    (
      .gateway, #"{"url":"https://sms.example.org","to":"+491701234567","fields":{"To":"{to}"}}"#,
      "fields: no {text} found; allowed: members of which one has {text} in its value"
    ),
    (
      .gateway, #"{"url":"https://sms.example.org","to":"+491701234567","fields":{}}"#,
      "fields: 0 members found; allowed: 1 to 20"
    ),
    (
      .mqtt, #"{"shares_position":"yes"}"#,
      "shares_position: a string found; allowed: true or false"
    ),
    (
      .mqtt, #"{"host":"broker"}"#,
      "host: an unknown member found; allowed: discovery, shares_position"
    ),
  ])
  func `what is wrong is named, with what is allowed`(kind: ChannelKind, json: String, message: String) {
    let error = #expect(throws: ConfigurationError.self) {
      try configuration(kind, json, policy: .publicInternet)
    }
    #expect(error?.description == message)
  }

  @Test(arguments: [
    (ChannelKind.ntfy, #"{"topic":"SECRET"}"#, "ntfy at ntfy.sh"),
    (.ntfy, #"{"topic":"SECRET","token":"SECRET"}"#, "ntfy at ntfy.sh"),
    (
      .webhook, #"{"url":"https://example.org/SECRET","secret":"SECRETSECRETSECRET"}"#,
      "webhook at https://example.org"
    ),
    (.mail, #"{"address":"anna+alarm@example.org"}"#, "mail to anna+alarm@example.org"),
    (.ownTracks, "{}", "OwnTracks"),
    (.mqtt, "{}", "this server's MQTT broker"),
    (.mqtt, #"{"shares_position":true}"#, "this server's MQTT broker, with positions"),
    (
      .homeAssistant,
      #"{"instance":"https://ha.example.org/","webhook_id":"SECRET","cloudhook_url":"https://hooks.example/SECRET"}"#,
      "Home Assistant at ha.example.org"
    ),
    (.apns, #"{"token":"00112233445566778899","topic":"org.example"}"#, "APNs for org.example"),
    (
      .gotify, #"{"server":"https://gotify.example.org/sub/","token":"SECRET"}"#,
      "Gotify at gotify.example.org"
    ),
    (.telegram, #"{"token":"123:SECRET","chat":"-100123"}"#, "Telegram chat -100123"),
    (.pushover, #"{"token":"SECRET","user":"SECRET","emergency":false}"#, "Pushover"),
    (
      .matrix, #"{"server":"https://m.example.org","token":"SECRET","room":"!a:example.org"}"#,
      "Matrix room at m.example.org"
    ),
    (.apprise, #"{"server":"https://a.example.org","key":"SECRET"}"#, "Apprise at a.example.org"),
    (
      .gateway,
      #"{"url":"https://sms.example.org/SECRET","to":"+49 (170) 123-45 67","authorization":"SECRET","fields":{"Body":"{text}","k":"SECRET"}}"#,
      "text message to …567 by sms.example.org"
    ),
  ])
  func `good settings are taken, and what they show is no secret`(
    kind: ChannelKind, json: String, summary: String
  ) throws {
    let made = try configuration(kind, json, policy: .publicInternet)
    #expect(made.kind == kind && made.summary == summary)
    var dumped = ""
    dump(made, to: &dumped)
    let shown = "\(dumped) \(made) \(String(reflecting: made))"
    #expect(!shown.contains("SECRET") && !shown.contains("0011223344"), "\(shown)")
  }

  @Test func `more JSON than any settings need is not looked at`() {
    let error = #expect(throws: ConfigurationError.self) {
      try configuration(.ntfy, #"{"topic":"\#(String(repeating: "a", count: 17_000))"}"#)
    }
    #expect(error?.allowed == "at most 16384")
  }

  @Test(arguments: Seeds.few(4))
  func `broken settings never trap`(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    let sample = Array(
      #"{"endpoint":"https://push.example","keys":{"p256dh":"BCVx","auth":"BT"},"url":"https://a.b","token":"00ff","address":"a@b.c"}"#
        .utf8)
    for _ in 0..<300 {
      var bytes = sample
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(
          in: .min ... .max, using: &generator)
      }
      for kind in ChannelKind.allCases {
        _ = try? ChannelConfiguration(kind: kind, json: bytes, policy: .publicInternet)
      }
    }
  }
}
