package android.app;

import android.content.ContextWrapper;
import android.content.Intent;
import android.os.IBinder;
import phone.Phone;

public abstract class Service extends ContextWrapper {
  public static final int START_STICKY = 1;

  public Service() {
    super(null);
  }

  public void onCreate() {}

  public abstract int onStartCommand(Intent intent, int flags, int startId);

  public abstract IBinder onBind(Intent intent);

  public void onDestroy() {}

  public final void startForeground(int id, Notification notice) {
    Phone.now().toForeground(id, notice, Phone.now().level() >= 29 ? Phone.now().manifest.foregroundTypes() : 0);
  }

  public final void startForeground(int id, Notification notice, int type) {
    if (Phone.now().level() < 29) throw new NoSuchMethodError("startForeground with a type is of 29");
    Phone.now().toForeground(id, notice, type);
  }

  public final void stopSelf() {
    Phone.now().stopService();
  }
}
