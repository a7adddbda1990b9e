import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// https://developer.apple.com/documentation/webkit/wkwebviewconfiguration
@MainActor
public final class WKWebViewConfiguration {
  /// https://developer.apple.com/documentation/webkit/wkwebviewconfiguration/usercontentcontroller
  public var userContentController = WKUserContentController()
  var handlers: [String: any WKURLSchemeHandler] = [:]
  public init() {}
  /// https://developer.apple.com/documentation/webkit/wkwebviewconfiguration/seturlschemehandler(_:forurlscheme:)
  public func setURLSchemeHandler(_ handler: (any WKURLSchemeHandler)?, forURLScheme scheme: String) {
    handlers[scheme] = handler
  }
}

/// https://developer.apple.com/documentation/webkit/wkusercontentcontroller
@MainActor
public final class WKUserContentController {
  var handlers: [String: any WKScriptMessageHandlerWithReply] = [:]
  public private(set) var scripts: [WKUserScript] = []
  public init() {}
  /// https://developer.apple.com/documentation/webkit/wkusercontentcontroller/adduserscript(_:)
  public func addUserScript(_ script: WKUserScript) { scripts.append(script) }
  /// https://developer.apple.com/documentation/webkit/wkusercontentcontroller/addscriptmessagehandler(_:contentworld:name:)
  public func addScriptMessageHandler(
    _ handler: any WKScriptMessageHandlerWithReply, contentWorld: WKContentWorld, name: String
  ) { handlers[name] = handler }
}

/// https://developer.apple.com/documentation/webkit/wkcontentworld
@MainActor
public final class WKContentWorld {
  /// https://developer.apple.com/documentation/webkit/wkcontentworld/page
  public static let page = WKContentWorld()
}

/// https://developer.apple.com/documentation/webkit/wkuserscript
@MainActor
public final class WKUserScript {
  public let source: String
  /// https://developer.apple.com/documentation/webkit/wkuserscript/init(source:injectiontime:formainframeonly:)
  public init(source: String, injectionTime: WKUserScriptInjectionTime, forMainFrameOnly: Bool) {
    self.source = source
  }
}

/// https://developer.apple.com/documentation/webkit/wkuserscriptinjectiontime
public enum WKUserScriptInjectionTime: Int, Sendable { case atDocumentStart, atDocumentEnd }

/// https://developer.apple.com/documentation/webkit/wkscriptmessage
@MainActor
public final class WKScriptMessage {
  /// https://developer.apple.com/documentation/webkit/wkscriptmessage/name
  public let name: String
  /// https://developer.apple.com/documentation/webkit/wkscriptmessage/body
  public let body: Any
  init(name: String, body: Any) {
    self.name = name
    self.body = body
  }
}

/// https://developer.apple.com/documentation/webkit/wkscriptmessagehandlerwithreply
@MainActor
public protocol WKScriptMessageHandlerWithReply: AnyObject {
  /// https://developer.apple.com/documentation/webkit/wkscriptmessagehandlerwithreply/usercontentcontroller(_:didreceive:replyhandler:)
  func userContentController(
    _ userContentController: WKUserContentController, didReceive message: WKScriptMessage,
    replyHandler: @escaping @MainActor @Sendable (Any?, String?) -> Void)
}

/// https://developer.apple.com/documentation/webkit/wkurlschemehandler
@MainActor
public protocol WKURLSchemeHandler: AnyObject {
  /// https://developer.apple.com/documentation/webkit/wkurlschemehandler/webview(_:start:)
  func webView(_ webView: WKWebView, start urlSchemeTask: any WKURLSchemeTask)
  /// https://developer.apple.com/documentation/webkit/wkurlschemehandler/webview(_:stop:)
  func webView(_ webView: WKWebView, stop urlSchemeTask: any WKURLSchemeTask)
}

/// https://developer.apple.com/documentation/webkit/wkurlschemetask
@MainActor
public protocol WKURLSchemeTask: AnyObject {
  /// https://developer.apple.com/documentation/webkit/wkurlschemetask/request
  var request: URLRequest { get }
  /// https://developer.apple.com/documentation/webkit/wkurlschemetask/didreceive(_:)
  func didReceive(_ response: URLResponse)
  /// https://developer.apple.com/documentation/webkit/wkurlschemetask/didreceive(_:)
  func didReceive(_ data: Data)
  /// https://developer.apple.com/documentation/webkit/wkurlschemetask/didfinish()
  func didFinish()
  /// https://developer.apple.com/documentation/webkit/wkurlschemetask/didfailwitherror(_:)
  func didFailWithError(_ error: any Error)
}
