import Foundation
import PhoneSimulator

#if canImport(FoundationNetworking)
  import class FoundationNetworking.HTTPURLResponse
  import struct FoundationNetworking.URLRequest
#endif

/// https://developer.apple.com/documentation/foundation/urlsession
///
/// Foundation's own on Linux is not what iOS has: it knows no sessions that outlive the process, and its transfers need a
/// real network. This one carries bytes between the application and the server that a test plays, see ``FakeNetwork``.
public final class URLSession: @unchecked Sendable {
  /// https://developer.apple.com/documentation/foundation/urlsession/configuration
  public let configuration: URLSessionConfiguration
  /// https://developer.apple.com/documentation/foundation/urlsession/delegate
  ///
  /// Apple's is strong: it lasts as long as the process. Here memory outlasts the process.
  public private(set) weak var delegate: (any URLSessionDelegate)?
  private let environment: ApplicationEnvironment?
  private var number = 0

  /// https://developer.apple.com/documentation/foundation/urlsession/init(configuration:delegate:delegatequeue:)
  public init(
    configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?,
    delegateQueue queue: OperationQueue?
  ) {
    precondition(queue === OperationQueue.main, "the fake calls on the main queue alone")
    self.configuration = configuration
    self.delegate = delegate
    environment = Phone.current?.environment
    if let id = configuration.identifier {
      MainActor.assumeIsolated { FakePhone.current.network.begin(self, id) }
    }
  }

  /// https://developer.apple.com/documentation/foundation/urlsession/uploadtask(with:fromfile:)
  public func uploadTask(with request: URLRequest, fromFile fileURL: URL) -> URLSessionUploadTask {
    number += 1
    return URLSessionUploadTask(number, request, fileURL, of: self)
  }

  /// https://developer.apple.com/documentation/foundation/urlsession/getalltasks(completionhandler:)
  public func getAllTasks(completionHandler: @escaping @Sendable ([URLSessionTask]) -> Void) {
    MainActor.assumeIsolated {
      after(0) { [self] in
        let id = configuration.identifier
        completionHandler(id.map { FakePhone.current.network.transfers(of: $0, in: self) } ?? [])
      }
    }
  }

  /// True if the process that made this session still runs.
  var isAlive: Bool { environment.map { $0 === Phone.current?.environment } ?? false }

  /// In this process, when it next runs; never where it has ended.
  func after(_ seconds: Double, _ action: @escaping @MainActor () -> Void) {
    environment?.after(.seconds(seconds)) { MainActor.assumeIsolated { action() } }
  }
  func useNetwork() { environment?.useNetwork() }
}

/// https://developer.apple.com/documentation/foundation/urlsessionconfiguration
public final class URLSessionConfiguration: @unchecked Sendable {
  /// https://developer.apple.com/documentation/foundation/urlsessionconfiguration/ephemeral
  public static var ephemeral: URLSessionConfiguration { URLSessionConfiguration(nil) }
  /// https://developer.apple.com/documentation/foundation/urlsessionconfiguration/background(withidentifier:)
  public static func background(withIdentifier identifier: String) -> URLSessionConfiguration {
    URLSessionConfiguration(identifier)
  }

  /// https://developer.apple.com/documentation/foundation/urlsessionconfiguration/identifier
  public let identifier: String?
  /// https://developer.apple.com/documentation/foundation/urlsessionconfiguration/timeoutintervalforrequest
  public var timeoutIntervalForRequest: TimeInterval = 60
  /// https://developer.apple.com/documentation/foundation/urlsessionconfiguration/timeoutintervalforresource
  public var timeoutIntervalForResource: TimeInterval = 7 * 86_400
  /// https://developer.apple.com/documentation/foundation/urlsessionconfiguration/sessionsendslaunchevents
  public var sessionSendsLaunchEvents = true
  /// https://developer.apple.com/documentation/foundation/urlsessionconfiguration/isdiscretionary
  public var isDiscretionary = false

  private init(_ identifier: String?) { self.identifier = identifier }
}

/// https://developer.apple.com/documentation/foundation/urlsessiondelegate
public protocol URLSessionDelegate: NSObjectProtocol, Sendable {
  /// https://developer.apple.com/documentation/foundation/urlsessiondelegate/urlsessiondidfinishevents(forbackgroundurlsession:)
  func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession)
}

/// https://developer.apple.com/documentation/foundation/urlsessiontaskdelegate
public protocol URLSessionTaskDelegate: URLSessionDelegate {
  /// https://developer.apple.com/documentation/foundation/urlsessiontaskdelegate/urlsession(_:task:willperformhttpredirection:newrequest:completionhandler:)
  ///
  /// Not asked of sessions in the background: they follow by themselves.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void)
  /// https://developer.apple.com/documentation/foundation/urlsessiontaskdelegate/urlsession(_:task:didcompletewitherror:)
  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?)
}
