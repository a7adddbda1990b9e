import ZoneFormats

/// Writes zones as GeoJSON (RFC 7946); ``GeoJSONZoneReader`` reads them.
enum GeoJSONZones {}
