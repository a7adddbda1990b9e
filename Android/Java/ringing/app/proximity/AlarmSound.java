package app.proximity;

import android.content.Context;
import android.content.res.AssetFileDescriptor;
import android.media.AudioAttributes;
import android.media.AudioManager;
import android.media.MediaPlayer;
import android.media.RingtoneManager;
import android.net.Uri;
import android.os.Handler;
import android.os.PowerManager;
import android.os.VibrationEffect;
import android.os.Vibrator;
import android.os.Build;
import java.io.File;
import java.io.IOException;

/** The sound and vibration of an alarm, on the alarm stream, so that it is heard even if the phone is set to silent. */
final class AlarmSound {
  private static final long[] PATTERN_MS = {0, 400, 150, 400, 150, 800, 600};
  private static final long STEP_MS = 500;
  private static final String DEFAULT = "Harbour bells";

  private final Context context;
  private final Handler handler;
  private final AudioManager audio;
  private final Vibrator vibrator;
  private final PowerManager.WakeLock awake;
  private final Runnable end;
  private final Runnable rise = this::rise;
  private MediaPlayer player;
  private long began;

  /** @param ended is run when a sound was played to its end */
  AlarmSound(Context context, Handler handler, Runnable ended) {
    this.context = context;
    this.handler = handler;
    end = () -> {
      stop();
      ended.run();
    };
    audio = (AudioManager) context.getSystemService(Context.AUDIO_SERVICE);
    vibrator = (Vibrator) context.getSystemService(Context.VIBRATOR_SERVICE);
    PowerManager power = (PowerManager) context.getSystemService(Context.POWER_SERVICE);
    awake = power.newWakeLock(PowerManager.PARTIAL_WAKE_LOCK, "proximity:sound");
    awake.setReferenceCounted(false);
  }

  /**
   * Plays a sound instead of the present one. A sound that this phone does not have is replaced by the phone's own alarm.
   *
   * @param isRising whether the volume rises from soft to full
   */
  void play(String name, long length_ms, boolean isRising) {
    stop();
    awake.acquire(length_ms + 1_000);
    handler.postDelayed(end, length_ms);
    vibrate();
    audio.requestAudioFocus(null, AudioManager.STREAM_ALARM, AudioManager.AUDIOFOCUS_GAIN_TRANSIENT);
    boolean isHeard = playFrom(name) || playFrom(DEFAULT) || playPhones(RingtoneManager.TYPE_ALARM)
        || playPhones(RingtoneManager.TYPE_RINGTONE);
    if (!isHeard || !isRising) return;
    began = Clock.uptime();
    rise();
  }

  boolean isOn() {
    return player != null;
  }

  /** Continues the present sound for this long from now. */
  void prolong(long length_ms) {
    awake.acquire(length_ms + 1_000);
    handler.removeCallbacks(end);
    handler.postDelayed(end, length_ms);
  }

  private void rise() {
    float volume = Engine.loudness(Clock.uptime() - began) / 1_000_000f;
    player.setVolume(volume, volume);
    if (volume < 1) handler.postDelayed(rise, STEP_MS);
  }

  void stop() {
    handler.removeCallbacks(end);
    handler.removeCallbacks(rise);
    vibrator.cancel();
    if (player != null) {
      player.release();
      player = null;
      audio.abandonAudioFocus(null);
    }
    if (awake.isHeld()) awake.release();
  }

  /** Plays a sound of the application, or one that the page stored. */
  private boolean playFrom(String name) {
    if (name.isEmpty() || name.contains("/")) return false;
    File own = new File(new File(context.getFilesDir(), "sounds"), name);
    if (own.exists()) return start(each -> each.setDataSource(own.getPath()));
    return start(each -> {
      try (AssetFileDescriptor file = context.getAssets().openFd("sounds/" + name + ".wav")) {
        each.setDataSource(file.getFileDescriptor(), file.getStartOffset(), file.getLength());
      }
    });
  }

  private boolean playPhones(int type) {
    Uri uri = RingtoneManager.getDefaultUri(type);
    return uri != null && start(each -> each.setDataSource(context, uri));
  }

  private interface Source {
    void give(MediaPlayer player) throws IOException;
  }

  private boolean start(Source source) {
    MediaPlayer fresh = new MediaPlayer();
    try {
      fresh.setAudioAttributes(new AudioAttributes.Builder().setUsage(AudioAttributes.USAGE_ALARM)
          .setContentType(AudioAttributes.CONTENT_TYPE_SONIFICATION).build());
      source.give(fresh);
      fresh.setLooping(true);
      fresh.prepare();
      fresh.start();
      player = fresh;
      return true;
    } catch (IOException | RuntimeException e) {
      fresh.release();
      return false; // Not there or not readable: the next source is tried.
    }
  }

  @SuppressWarnings("deprecation")
  private void vibrate() {
    AudioAttributes alarm = new AudioAttributes.Builder().setUsage(AudioAttributes.USAGE_ALARM).build();
    if (Build.VERSION.SDK_INT >= 26) vibrator.vibrate(VibrationEffect.createWaveform(PATTERN_MS, 0), alarm);
    else vibrator.vibrate(PATTERN_MS, 0, alarm);
  }
}
