import Foundation

#if canImport(UIKit)
  import WebKit
#else
  import AppleTwins
#endif

/// What the page can ask of the phone, as `proximityPhone` in its scripts. Every member gives a promise.
///
/// `ask` carries a request of the page to the engine and its answer back, both as base64; nothing of it is read here.
public final class PageBridge: NSObject, WKScriptMessageHandlerWithReply {
  static let name = "proximityPhone"
  static let script = """
    {
      const send = (op, more) => webkit.messageHandlers.proximityPhone.postMessage({ op, ...more });
      globalThis.proximityPhone = Object.freeze({
        platform: 'ios',
        ask: (base64) => send('ask', { base64 }),
        state: () => send('state').then(JSON.parse),
        allow: (what) => send('allow', { what }),
        openSettings: () => send('settings'),
        tryRing: () => send('try'),
        journal: () => send('journal'),
      });
    }
    """

  /// Where the page's messages go.
  weak var clock: AlarmClock?

  public func userContentController(
    _ userContentController: WKUserContentController, didReceive message: WKScriptMessage,
    replyHandler: @escaping @MainActor @Sendable (Any?, String?) -> Void
  ) {
    guard let clock else { return replyHandler(nil, "the app is ending") }
    guard let body = message.body as? [String: Any], let op = body["op"] as? String else {
      return replyHandler(nil, "a message is an object with the name of what is asked under op")
    }
    switch op {
    case "ask":
      guard let text = body["base64"] as? String, let request = Data(base64Encoded: text) else {
        return replyHandler(nil, "a request is base64")
      }
      replyHandler(Data(clock.ask([UInt8](request))).base64EncodedString(), nil)
    case "state": replyHandler(clock.state, nil)
    case "allow":
      guard let what = (body["what"] as? String).flatMap(PermissionAsk.init(rawValue:)) else {
        let all = PermissionAsk.allCases.map(\.rawValue).joined(separator: ", ")
        return replyHandler(nil, "one of \(all) can be allowed")
      }
      clock.conditions.ask(what)
      replyHandler(true, nil)
    case "settings":
      clock.conditions.openSettings()
      replyHandler(true, nil)
    case "try":
      clock.ringer.tryOut()
      replyHandler(true, nil)
    case "journal": replyHandler(clock.files.journalForExport.base64EncodedString(), nil)
    default: replyHandler(nil, "\(op) is nothing that can be asked of the phone")
    }
  }
}
