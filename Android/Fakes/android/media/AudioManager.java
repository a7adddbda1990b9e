package android.media;

import phone.Phone;

public class AudioManager {
  public interface OnAudioFocusChangeListener {
    void onAudioFocusChange(int change);
  }

  public int getStreamVolume(int stream) {
    if (stream != 4) throw new AssertionError("an alarm clock asks for the alarm stream");
    return Phone.now().alarmVolume;
  }

  public int requestAudioFocus(OnAudioFocusChangeListener listener, int stream, int hint) {
    return 1;
  }

  public int abandonAudioFocus(OnAudioFocusChangeListener listener) {
    return 1;
  }
}
