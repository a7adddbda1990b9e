import Foundation

#if canImport(UIKit)
  import UIKit
  import WebKit
#else
  import AppleFakes
  import FoundationNetworking
#endif

/// The page in full size. It is loaded from the app's own files when it is first shown.
public final class PageController: UIViewController {
  static let scheme = "proximity"
  static let start = URL(string: "proximity://app/index.html")!

  private let files: PageFiles
  private let bridge: PageBridge
  public private(set) var web: WKWebView?

  init(files: PageFiles, bridge: PageBridge) {
    self.files = files
    self.bridge = bridge
    #if canImport(UIKit)
      super.init(nibName: nil, bundle: nil)
    #else
      super.init()
    #endif
  }

  #if canImport(UIKit)
    required init?(coder: NSCoder) { preconditionFailure("the page is made in code") }
  #endif

  public override func loadView() {
    let configuration = WKWebViewConfiguration()
    configuration.setURLSchemeHandler(files, forURLScheme: Self.scheme)
    let scripts = configuration.userContentController
    scripts.addUserScript(
      WKUserScript(source: PageBridge.script, injectionTime: .atDocumentStart, forMainFrameOnly: true))
    scripts.addScriptMessageHandler(bridge, contentWorld: .page, name: PageBridge.name)
    let web = WKWebView(frame: .zero, configuration: configuration)
    web.navigationDelegate = self
    self.web = web
    view = web
  }

  public override func viewDidLoad() { web?.load(URLRequest(url: Self.start)) }

  /// The events of which the page is notified. It then asks for the new state.
  enum News: String { case onchange, onpermissions, onfile }
  func tell(_ news: News) {
    web?.evaluateJavaScript("globalThis.proximityPhone?.\(news.rawValue)?.()", completionHandler: nil)
  }
}

extension PageController {
  /// Lets the person choose where to save a file of the page, and tells the page whether it was saved.
  func share(_ bytes: Data, named name: String) {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent(UUID().uuidString, isDirectory: true)
    // Only the last component is used, so that the name cannot be a path.
    let last = (name as NSString).lastPathComponent
    let file = folder.appendingPathComponent(
      last.hasPrefix(".") || last == "/" || last.isEmpty ? "file" : last)
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try bytes.write(to: file)
    } catch { return tellSaved(false) }
    let sheet = UIActivityViewController(activityItems: [file], applicationActivities: nil)
    sheet.popoverPresentationController?.sourceView = view
    sheet.completionWithItemsHandler = { [weak self] _, isDone, _, _ in
      try? FileManager.default.removeItem(at: folder)
      self?.tellSaved(isDone)
    }
    present(sheet, animated: true)
  }

  private func tellSaved(_ isSaved: Bool) {
    web?.evaluateJavaScript("globalThis.proximityPhone?.onsaved?.(\(isSaved))", completionHandler: nil)
  }
}

extension PageController: WKNavigationDelegate {
  /// Keeps the page in the view: every other address is opened outside.
  public func webView(
    _ webView: WKWebView, decidePolicyFor navigationAction: WKNavigationAction,
    decisionHandler: @escaping @MainActor @Sendable (WKNavigationActionPolicy) -> Void
  ) {
    guard let url = navigationAction.request.url, url.scheme != Self.scheme else {
      return decisionHandler(.allow)
    }
    decisionHandler(.cancel)
    UIApplication.shared.open(url, options: [:], completionHandler: nil)
  }

  /// Loads the page again after the system ended its process. It restores its state from the engine and its
  /// own storage.
  public func webViewWebContentProcessDidTerminate(_ webView: WKWebView) {
    webView.load(URLRequest(url: Self.start))
  }
}
