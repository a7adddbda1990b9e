final class GeofenceMonitor { init(phone: Phone) {}; var isEmpty: Bool { true }; func removeAll() {} }
