// The formats of files that the page reads, by the names that people know. `FileEngineTests` holds the first list
// to the program's.

/** Formats of zones, in the order of `ZoneFormat`. */
export const zoneFormats = Object.values({
  pad: 'Proximity Alarm Data (.pad)',
  geojson: 'GeoJSON',
  kml: 'KML',
  kmz: 'KMZ',
  owntracks: 'OwnTracks',
  openair: 'OpenAir',
  gpx: 'GPX',
  csv: 'CSV',
  traccar: 'Traccar',
  homeassistant: 'Home Assistant',
});

/** Formats of tracks, in the order in which `TrackReading` tells them apart. */
export const trackFormats = ['GPX', 'KML', 'KMZ', 'TCX', 'CSV', 'OwnTracks', 'GeoJSON', 'Google Timeline'];

/** The endings and types that a choice of files offers. Files are told apart by their content. */
export const accepted = [
  '.pad,.zonepack,.gpx,.tcx,.geojson,.json,.kml,.kmz,.csv,.txt,.air,.openair,.otrw,.otrc,.rec,.yaml,.yml',
  'application/vnd.proximity.pad,text/csv,application/gpx+xml,application/geo+json,application/vnd.google-earth.kml+xml',
  'application/vnd.google-earth.kmz',
].join(',');
