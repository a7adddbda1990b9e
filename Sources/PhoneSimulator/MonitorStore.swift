final class MonitorStore { func processStarted() {}; func processEnded() {} }
