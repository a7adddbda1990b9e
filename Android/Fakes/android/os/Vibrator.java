package android.os;

import android.media.AudioAttributes;
import phone.Phone;

public class Vibrator {
  public void vibrate(VibrationEffect effect, AudioAttributes attributes) {
    if (Phone.now().level() < 26) throw new NoSuchMethodError("VibrationEffect is of 26");
    Phone.now().vibrates = true;
  }

  public void vibrate(long[] pattern, int repeat, AudioAttributes attributes) {
    Phone.now().vibrates = true;
  }

  public void cancel() {
    Phone.now().vibrates = false;
  }
}
