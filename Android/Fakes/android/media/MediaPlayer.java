package android.media;

import android.content.Context;
import android.net.Uri;
import java.io.FileDescriptor;
import java.io.IOException;
import phone.Phone;

public class MediaPlayer {
  private String source;
  private boolean isPrepared;
  private boolean isPlaying;

  public void setAudioAttributes(AudioAttributes attributes) {
    if (attributes.usage != 4) throw new AssertionError("not on the alarm stream");
  }

  public void setDataSource(Context context, Uri uri) {
    source = uri.toString();
  }

  public void setDataSource(String path) {
    source = path.substring(path.lastIndexOf('/') + 1);
  }

  public void setDataSource(FileDescriptor file, long from, long length) {
    source = android.content.res.AssetFileDescriptor.name;
  }

  public void setVolume(float left, float right) {
    if (!isPlaying || left != right) throw new AssertionError("a volume of nothing, or of one ear");
    Phone.now().volume = left;
  }

  public void setLooping(boolean is) {}

  public void prepare() throws IOException {
    if (source == null) throw new IllegalStateException("no source");
    isPrepared = true;
  }

  public void start() {
    if (!isPrepared) throw new IllegalStateException("not prepared");
    isPlaying = true;
    // Android 17, "Background audio hardening": without a screen or a service in the foreground, playing fails silently.
    if (Phone.now().level() >= 37 && !Phone.now().isVisible && !Phone.now().isForeground) return;
    Phone.now().volume = 1;
    Phone.now().players.add(this);
    Phone.now().heard.add(source);
  }

  public boolean isPlaying() {
    return isPlaying;
  }

  public void release() {
    isPlaying = false;
    Phone.now().players.remove(this);
  }
}
