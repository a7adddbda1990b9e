import AlarmEngine
import Geometry

/// The settings of a position request that follow from the accuracy.
extension DesiredAccuracy {
  /// The least time between two positions of a session, for platforms that take one (Android); longer for
  /// coarser accuracy.
  var interval: TimeSpan {
    switch self {
    case .bestForNavigation, .best: .seconds(1)
    case .tenMetres: .seconds(5)
    case .hundredMetres: .seconds(30)
    case .kilometre: .seconds(60)
    case .threeKilometres: .seconds(180)
    }
  }

  /// Metres of stated accuracy with which a single position is done before its time is up.
  var goodEnough: Double {
    switch self {
    case .bestForNavigation, .best, .tenMetres: 20
    case .hundredMetres: 100
    case .kilometre: 1000
    case .threeKilometres: 3000
    }
  }

  /// Coarser positions come by the network, for much less energy.
  var needsSatellites: Bool { rawValue < DesiredAccuracy.hundredMetres.rawValue }
}
