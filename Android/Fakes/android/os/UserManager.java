package android.os;

import phone.Phone;

public class UserManager {
  public boolean isUserUnlocked() {
    return Phone.now().isUnlocked;
  }
}
