import Geometry

/// The most likely position of the phone, and its standard deviation along each axis.
struct Belief: Hashable, Sendable {
  var position: Coordinate
  var deviation: Distance
}

/// The errors of coarse fixes, learned from the phone's own fixes, and the last fix of each kind: satellites
/// or network.
///
/// Errors of satellites and of the network are independent, so a recent fix of one kind makes a fix of the
/// other more accurate. Two fixes of one kind often share their error, and are not combined.
struct SensorMemory: Hashable, Sendable {
  /// True if the last accepted fix states at most `satellitesAtMost`; nil if there is none, or if it was not
  /// noted.
  private var lastIsFine: Bool?
  /// The storage of `other`, which most phones never have.
  private var heldOther = Seldom<Fix>.nothing
  /// The learned errors of coarse fixes, by Wi-Fi (`wifi`) and by the mobile network (`cells`).
  private(set) var wifi = LearnedError(prior: 0.5)
  private(set) var cells = LearnedError(prior: 1)

  static let satellitesAtMost = Distance.metres(50)
  /// The largest radius of a Wi-Fi fix; a coarser one counts as a fix by the mobile network.
  static let wifiAtMost = Distance.metres(200)
  /// The greatest age of a fix of the other kind that is combined with a new one.
  private static let joinedFor = TimeSpan.seconds(30)
  /// The speed assumed if neither fix states one: a fast walk.
  private static let unstatedSpeed = Speed.metresPerSecond(2)
  /// The greatest time between a fine and a coarse fix that are compared.
  private static let comparedWithin = TimeSpan.seconds(20)

  /// The last accepted fix of the other kind than the last accepted fix.
  private var other: Fix? {
    get { heldOther.value }
    set { heldOther = Seldom(newValue) }
  }

  init() {}

  /// - Parameters:
  ///   - fine: the last accepted fix that states at most `satellitesAtMost`.
  ///   - coarse: the last accepted fix that states more.
  ///   - last: the last accepted fix: one of the two, where both were noted.
  init(fine: Fix?, coarse: Fix?, last: Fix?, wifi: LearnedError, cells: LearnedError) {
    self.wifi = wifi
    self.cells = cells
    if let last, last == fine { lastIsFine = true } else if let last, last == coarse { lastIsFine = false }
    other = lastIsFine == true ? coarse : fine
  }

  /// The last accepted fix that states at most `satellitesAtMost`.
  /// - Parameter last: the last accepted fix, here and below.
  func fine(last: Fix?) -> Fix? { lastIsFine == true ? last : other }

  /// The last accepted fix that states more.
  func coarse(last: Fix?) -> Fix? { lastIsFine == false ? last : lastIsFine == true ? other : nil }

  /// The mean squared error of fixes of a kind, as a share of the squared radius that they state: 1 is as
  /// stated.
  struct LearnedError: Hashable, Sendable {
    /// The number of comparisons in the mean, at most `most`, so that later ones replace old ones.
    private(set) var weight: Double
    private(set) var meanSquare: Double

    /// The number of comparisons for which the assumed value (`prior`) counts.
    private static let priorWeight = 6.0
    private static let most = 60.0
    static let weights = 0...most
    /// The largest value of one comparison.
    private static let worst = 9.0
    static let meanSquares = 0...worst

    /// - Parameter prior: the value assumed of every phone. Wi-Fi fixes of several makes held the phone
    ///   within the stated radius 85 to 100 times in 100, which corresponds to half of the stated square or
    ///   less.
    init(prior: Double) { self.init(weight: Self.priorWeight, meanSquare: prior) }

    init(weight: Double, meanSquare: Double) {
      self.weight = weight
      self.meanSquare = meanSquare
    }

    /// - Parameter square: the squared error over the squared radius stated; limited, so that one outlier
    ///   does not decide.
    mutating func learn(_ square: Double) {
      meanSquare = (meanSquare * weight + min(square, Self.worst)) / (weight + 1)
      weight = min(weight + 1, Self.most)
    }
  }

