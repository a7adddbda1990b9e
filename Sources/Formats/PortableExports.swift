// The readers that the page compiles too are targets of their own, and a part of this library.
@_exported import TrackFormats
@_exported import ZoneFormats
