import NIOConcurrencyHelpers

/// Counters, gauges and histograms, printed in Prometheus' text format (version 0.0.4).
///
/// The series are few: labels come from the route table and from enumerations, never from requests.
public final class Metrics: Sendable {
  /// A name with its labels, as they are printed: `requests_total{route="..."}`.
  private struct Series: Hashable, Comparable {
    let name: String
    let labels: String
    static func < (a: Self, b: Self) -> Bool { (a.name, a.labels) < (b.name, b.labels) }
  }
  private struct Histogram {
    var counts = [UInt64](repeating: 0, count: Metrics.bounds.count + 1)
    var sum = 0.0

    mutating func note(_ seconds: Double) {
      counts[Metrics.bounds.firstIndex { seconds <= $0 } ?? Metrics.bounds.count] += 1
      sum += seconds
    }
  }
  private struct Answer: Hashable {
    let route: String
    let method: String
    let status: Int
  }
  private struct Book {
    /// Labels are formatted when the metrics are printed, not with each request.
    var answers: [Answer: Int] = [:]
    var answerTimes: [String: Histogram] = [:]
    var counters: [Series: Double] = [:]
    var gauges: [Series: Double] = [:]
    var histograms: [Series: Histogram] = [:]
    var help = Metrics.help
  }

  /// Upper bounds in seconds.
  package static let bounds = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30, 60, 300,
  ]
  private let book = NIOLockedValueBox(Book())

  public init() {}

  /// Sets the help text of a metric, printed before its first line.
  public func describe(_ name: String, _ help: String) { book.withLockedValue { $0.help[name] = help } }

  public func count(_ name: String, _ labels: KeyValuePairs<String, String> = [:], by step: Double = 1) {
    let series = Self.series(name, labels)
    book.withLockedValue { $0.counters[series, default: 0] += step }
  }

  /// Sets a counter that is counted elsewhere and never decreases.
  package func setTotal(_ name: String, _ labels: KeyValuePairs<String, String> = [:], to value: Double) {
    let series = Self.series(name, labels)
    book.withLockedValue { $0.counters[series] = max($0.counters[series] ?? 0, value) }
  }

  public func set(_ name: String, _ labels: KeyValuePairs<String, String> = [:], to value: Double) {
    let series = Self.series(name, labels)
    book.withLockedValue { $0.gauges[series] = value }
  }

  /// Removes a gauge while its value is not known.
  public func unset(_ name: String, _ labels: KeyValuePairs<String, String> = [:]) {
    let series = Self.series(name, labels)
    book.withLockedValue { $0.gauges[series] = nil }
  }

  public func observe(
    _ name: String, _ labels: KeyValuePairs<String, String> = [:], seconds: Double
  ) {
    let series = Self.series(name, labels)
    book.withLockedValue { $0.histograms[series, default: Histogram()].note(seconds) }
  }

  /// Counts a request that was answered.
  package func request(route: String, method: String, status: Int, seconds: Double) {
    book.withLockedValue { book in
      book.answers[Answer(route: route, method: method, status: status), default: 0] += 1
      book.answerTimes[route, default: Histogram()].note(seconds)
    }
  }

  /// All series, in order of their names.
  public var text: String {
    var book = book.withLockedValue { $0 }
    for (answer, count) in book.answers {
      let labels: KeyValuePairs = [
        "route": answer.route, "method": answer.method, "status": String(answer.status),
      ]
      book.counters[Self.series("proximity_requests_total", labels)] = Double(count)
    }
    for (route, times) in book.answerTimes {
      book.histograms[Self.series("proximity_request_seconds", ["route": route])] = times
    }
    var out = ""
    var last = ""
    func head(_ name: String, _ type: String) {
      guard name != last else { return }
      last = name
      if let help = book.help[name] { out += "# HELP \(name) \(help)\n" }
      out += "# TYPE \(name) \(type)\n"
    }
    for (series, value) in book.counters.sorted(by: { $0.key < $1.key }) {
      head(series.name, "counter")
      out += "\(series.name)\(Self.braces(series.labels)) \(Self.number(value))\n"
    }
    for (series, value) in book.gauges.sorted(by: { $0.key < $1.key }) {
      head(series.name, "gauge")
      out += "\(series.name)\(Self.braces(series.labels)) \(Self.number(value))\n"
    }
    for (series, histogram) in book.histograms.sorted(by: { $0.key < $1.key }) {
      head(series.name, "histogram")
      var sum: UInt64 = 0
      let labels = series.labels.isEmpty ? "" : series.labels + ","
      for (index, count) in histogram.counts.enumerated() {
        sum += count
        let bound = index < Self.bounds.count ? Self.number(Self.bounds[index]) : "+Inf"
        out += "\(series.name)_bucket{\(labels)le=\"\(bound)\"} \(sum)\n"
      }
      out += "\(series.name)_sum\(Self.braces(series.labels)) \(Self.number(histogram.sum))\n"
      out += "\(series.name)_count\(Self.braces(series.labels)) \(sum)\n"
    }
    return out
  }

  private static func series(_ name: String, _ labels: KeyValuePairs<String, String>) -> Series {
    let text = labels.map { "\($0)=\"\(escaped($1))\"" }.joined(separator: ",")
    return Series(name: name, labels: text)
  }
  private static func braces(_ labels: String) -> String { labels.isEmpty ? "" : "{\(labels)}" }
  private static func number(_ value: Double) -> String {
    Int64(exactly: value).map { String($0) } ?? "\(value)"
  }
  private static func escaped(_ text: String) -> String {
    var out = ""
    for character in text {
      switch character {
      case "\\": out += "\\\\"
      case "\"": out += "\\\""
      case "\n": out += "\\n"
      default: out.append(character)
      }
    }
    return out
  }
}
