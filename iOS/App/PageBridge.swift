import Foundation

#if canImport(UIKit)
  import WebKit
#else
  import AppleFakes
#endif

/// The page's interface to the phone, `proximityPhone` in its scripts: the same members as in the Android
/// app, except that each returns a promise. The page is notified of events by `onchange`, `onpermissions`,
/// `onfile` and `onsaved(saved)`, if it has set them.
///
/// `ask` carries a request of the page to the engine and its answer back, both as base64 and not interpreted
/// here.
public final class PageBridge: NSObject, WKScriptMessageHandlerWithReply {
  static let name = "proximityPhone"
  static let script = """
    {
      const send = (op, more) => webkit.messageHandlers.proximityPhone.postMessage({ op, ...more });
      globalThis.proximityPhone = {
        ask: (base64) => send('ask', { base64 }),
        permissions: () => send('permissions'),
        request: (what) => send('request', { what }),
        openSettings: () => send('openSettings'),
        test: (seconds) => send('test', { seconds }),
        sounding: (isUntilClosed, isRising) => send('sounding', { isUntilClosed, isRising }),
        takeFile: () => send('takeFile'),
        keepSound: (name, base64) => send('keepSound', { name, base64 }),
        report: (address, token) => send('report', { address, token }),
        reports: () => send('reports'),
        journal: () => send('journal'),
        firstRun: () => send('firstRun'),
        systemAlarmCycle: (seconds) => send('systemAlarmCycle', { seconds }),
        save: (name, type, base64) => send('save', { name, base64 }),
      };
    }
    """

  /// The receiver of the page's messages.
  weak var clock: AlarmClock?

  public func userContentController(
    _ userContentController: WKUserContentController, didReceive message: WKScriptMessage,
    replyHandler: @escaping @MainActor @Sendable (Any?, String?) -> Void
  ) {
    guard let clock else { return replyHandler(nil, "the app is ending") }
    guard let body = message.body as? [String: Any], let op = body["op"] as? String else {
      return replyHandler(nil, "a message is an object with the name of what is asked under op")
    }
    clock.firstRun.pageAsked()
    switch op {
    case "ask":
      guard let request = bytes(body) else { return replyHandler(nil, "a request is base64") }
      replyHandler(Data(clock.ask([UInt8](request))).base64EncodedString(), nil)
    case "permissions": replyHandler(clock.permissions, nil)
    case "request":
      guard let what = (body["what"] as? String).flatMap(PermissionAsk.init(rawValue:)) else {
        let all = PermissionAsk.allCases.map(\.rawValue).joined(separator: ", ")
        return replyHandler(nil, "one of \(all) can be asked for")
      }
      clock.conditions.ask(what)
      replyHandler(true, nil)
    case "openSettings":
      clock.conditions.openSettings()
      replyHandler(true, nil)
    case "test":
      clock.ringer.tryOut(after: (body["seconds"] as? NSNumber)?.doubleValue ?? 0)
      replyHandler(true, nil)
    case "sounding":
      guard let isUntilClosed = body["isUntilClosed"] as? Bool, let isRising = body["isRising"] as? Bool
      else {
        return replyHandler(nil, "whether alarms sound until closed, and whether they rise, is true or false")
      }
      clock.ringer.choose(isUntilClosed: isUntilClosed, isRising: isRising)
      replyHandler(true, nil)
    case "report":
      guard let address = body["address"] as? String, let token = body["token"] as? String else {
        return replyHandler(nil, "a server has an address and a token")
      }
      clock.report(to: address, token)
      replyHandler(true, nil)
    case "reports": replyHandler(clock.reports?.state ?? "{}", nil)
    case "takeFile": replyHandler(clock.takeFile(), nil)
    case "keepSound":
      guard let name = body["name"] as? String, let sound = bytes(body) else {
        return replyHandler(nil, "a sound has a name and is base64")
      }
      replyHandler(AlarmTone.keep(sound, named: name), nil)
    case "save":
      guard let name = body["name"] as? String, let file = bytes(body) else {
        return replyHandler(nil, "a file has a name and is base64")
      }
      clock.page.share(file, named: name)
      replyHandler(true, nil)
    case "systemAlarmCycle":
      // Without a number it is only asked for.
      if let seconds = (body["seconds"] as? NSNumber)?.doubleValue, seconds.isFinite {
        clock.ringer.systemAlarmCycle = Int(min(max(seconds, 0), 1e6))
      }
      replyHandler(clock.ringer.systemAlarmCycle, nil)
    case "firstRun": clock.reportFirstRun { replyHandler($0, nil) }
    case "journal": replyHandler(clock.files.journalForExport.base64EncodedString(), nil)
    default: replyHandler(nil, "\(op) is nothing that can be asked of the phone")
    }
  }

  private func bytes(_ body: [String: Any]) -> Data? {
    (body["base64"] as? String).flatMap { Data(base64Encoded: $0) }
  }
}
