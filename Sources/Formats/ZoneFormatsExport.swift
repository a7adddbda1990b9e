// The readers of zone files are a part of this library; they are a target of their own because the page compiles them too.
@_exported import ZoneFormats
