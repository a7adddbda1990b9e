import AlarmEngine
import Foundation
import PhoneSimulator

#if canImport(FoundationNetworking)
  import class FoundationNetworking.HTTPURLResponse
  import class FoundationNetworking.URLResponse
  import struct FoundationNetworking.URLRequest
#endif

/// https://developer.apple.com/documentation/foundation/urlsessiontask
public class URLSessionTask: @unchecked Sendable {
  /// https://developer.apple.com/documentation/foundation/urlsessiontask/taskidentifier
  public let taskIdentifier: Int
  /// https://developer.apple.com/documentation/foundation/urlsessiontask/originalrequest
  public let originalRequest: URLRequest?
  /// https://developer.apple.com/documentation/foundation/urlsessiontask/taskdescription
  public var taskDescription: String?
  /// https://developer.apple.com/documentation/foundation/urlsessiontask/response
  public fileprivate(set) var response: URLResponse?
  /// https://developer.apple.com/documentation/foundation/urlsessiontask/state-swift.property
  public fileprivate(set) var state = State.suspended
  /// https://developer.apple.com/documentation/foundation/urlsessiontask/state-swift.enum
  public enum State: Int, Sendable { case running, suspended, canceling, completed }

  fileprivate init(_ number: Int, _ request: URLRequest?) {
    taskIdentifier = number
    originalRequest = request
  }
  /// https://developer.apple.com/documentation/foundation/urlsessiontask/resume()
  public func resume() {}
  /// https://developer.apple.com/documentation/foundation/urlsessiontask/cancel()
  public func cancel() {}
}

/// https://developer.apple.com/documentation/foundation/urlsessionuploadtask
public final class URLSessionUploadTask: URLSessionTask, @unchecked Sendable {
  let file: URL
  /// The session of the process that holds this task; a later process sees the same transfer through another
  /// task.
  private let session: URLSession
  /// The transfer that the system carries out; nil for a task that ends with the process.
  private(set) var transfer: FakeNetwork.Transfer?

  init(_ number: Int, _ request: URLRequest, _ file: URL, of session: URLSession) {
    self.file = file
    self.session = session
    super.init(number, request)
  }

  init(_ transfer: FakeNetwork.Transfer, in session: URLSession) {
    (file, self.session, self.transfer) = (transfer.file, session, transfer)
    super.init(transfer.number, transfer.request)
    taskDescription = transfer.description
    state = transfer.outcome == nil ? .running : .completed
  }

  public override func resume() {
    guard state == .suspended, session.isAlive, let request = originalRequest else { return }
    state = .running
    MainActor.assumeIsolated {
      let network = FakePhone.current.network
      if let id = session.configuration.identifier {
        transfer = network.carry(request, file, description: taskDescription, session: id)
      } else {
        let began = FakePhone.now
        // A process that was suspended meanwhile finds its connection lost.
        session.after(FakeNetwork.travel) { [self] in
          guard state == .running else { return }
          let isLost = (FakePhone.now - began).seconds > FakeNetwork.travel + 1
          session.useNetwork()
          isLost ? complete(.failed(.networkConnectionLost)) : arrived(network.answer(request, file), request)
        }
      }
    }
  }

  public override func cancel() {
    guard state == .running || state == .suspended else { return }
    state = .canceling
    MainActor.assumeIsolated {
      if let transfer { return FakePhone.current.network.cancel(transfer) }
      session.after(0) { [self] in complete(.failed(.cancelled)) }
    }
  }

  @MainActor private func arrived(_ outcome: FakeNetwork.Outcome, _ request: URLRequest) {
    let began = FakePhone.now
    let wait =
      outcome == .failed(.timedOut) ? session.configuration.timeoutIntervalForRequest : FakeNetwork.travel
    session.after(wait) { [self] in
      guard state == .running else { return }
      guard (FakePhone.now - began).seconds <= wait + 1 else {
        return complete(.failed(.networkConnectionLost))
      }
      guard case .redirected(let response, let next) = outcome else { return complete(outcome) }
      (session.delegate as? any URLSessionTaskDelegate)?.urlSession(
        session, task: self, willPerformHTTPRedirection: response, newRequest: next
      ) { [self] followed in
        MainActor.assumeIsolated {
          guard let followed else { return complete(.answered(response)) }
          arrived(FakePhone.current.network.answer(followed, nil), followed)
        }
      }
    }
  }

  @MainActor func complete(_ outcome: FakeNetwork.Outcome) {
    state = .completed
    var error: URLError?
    switch outcome {
    case .answered(let response), .redirected(let response, _): self.response = response
    case .failed(let code): error = URLError(code)
    }
    (session.delegate as? any URLSessionTaskDelegate)?.urlSession(
      session, task: self, didCompleteWithError: error)
  }
}
