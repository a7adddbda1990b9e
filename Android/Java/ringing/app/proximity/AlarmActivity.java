package app.proximity;

import android.app.Activity;
import android.content.res.Configuration;
import android.os.Build;
import android.os.Bundle;
import android.os.Handler;
import android.os.Looper;
import android.view.Gravity;
import android.view.KeyEvent;
import android.view.View;
import android.view.WindowManager;
import android.widget.Button;
import android.widget.LinearLayout;
import android.widget.ScrollView;
import android.widget.TextView;
import java.util.List;

/** The screen of the ringing alarms over the lock screen, each with Stop, Sleep and Close. */
public final class AlarmActivity extends Activity {
  private static volatile AlarmActivity visible;
  private LinearLayout column;

  /** Redraws the list of ringing alarms after a change. From any thread. */
  static void renew() {
    AlarmActivity activity = visible;
    if (activity != null) new Handler(Looper.getMainLooper()).post(activity::draw);
  }

  @Override protected void onCreate(Bundle state) {
    super.onCreate(state);
    overTheLock();
    column = new LinearLayout(this);
    column.setOrientation(LinearLayout.VERTICAL);
    column.setGravity(Gravity.CENTER);
    column.setPadding(size(24), size(48), size(24), size(48));
    ScrollView scroll = new ScrollView(this);
    scroll.setFillViewport(true);
    // From Android 15 on, a screen extends under the system's bars; the buttons must not.
    scroll.setFitsSystemWindows(true);
    scroll.addView(column);
    boolean isDark = (getResources().getConfiguration().uiMode & Configuration.UI_MODE_NIGHT_MASK)
        == Configuration.UI_MODE_NIGHT_YES;
    scroll.setBackgroundColor(isDark ? 0xff0b1113 : 0xfff3f5f4);
    setContentView(scroll);
  }

  @SuppressWarnings("deprecation")
  private void overTheLock() {
    getWindow().addFlags(WindowManager.LayoutParams.FLAG_KEEP_SCREEN_ON);
    if (Build.VERSION.SDK_INT >= 27) {
      setShowWhenLocked(true);
      setTurnScreenOn(true);
    } else {
      getWindow().addFlags(WindowManager.LayoutParams.FLAG_SHOW_WHEN_LOCKED
          | WindowManager.LayoutParams.FLAG_TURN_SCREEN_ON);
    }
  }

  @Override protected void onStart() {
    super.onStart();
    visible = this;
    // If the process was started for this screen, the engine first has to list the ringing alarms.
    WatchThread.post(this, Input.PERSON, watch -> runOnUiThread(this::draw));
  }

  @Override protected void onStop() {
    visible = null;
    super.onStop();
  }

  private void draw() {
    List<Ringing> alarms = Ringer.shown();
    if (alarms.isEmpty()) {
      finish();
      return;
    }
    column.removeAllViews();
    for (Ringing alarm : alarms) {
      column.addView(words(alarm.zoneName.isEmpty() ? getString(R.string.zone) : alarm.zoneName, 34));
      column.addView(words(getString(Ringer.words(alarm.cause)), 20));
      column.addView(button(R.string.stop, () -> answer(Input.STOP, alarm.alarm)));
      if (alarm.alarm != Ringer.TEST_ALARM) {
        column.addView(button(R.string.sleep, () -> answer(Input.SLEEP, alarm.alarm)));
        column.addView(button(R.string.close, () -> answer(Input.CLOSE, alarm.alarm)));
      }
    }
  }

  private void answer(int command, long alarm) {
    WatchThread.post(this, Input.PERSON, watch -> watch.answer(command, alarm));
  }

  private TextView words(String text, int size_sp) {
    TextView view = new TextView(this);
    view.setText(text);
    view.setTextSize(size_sp);
    view.setGravity(Gravity.CENTER);
    view.setPadding(0, size(12), 0, 0);
    return view;
  }

  private View button(int words, Runnable action) {
    Button button = new Button(this);
    button.setText(words);
    button.setTextSize(22);
    button.setMinimumHeight(size(72));
    button.setOnClickListener(view -> action.run());
    button.setLayoutParams(new LinearLayout.LayoutParams(
        LinearLayout.LayoutParams.MATCH_PARENT, LinearLayout.LayoutParams.WRAP_CONTENT));
    return button;
  }

  private int size(int dp) {
    return Math.round(dp * getResources().getDisplayMetrics().density);
  }

  /** The volume keys silence the sound, as on any alarm clock; the alarm stays on the screen. */
  @Override public boolean onKeyDown(int key, KeyEvent event) {
    boolean isVolume = key == KeyEvent.KEYCODE_VOLUME_DOWN || key == KeyEvent.KEYCODE_VOLUME_UP;
    if (!isVolume) return super.onKeyDown(key, event);
    WatchThread.post(this, Input.PERSON, watch -> watch.ringer.silence());
    return true;
  }
}
