import AlarmEngine
import CommandLineSupport

/// A description of a policy's current rule.
func words(_ rule: WatchReason.Rule) -> String {
  switch rule {
  case .notStarted: "not started"
  case .nothingToWatch: "nothing to watch"
  case .mayNotWatch: "may not watch"
  case .waitsForFirstFix: "waits for the first position"
  case .asksWhenBudgetIsSpent: "asks for a position: a zone could be reached by now"
  case .sleepsUntilBudgetIsSpent: "sleeps: no zone can be reached yet"
  case .followsContinuously: "follows continuously"
  case .confirms: "confirms a possible entry"
  case .parkedInsideFence: "parked inside a fence"
  case .insideMovementFence: "sleeps inside a movement fence"
  case .waitsForFence: "waits for its fence"
  case .keepsSessionInRing: "keeps a session: a zone is near"
  case .retriesWithoutFix: "got no position, tries again"
  case .checksSuspect: "checks a position that came too fast"
  case .asksTheNetworkOnly: "no satellites: asks the network, and looks for them now and then"
  case .significantChangesOnly: "only significant changes watch"
  case .standardTier: "standard tier"
  case .significantTier: "tier of significant changes"
  case .regionTier: "tier of regions"
  case .pollsFence: "looks for its next fence"
  case .waitsBeforePolling: "waits before it looks for its next fence"
  case .fenceTier: "waits for its fence to be left"
  case .fenceLost: "has lost its fence"
  case .nearestZonesFenced: "has fenced the nearest zones"
  case .fallsBackToTracking: "too many zones near: tracks"
  }
}

func words(_ accuracy: DesiredAccuracy) -> String {
  switch accuracy {
  case .bestForNavigation: "best for navigation"
  case .best: "best"
  case .tenMetres: "10 m"
  case .hundredMetres: "100 m"
  case .kilometre: "1 km"
  case .threeKilometres: "3 km"
  }
}
