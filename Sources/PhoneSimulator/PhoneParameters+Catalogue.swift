extension PhoneParameters {
  private typealias Row = ParameterRow<PhoneParameters>

  /// Every parameter with its default, the range to sweep, its evidence and its source, in a fixed order.
  ///
  /// Distributions are listed quantile by quantile (`exitLatency.p50`); one swept alone must stay in order, which
  /// `regionLatencyFactor` does by itself.
  public static let catalogue: [ParameterDescription<PhoneParameters>] =
    (rows + distributions).map { $0.described(standard: .measured2019) }

  private static var rows: [Row] {
    [
      Row("regionLimit", \.regionLimit, 20...20, .documented, "A-startMonitoring"),
      Row("smallestRegionRadiusMetres", \.smallestRegionRadiusMetres, 100...200, .reported, "HA-784"),
      Row(
        "maximumRegionRadiusMetres", \.maximumRegionRadiusMetres, 20_000...1_000_000, .assumed, "unpublished"),
      Row("exitCushionMetres", \.exitCushionMetres, 0...200, .assumed, "A-LMPG"),
      Row("entryCushionMetres", \.entryCushionMetres, 0...200, .assumed, "HA-784"),
      Row("crossingDwellSeconds", \.crossingDwellSeconds, 20...30, .documented, "A-LMPG"),
      Row("regionLatencyFactor", \.regionLatencyFactor, 0.3...3, .assumed, "sweep"),
      Row("regionLatencyInSessionSeconds", \.regionLatencyInSessionSeconds, 0...60, .reported, "TS"),
      Row("regionLossProbability", \.regionLossProbability, 0...0.09, .measured, "RN-2015"),
      Row("coalescingProbability", \.coalescingProbability, 0...1, .assumed, "W13-307"),
      Row("spuriousEventsPerDay", \.spuriousEventsPerDay, 0...1, .assumed, "HA-zone"),
      Row("outsideFirstProbability", \.outsideFirstProbability, 0...1, .assumed, "NG-37"),
      Row("duplicateOnRelaunch", \.duplicateOnRelaunch, 0...1, .assumed, "CIO"),
      Row("regionStateDelaySeconds", \.regionStateDelaySeconds, 0.1...10, .assumed, "W13-307"),
      Row(
        "regionSilenceAfterRebootSeconds", \.regionSilenceAfterRebootSeconds, 180...600, .reported, "KIO-65"),
      Row("wifiOffLatencyFactor", \.wifiOffLatencyFactor, 1...6, .assumed, "A-startMonitoring"),
      Row("significantDistanceMetres", \.significantDistanceMetres, 500...500, .documented, "A-SLC"),
      Row("significantExcessMedianMetres", \.significantExcessMedianMetres, 100...500, .measured, "LWM-2010"),
      Row("significantExcessSigma", \.significantExcessSigma, 0.5...2, .measured, "LWM-2010"),
      Row("significantSpacingSeconds", \.significantSpacingSeconds, 300...300, .documented, "A-SLC"),
      Row("significantSilenceSeconds", \.significantSilenceSeconds, 0...900, .documented, "HA-doc"),
      Row("significantDelayLeastSeconds", \.significantDelayLeastSeconds, 0...60, .assumed, "none"),
      Row("significantDelayMostSeconds", \.significantDelayMostSeconds, 5...120, .assumed, "none"),
      Row("significantCoarseShare", \.significantCoarseShare, 0...1, .recalled, "LWM-2010"),
      Row("significantAccuracyMetres", \.significantAccuracyMetres, 100...1500, .measured, "LWM-2010"),
      Row("firstCallbackSeconds", \.firstCallbackSeconds, 0.1...3, .measuredFromTraces, "MobilityNet"),
      Row("cacheLifetimeSeconds", \.cacheLifetimeSeconds, 0...3600, .assumed, "none"),
      Row("hotStartMedianSeconds", \.hotStartMedianSeconds, 1...5, .recalled, "industry"),
      Row("hotStartSigma", \.hotStartSigma, 0.2...1, .recalled, "industry"),
      Row("hotStartWithinSeconds", \.hotStartWithinSeconds, 60...7200, .assumed, "none"),
      Row("warmStartMedianSeconds", \.warmStartMedianSeconds, 4...15, .measuredFromTraces, "MobilityNet"),
      Row("warmStartSigma", \.warmStartSigma, 0.3...1.5, .measuredFromTraces, "MobilityNet"),
      Row("coldStartMedianSeconds", \.coldStartMedianSeconds, 25...60, .recalled, "industry"),
      Row("coldStartSigma", \.coldStartSigma, 0.1...0.6, .recalled, "industry"),
      Row("coldStartAfterSeconds", \.coldStartAfterSeconds, 7200...28_800, .recalled, "industry"),
      Row("noFixOutdoors", \.noFixOutdoors, 0...0.1, .assumed, "none"),
      Row("noFixUrbanCanyon", \.noFixUrbanCanyon, 0...0.3, .assumed, "none"),
      Row("noFixIndoors", \.noFixIndoors, 0.5...1, .assumed, "none"),
      Row("acquisitionWindowSeconds", \.acquisitionWindowSeconds, 30...120, .assumed, "none"),
      Row("stillSpacingSeconds", \.stillSpacingSeconds, 1...7200, .measuredFromTraces, "MobilityNet"),
      Row("settlingSeconds", \.settlingSeconds, 0...120, .assumed, "none"),
      Row("clearlyBetterShare", \.clearlyBetterShare, 0.1...0.9, .assumed, "W10-115"),
      Row("oneShotBestMetres", \.oneShotBestMetres, 10...100, .measuredFromTraces, "MobilityNet"),
      Row("oneShotTimeoutSeconds", \.oneShotTimeoutSeconds, 5...30, .reported, "W15-714"),
      Row("autoPauseSeconds", \.autoPauseSeconds, 600...1200, .reported, "MAU-56"),
      Row("accuracyShare5", \.accuracyShare5, 0...0.5, .measuredFromTraces, "MobilityNet"),
      Row("accuracyShare30", \.accuracyShare30, 0...0.2, .measuredFromTraces, "MobilityNet"),
      Row("accuracyShare50", \.accuracyShare50, 0...0.1, .measuredFromTraces, "MobilityNet"),
      Row("satelliteSigmaMetres", \.satelliteSigmaMetres, 0...15, .measuredFromTraces, "MobilityNet"),
      Row("errorFollowsAccuracy", \.errorFollowsAccuracy, 0...1, .assumed, "none"),
      Row("disturbedShare", \.disturbedShare, 0...0.2, .assumed, "none"),
      Row("disturbedFactor", \.disturbedFactor, 1...6, .assumed, "none"),
      Row("canyonFactor", \.canyonFactor, 1...8, .assumed, "none"),
      Row(
        "accuracyCorrelationSeconds", \.accuracyCorrelationSeconds, 1...600, .measuredFromTraces,
        "MobilityNet"),
      Row("canyonAccuracyFactor", \.canyonAccuracyFactor, 1...4, .measuredFromTraces, "MobilityNet"),
      Row("satelliteCorrelationSeconds", \.satelliteCorrelationSeconds, 1...600, .assumed, "none"),
      Row("wifiSigmaMetres", \.wifiSigmaMetres, 0...60, .assumed, "none"),
      Row("wifiAccuracyMetres", \.wifiAccuracyMetres, 20...100, .measuredFromTraces, "MobilityNet"),
      Row("cellSigmaMetres", \.cellSigmaMetres, 100...1000, .assumed, "none"),
      Row("cellAccuracyLeastMetres", \.cellAccuracyLeastMetres, 100...1000, .measured, "LWM-2010"),
      Row("cellAccuracyMostMetres", \.cellAccuracyMostMetres, 500...5000, .recalled, "none"),
      Row("networkCorrelationSeconds", \.networkCorrelationSeconds, 60...3600, .assumed, "none"),
      Row("visitRadiusMetres", \.visitRadiusMetres, 50...200, .measuredFromTraces, "MobilityNet"),
      Row("motionDelaySeconds", \.motionDelaySeconds, 1...120, .assumed, "energy d.3"),
      Row("backgroundBudget4Seconds", \.backgroundBudget4Seconds, 600...600, .documented, "A-LMPG"),
      Row("backgroundBudget7Seconds", \.backgroundBudget7Seconds, 180...180, .reported, "F-forum"),
      Row("backgroundBudget13Seconds", \.backgroundBudget13Seconds, 25...30, .reported, "F-forum"),
      Row("wakeRuntimeSeconds", \.wakeRuntimeSeconds, 10...30, .documented, "F-815618"),
      Row("leaveForegroundSeconds", \.leaveForegroundSeconds, 5...5, .documented, "A-UIKit"),
      Row("hiddenPageSeconds", \.hiddenPageSeconds, 0...8, .reported, "section 13"),
      Row("launchSeconds", \.launchSeconds, 0.1...3, .assumed, "none"),
      Row("terminationsPerDay", \.terminationsPerDay, 0...24, .assumed, "none"),
      Row("rebootSeconds", \.rebootSeconds, 20...180, .assumed, "none"),
      Row("promptAnswerSeconds", \.promptAnswerSeconds, 1...600, .assumed, "none"),
      Row("alwaysPromptDelaySeconds", \.alwaysPromptDelaySeconds, 0...86_400, .assumed, "W19-705"),
      Row("reducedRadiusMetres", \.reducedRadiusMetres, 1000...20_000, .documented, "W20-10660"),
      Row("reducedUpdatesPerHour", \.reducedUpdatesPerHour, 2...4, .documented, "W20-10660"),
      Row("geofenceLimit", \.geofenceLimit, 100...100, .documented, "GMS"),
      Row("smallestGeofenceRadiusMetres", \.smallestGeofenceRadiusMetres, 100...150, .documented, "AND-geo"),
      Row("geofenceBackgroundSeconds", \.geofenceBackgroundSeconds, 0...360, .assumed, "AND-bg"),
      Row("geofenceStillSeconds", \.geofenceStillSeconds, 0...360, .assumed, "AND-geo"),
      Row("geofenceStillAfterSeconds", \.geofenceStillAfterSeconds, 600...3600, .assumed, "AND-geo"),
    ]
  }

  private static var distributions: [Row] {
    [
      Row.distribution("exitLatency", \.exitLatency, 0...2000, .measuredFromTraces, "MobilityNet"),
      Row.distribution("entryLatency", \.entryLatency, 0...2000, .assumed, "as exit"),
      Row.distribution("movingSpacing", \.movingSpacing, 1...30, .measuredFromTraces, "MobilityNet"),
      Row.distribution("networkSpacing", \.networkSpacing, 5...600, .measuredFromTraces, "MobilityNet"),
      Row.distribution(
        "visitArrivalDelay", \.visitArrivalDelay, 0...3600, .measuredFromTraces, "MobilityNet"),
      Row.distribution(
        "visitDepartureDelay", \.visitDepartureDelay, 0...3600, .measuredFromTraces, "MobilityNet"),
      Row.distribution("geofenceLatency", \.geofenceLatency, 0...600, .measuredFromTraces, "MobilityNet"),
    ].flatMap { $0 }
  }
}