  /// Remembers an accepted fix, and learns the error of the coarse one from it and the last fix of the other
  /// kind.
  /// - Parameter last: the fix accepted before.
  mutating func note(_ fix: Fix, after last: Fix?, _ settings: Settings) {
    let isFine = fix.radius(settings) <= Self.satellitesAtMost
    if let lastIsFine, lastIsFine != isFine { other = last }
    lastIsFine = isFine
    if let other { compare(isFine ? fix : other, isFine ? other : fix, settings) }
  }

  private mutating func compare(_ fine: Fix, _ coarse: Fix, _ settings: Settings) {
    let apart = max(fine.measuredAt - coarse.measuredAt, coarse.measuredAt - fine.measuredAt)
    guard apart <= Self.comparedWithin else { return }
    let (stated, truth) = (coarse.radius(settings), fine.radius(settings))
    let moved = speed(of: fine, coarse) * apart
    guard truth <= stated * 0.5, moved <= stated * 0.5 else { return }
    // Errors and movement are independent: their squares add up.
    let square = fine.position.distance(to: coarse.position).squareMetres - truth.squareMetres
    let share = max(0, square - moved.squareMetres) / stated.squareMetres
    if stated <= Self.wifiAtMost { wifi.learn(share) } else { cells.learn(share) }
  }

  private func speed(of fix: Fix, _ other: Fix) -> Speed { fix.speed ?? other.speed ?? Self.unstatedSpeed }

  /// The most likely position of the phone at the time of the fix.
  func belief(in fix: Fix, last: Fix?, _ settings: Settings) -> Belief {
    let own = deviation(of: fix, settings)
    let alone = Belief(position: fix.position, deviation: own)
    let isFine = fix.radius(settings) <= Self.satellitesAtMost
    guard own > .zero, let other = isFine ? coarse(last: last) : fine(last: last),
      other.measuredAt <= fix.measuredAt,
      fix.measuredAt - other.measuredAt <= Self.joinedFor
    else { return alone }
    let moved = speed(of: fix, other) * (fix.measuredAt - other.measuredAt)
    let others = deviation(of: other, settings)
    let (square, otherSquare) = (own.squareMetres, others.squareMetres + moved.squareMetres)
    let apart = fix.position.distance(to: other.position)
    // At more than three deviations apart, one of them is wrong or the phone was faster.
    guard apart.squareMetres <= 9 * (square + otherSquare), otherSquare > 0 else { return alone }
    let share = square / (square + otherSquare)
    let path = Geodesic(from: fix.position, to: other.position)
    return Belief(
      position: apart > .zero ? path.point(at: apart * share) : fix.position,
      deviation: .metres((square * (1 - share)).squareRoot()))
  }

  private func deviation(of fix: Fix, _ settings: Settings) -> Distance {
    let radius = fix.radius(settings)
    return radius * (share(ofRadius: radius) / 2).squareRoot()
  }

  /// The mean squared error as a share of the squared radius stated; 1 for satellites.
  private func share(ofRadius radius: Distance) -> Double {
    guard radius > Self.satellitesAtMost else { return 1 }
    return (radius <= Self.wifiAtMost ? wifi : cells).meanSquare
  }

  var errorFactors: ErrorFactors {
    ErrorFactors(wifi: wifi.meanSquare.squareRoot(), cells: cells.meanSquare.squareRoot())
  }

  /// The factors by which the radii of coarse fixes have to be multiplied to hold the phone as often as a
  /// radius of satellites does.
  struct ErrorFactors: Hashable, Sendable {
    var wifi: Double
    var cells: Double

    func factor(ofRadius radius: Distance) -> Double {
      radius <= SensorMemory.satellitesAtMost ? 1 : radius <= SensorMemory.wifiAtMost ? wifi : cells
    }
  }

  func shifted(by jump: ClockJump) -> Self {
    var shifted = self
    shifted.other = other.map { jump.shifted($0) }
    return shifted
  }
}

extension Distance {
  fileprivate var squareMetres: Double { metres * metres }
}
