package android.net.wifi;

import phone.Phone;

public class WifiManager {
  public boolean isWifiEnabled() {
    return Phone.now().hasWifi;
  }

  public boolean isScanAlwaysAvailable() {
    return false;
  }
}
