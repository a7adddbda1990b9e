import Geometry

/// A set of cases that have one word each in every form of a zone: PAD, GeoJSON, KML, the page's forms, the
/// server's API.
public protocol Worded: CaseIterable, Equatable, Sendable {
  /// In small letters, without blanks. Never changed, because files contain it.
  var word: Text { get }
}

extension Worded {
  /// - Parameter word: exactly as it is written.
  public init?(word: Text) {
    for value in Self.allCases where value.word == word {
      self = value
      return
    }
    return nil
  }
}

extension Assurance: Worded {
  public var word: Text {
    switch self {
    case .safety: "safety"
    case .normal: "normal"
    case .relaxed: "relaxed"
    }
  }
}

extension EdgeKind: Worded, CaseIterable {
  public static var allCases: [EdgeKind] { [.geodesic, .lonLat] }

  public var word: Text {
    switch self {
    case .geodesic: "geodesic"
    case .lonLat: "lonlat"
    }
  }
}

extension ZoneOutline {
  public enum Kind: Worded {
    case locations, path, area

    public var word: Text {
      switch self {
      case .locations: "locations"
      case .path: "path"
      case .area: "area"
      }
    }
  }

  public var kind: Kind {
    switch self {
    case .locations: .locations
    case .path: .path
    case .area: .area
    }
  }
}

extension Trigger {
  /// The kinds of trigger, one word each; `inside` is an entry for which driving through does not count.
  public enum Kind: Worded {
    case enter, inside, leave, enterLeave, insideLeave, dwell

    public var word: Text {
      switch self {
      case .enter: "enter"
      case .inside: "inside"
      case .leave: "leave"
      case .enterLeave: "enter_leave"
      case .insideLeave: "inside_leave"
      case .dwell: "dwell"
      }
    }

    /// True if a time is part of the trigger: inside for `dwell`, outside for the kinds that ring on leaving.
    public var hasTime: Bool { self != .enter && self != .inside }

    /// - Parameter time: ignored for kinds without one.
    public func trigger(after time: TimeSpan) -> Trigger {
      switch self {
      case .enter: .enter(passingCounts: true)
      case .inside: .enter(passingCounts: false)
      case .leave: .leave(after: time)
      case .enterLeave: .enterAndLeave(passingCounts: true, after: time)
      case .insideLeave: .enterAndLeave(passingCounts: false, after: time)
      case .dwell: .dwell(time)
      }
    }
  }

  public var kind: Kind {
    switch self {
    case .enter(passingCounts: true): .enter
    case .enter(passingCounts: false): .inside
    case .leave: .leave
    case .enterAndLeave(passingCounts: true, _): .enterLeave
    case .enterAndLeave(passingCounts: false, _): .insideLeave
    case .dwell: .dwell
    }
  }
}

extension Schedule.Weekdays {
  /// Reads digits, 1 for Monday to 7 for Sunday; nil for anything else.
  public init?(digits: some Sequence<UInt8>) {
    var days: UInt8 = 0
    for digit in digits {
      guard digit >= UInt8(ascii: "1"), digit <= UInt8(ascii: "7") else { return nil }
      days |= 1 << (digit - UInt8(ascii: "1"))
    }
    self.init(rawValue: days)
  }

  /// 1 for Monday to 7 for Sunday, ascending.
  public var numbers: [Int] { (1...7).filter { rawValue & 1 << UInt8($0 - 1) != 0 } }
}
