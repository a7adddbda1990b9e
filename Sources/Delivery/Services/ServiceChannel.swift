/// Sends alarms to a messaging service.
public struct ServiceChannel: DeliveryChannel {
  package let service: MessagingService
  package let http: DeliveryHTTP

  public init(service: MessagingService, http: DeliveryHTTP) {
    self.service = service
    self.http = http
  }

  public var description: String { service.description }

  public func deliver(_ notice: AlarmNotice) async -> DeliveryOutcome {
    await send(service.request(telling: notice))
  }

  public func withdraw(_ withdrawal: AlarmWithdrawal) async -> DeliveryOutcome? {
    guard let request = service.request(withdrawing: withdrawal) else { return nil }
    return await send(request)
  }

  private func send(_ request: ServiceRequest) async -> DeliveryOutcome {
    do throws(DeliveryFailure) {
      return service.outcome(
        of: try await http.send(request.method, request.url, headers: request.headers, body: request.body))
    } catch { return error.outcome }
  }
}
