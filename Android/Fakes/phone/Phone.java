package phone;

import android.app.Activity;
import android.app.PendingIntent;
import android.app.Service;
import android.content.BroadcastReceiver;
import android.content.Context;
import android.content.ContextWrapper;
import android.content.Intent;
import android.content.IntentFilter;
import android.hardware.TriggerEventListener;
import android.location.Location;
import android.location.LocationListener;
import android.media.MediaPlayer;
import android.os.Build;
import android.os.Handler;
import android.os.PowerManager;
import java.io.File;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * One Android phone of a given API level with one application: the state that the system keeps, the permissions that it grants,
 * and the state of the application's process. Time passes only in {@link #run}.
 */
public final class Phone {
  private static Phone only;

  public static Phone now() {
    return only;
  }

  // State of the system, which survives the process.
  public final File files;
  public final Manifest manifest;
  public long wall_ms = 1_790_000_000_000L;
  public long uptime_ms = 1_000_000;
  public final Map<PendingIntent, Alarm> alarms = new LinkedHashMap<>();
  public final Map<PendingIntent, double[]> proximity = new LinkedHashMap<>();
  private final Map<PendingIntent, Boolean> isInside = new HashMap<>();
  /** Shown notifications by tag and number. */
  public final Map<String, android.app.Notification> notifications = new TreeMap<>();
  /** All notifications that were ever shown ("+tag") and removed ("-tag"), in order. */
  public final List<String> noted = new ArrayList<>();
  public final Map<String, android.app.NotificationChannel> channels = new HashMap<>();

  // Permissions, settings and properties of the phone.
  public final Set<String> granted = new HashSet<>();
  /** The number of times that each permission was refused; after two refusals the system shows no dialog. */
  public final Map<String, Integer> refusals = new HashMap<>();
  public final Set<String> providers = new HashSet<>();
  public boolean isLocationOn = true;
  public boolean areNotificationsOn = true;
  public boolean mayBeExact = true;
  public boolean mayFillScreen = true;
  public boolean isSaving;
  public int savesLocation;
  public boolean isIdle;
  public boolean isExempt = true;
  /** True if the user, or the maker's battery manager, has restricted the application in the background. */
  public boolean isRestricted;
  /** True if the system does not revoke permissions when the application is unused for months. */
  public boolean isKeptUnused = true;
  /** The screens of other applications and of the settings that can be opened: an action, or package/class. */
  public final Set<String> screens = new HashSet<>();
  /** Screens of other applications that exist but are not exported. */
  public final Set<String> closedScreens = new HashSet<>();
  public boolean hasWifi = true;
  public boolean hasMotionSensors = true;
  public int alarmVolume = 5;
  /** The version of the WebView; 0 if it is uninstalled or disabled. */
  public int webView = 140;
  public boolean hasStore = true;
  public boolean hasBrowser = true;
  public int interruptionFilter = 1;
  public int batteryPercent = 90;
  /**
  * True if the phone was unlocked since its start. Before that, only receivers with android:directBootAware are started, and
  * files cannot be read.
  */
  public boolean isUnlocked = true;
  /** True if the application is in view. */
  public boolean isVisible;
  /**
  * True while the application may start services from the background: after an exact alarm, a start of the phone or a touch,
  * but not after a fence.
  */
  public boolean isAllowedToStart;

  // State of the process.
  public Context application;
  public Service service;
  public boolean isForeground;
  /** The types of the foreground service, as flags of ServiceInfo. */
  public int foregroundType;
  private boolean mustComeToFront;
  private boolean isSticky;
  public Activity screen;
  /** The permissions in the system's dialog on the screen, and the request's number. */
  public String[] asked;
  public int askedNumber;
  /** The application's dialog on the screen. */
  public android.app.AlertDialog dialog;
  public final List<Listening> listening = new ArrayList<>();
  public final Map<TriggerEventListener, Integer> triggers = new LinkedHashMap<>();
  public final List<Registered> receivers = new ArrayList<>();
  public final List<MediaPlayer> players = new ArrayList<>();
  public final Set<PowerManager.WakeLock> locks = new HashSet<>();
  public boolean vibrates;
  private final List<Message> messages = new ArrayList<>();
  private long sequence;
  /** The sounds that were audible, each with the time at which it began. */
  public final List<String> heard = new ArrayList<>();
  /** The volume of the sound that plays, from 0 to 1. */
  public float volume = 1;
  public Location last;

  public static final class Alarm {
    public final long at_ms;
    public final String kind;

    public Alarm(long at_ms, String kind) {
      this.at_ms = at_ms;
      this.kind = kind;
    }
  }

  public static final class Listening {
    public String provider;
    public long interval_ms;
    public float filter_m;
    public LocationListener listener;
    Location last;
  }

  public static final class Registered {
    public BroadcastReceiver receiver;
    public IntentFilter filter;
    public Handler handler;
  }

  private static final class Message {
    long due_ms;
    long number;
    Handler handler;
    Runnable action;
  }

  /** Makes a phone on which all permissions are granted. */
  public Phone(int level, File files, File manifest, File resources) {
    only = this;
    Build.VERSION.SDK_INT = level;
    Build.MANUFACTURER = "Google";
    this.files = files;
    this.manifest = new Manifest(manifest, resources);
    granted.add("android.permission.ACCESS_FINE_LOCATION");
    granted.add("android.permission.ACCESS_COARSE_LOCATION");
    if (level >= 29) granted.add("android.permission.ACCESS_BACKGROUND_LOCATION");
    if (level >= 33) granted.add("android.permission.POST_NOTIFICATIONS");
    providers.add("gps");
    providers.add("network");
    if (level >= 31) providers.add("fused");
    application = new ContextWrapper(null);
    SETTINGS.forEach((action, since) -> {
      if (level >= since) screens.add("android.settings." + action);
    });
    if (level >= 30) screens.add("android.intent.action.AUTO_REVOKE_PERMISSIONS");
  }

  /** The screens of the settings, each with the level that introduced it. */
  private static final Map<String, Integer> SETTINGS = Map.ofEntries(Map.entry("APPLICATION_DETAILS_SETTINGS", 9),
      Map.entry("LOCATION_SOURCE_SETTINGS", 1), Map.entry("SOUND_SETTINGS", 1), Map.entry("WIFI_SETTINGS", 1),
      Map.entry("BATTERY_SAVER_SETTINGS", 22), Map.entry("REQUEST_IGNORE_BATTERY_OPTIMIZATIONS", 23),
      Map.entry("APP_NOTIFICATION_SETTINGS", 26), Map.entry("REQUEST_SCHEDULE_EXACT_ALARM", 31),
      Map.entry("MANAGE_APP_USE_FULL_SCREEN_INTENT", 34));

  /**
   * Returns true if the application is restricted and not in view: "Can't launch foreground services. Existing foreground
   * services are removed from the foreground. Alarms aren't triggered" (developer.android.com, "Background optimization").
   */
  private boolean isHeldBack() {
    return level() >= 28 && isRestricted && !isVisible;
  }

  /** Restricts the application in the background, as the user can. */
  public void restrict() {
    isRestricted = true;
    if (!isHeldBack()) return;
    if (isForeground) notifications.remove("null:1");
    isForeground = false;
  }

  public int level() {
    return Build.VERSION.SDK_INT;
  }

  // The process.

  /** Ends the process. Its whole state is lost, and the service's notification is removed. */
  public void kill() {
    messages.clear();
    listening.clear();
    triggers.clear();
    receivers.clear();
    players.clear();
    locks.clear();
    vibrates = false;
    service = null;
    screen = null;
    dialog = null;
    asked = null;
    isVisible = false;
    mustComeToFront = false;
    if (isForeground) notifications.remove("null:1");
    isForeground = false;
  }

  /** Restarts the phone and unlocks it. */
  public void reboot() {
    startLocked();
    unlock();
  }

  /** Restarts the phone and leaves it locked. All alarms, fences and notifications are lost. */
  public void startLocked() {
    kill();
    alarms.clear();
    proximity.clear();
    isInside.clear();
    notifications.clear();
    isSticky = false;
    uptime_ms = 20_000;
    wall_ms += 60_000;
    isUnlocked = false;
    // "The system doesn't deliver the BOOT_COMPLETED or LOCKED_BOOT_COMPLETED broadcast until the app is started for other reasons."
    if (level() < 33 || !isHeldBack()) broadcast(Intent.ACTION_LOCKED_BOOT_COMPLETED);
  }

  public void unlock() {
    isUnlocked = true;
    if (level() >= 33 && isHeldBack()) return;
    broadcast(Intent.ACTION_BOOT_COMPLETED);
  }

  /** Restarts a sticky service, as the system does. */
  public void restartSticky() {
    if (isSticky) startService("app.proximity.WatchService", null);
  }

  public void start(Context context, Intent intent, boolean inForeground) {
    // From Android 12 on, an application that is exempt from battery optimisation may start services at any time.
    if (isHeldBack() && inForeground) return; // Without a word: ActiveServices.startServiceLocked answers null.
    boolean mayStart = isVisible || isForeground || isAllowedToStart || inForeground && isExempt;
    if (level() >= 26 && !inForeground && (!mayStart || isHeldBack())) {
      throw new IllegalStateException("Not allowed to start service Intent: app is in background");
    }
    if (level() >= 31 && inForeground && !mayStart) {
      // ForegroundServiceStartNotAllowedException
      throw new IllegalStateException("startForegroundService() not allowed due to mAllowStartForeground false");
    }
    mustComeToFront |= inForeground;
    post(null, () -> startService(intent.className(), intent), 0);
  }

  private void startService(String name, Intent intent) {
    if (service == null) {
      service = (Service) make(name);
      service.onCreate();
    }
    isSticky = service.onStartCommand(intent, 0, 1) == Service.START_STICKY;
    if (mustComeToFront && !isForeground) {
      throw new IllegalStateException("Context.startForegroundService() did not then call Service.startForeground()");
    }
    mustComeToFront = false;
  }

  public void stopService() {
    if (mustComeToFront && !isForeground) {
      throw new IllegalStateException("Context.startForegroundService() did not then call Service.startForeground()");
    }
    if (service == null) return;
    Service ended = service;
    service = null;
    if (isForeground) notifications.remove("null:1");
    isForeground = false;
    isSticky = false;
    ended.onDestroy();
  }

  /** Checks types from level 29 on and permissions from level 34 on, as the system does. */
  public void toForeground(int id, android.app.Notification notice, int type) {
    if (level() >= 26 && (notice.channel == null || !channels.containsKey(notice.channel))) {
      throw new IllegalStateException("Bad notification for startForeground: invalid channel");
    }
    boolean isLocation = (type & 8) != 0;
    if (level() >= 29 && (type & ~manifest.foregroundTypes()) != 0) {
      throw new IllegalArgumentException("foregroundServiceType " + type + " is not a subset of the manifest's");
    }
    if (level() >= 34 && type == 0) throw new IllegalArgumentException("a type is needed from Android 14 on");
    if (level() >= 34 && !manifest.permits(type)) throw new SecurityException("the permission for type " + type + " is not declared");
    // Only one of the cases in which systemExempted is allowed applies to this application.
    if (level() >= 34 && (type & 0x400) != 0 && !manifest.declares("USE_EXACT_ALARM")) {
      throw new SecurityException("systemExempted is not allowed to this application");
    }
    if (level() >= 34 && isLocation) {
      boolean isGranted = granted.contains("android.permission.ACCESS_FINE_LOCATION")
          || granted.contains("android.permission.ACCESS_COARSE_LOCATION");
      boolean mayUse = isVisible || granted.contains("android.permission.ACCESS_BACKGROUND_LOCATION");
      if (!isGranted || !mayUse) throw new SecurityException("Starting FGS with type location requires permissions");
    }
    if (level() >= 31 && !isVisible && !isAllowedToStart && !isForeground && !mustComeToFront && !isExempt) {
      throw new IllegalStateException("Service.startForeground() not allowed due to mAllowStartForeground false");
    }
    if (isHeldBack()) {
      mustComeToFront = false;
      return;
    }
    isForeground = true;
    foregroundType = type;
    mustComeToFront = false;
    notifications.put("null:" + id, notice);
  }

  public Object make(String name) {
    try {
      return Class.forName(name).getDeclaredConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  // Broadcasts.

  public void broadcast(String action) {
    broadcast(new Intent(action));
  }

  /**
  * The broadcasts after which the application may start a service: "Restrictions on starting a foreground service from the
  * background".
  */
  private static final Set<String> STARTING = Set.of("android.intent.action.BOOT_COMPLETED",
      "android.intent.action.MY_PACKAGE_REPLACED", "android.intent.action.TIME_SET", "android.intent.action.TIMEZONE_CHANGED",
      "android.app.action.SCHEDULE_EXACT_ALARM_PERMISSION_STATE_CHANGED");

  /**
  * Sends a broadcast to the receivers that the process registered and to those of the manifest. Only the latter may get the
  * right to start a service.
  */
  public void broadcast(Intent intent) {
    for (Registered each : new ArrayList<>(receivers)) {
      if (!each.filter.hasAction(intent.getAction())) continue;
      post(each.handler, () -> each.receiver.onReceive(application, intent), 0);
    }
    settle();
    boolean before = isAllowedToStart;
    isAllowedToStart = before || STARTING.contains(intent.getAction());
    for (String name : manifest.receivers(intent.getAction(), !isUnlocked)) deliver(name, intent);
    settle();
    isAllowedToStart = before;
  }

  /** Sends a pending intent. */
  public void send(PendingIntent pending, Intent more, boolean mayStart) {
    boolean before = isAllowedToStart;
    isAllowedToStart = mayStart || before;
    Intent intent = new Intent(pending.intent);
    if (more != null && pending.isMutable) intent.putExtras(more);
    if (pending.kind.equals("broadcast")) deliver(intent.className(), intent);
    settle();
    isAllowedToStart = before;
  }

  private void deliver(String name, Intent intent) {
    ((BroadcastReceiver) make(name)).onReceive(application, intent);
  }

  // Time.

  public synchronized void post(Handler handler, Runnable action, long delay_ms) {
    Message message = new Message();
    message.due_ms = uptime_ms + delay_ms;
    message.number = sequence++;
    message.handler = handler;
    message.action = action;
    messages.add(message);
    notifyAll();
  }

  public synchronized void remove(Handler handler, Runnable action) {
    messages.removeIf(each -> each.handler == handler && each.action == action);
  }

  private synchronized Message next(long until_ms) {
    Message first = null;
    for (Message each : messages) {
      if (each.due_ms > until_ms) continue;
      if (first == null || each.due_ms < first.due_ms || each.due_ms == first.due_ms && each.number < first.number) first = each;
    }
    if (first != null) messages.remove(first);
    return first;
  }

  /** Runs all messages that are due now. */
  public void settle() {
    for (Message message = next(uptime_ms); message != null; message = next(uptime_ms)) message.action.run();
  }

  /** Lets time pass, and delivers messages and alarms when they are due. */
  public void run(long span_ms) {
    long end = uptime_ms + span_ms;
    settle();
    while (uptime_ms < end) {
      long step = end;
      synchronized (this) {
        for (Message each : messages) step = Math.min(step, Math.max(uptime_ms, each.due_ms));
      }
      if (!isHeldBack()) for (Alarm each : alarms.values()) step = Math.min(step, Math.max(uptime_ms, uptime_ms + due(each) - wall_ms));
      wall_ms += step - uptime_ms;
      uptime_ms = step;
      ringAlarms();
      settle();
      if (step == end) break;
    }
  }

  /** Returns the time at which the system delivers an alarm. In idle mode, all alarms but alarm clocks are delayed. */
  private long due(Alarm alarm) {
    if (alarm.kind.equals("inexact")) return alarm.at_ms + (isIdle ? 900_000 : 300_000);
    return isIdle && alarm.kind.equals("exact") ? alarm.at_ms + 540_000 : alarm.at_ms;
  }

  private void ringAlarms() {
    for (PendingIntent each : new ArrayList<>(alarms.keySet())) {
      Alarm alarm = alarms.get(each);
      if (alarm == null || due(alarm) > wall_ms || isHeldBack()) continue;
      alarms.remove(each);
      send(each, null, !alarm.kind.equals("inexact"));
    }
  }

  // Positions.

  /** Moves the phone, and reports the position to all listeners that may receive it, and crossings to fences. */
  public void moveTo(double latitude, double longitude, double accuracy_m) {
    Location here = new Location("gps");
    here.set(latitude, longitude, (float) accuracy_m, wall_ms, uptime_ms * 1_000_000);
    last = here;
    boolean isHeard = isLocationOn && (isVisible || isForeground && (level() < 29 || (foregroundType & 8) != 0)
        || level() >= 29 && granted.contains("android.permission.ACCESS_BACKGROUND_LOCATION"));
    if (isHeard) {
      Set<LocationListener> told = new HashSet<>();
      for (Listening each : new ArrayList<>(listening)) {
        if (isSaving && savesLocation != 0 && !isVisible || !listening.contains(each)) continue;
        boolean isSoon = each.last != null && uptime_ms - each.last.getElapsedRealtimeNanos() / 1_000_000 < each.interval_ms;
        boolean isNear = each.last != null && distance_m(each.last, here) < each.filter_m;
        if (isSoon || isNear || !told.add(each.listener)) continue;
        each.last = here;
        post(null, () -> each.listener.onLocationChanged(here), 0);
      }
    }
    for (Map.Entry<PendingIntent, double[]> fence : new ArrayList<>(proximity.entrySet())) {
      Location middle = new Location("fence");
      middle.set(fence.getValue()[0], fence.getValue()[1], 0, 0, 0);
      boolean is = distance_m(middle, here) <= fence.getValue()[2];
      Boolean was = isInside.put(fence.getKey(), is);
      if (is == (was != null && was)) continue;
      send(fence.getKey(), new Intent().putExtra("entering", is), false);
    }
    settle();
  }

  public static double distance_m(Location a, Location b) {
    double north = (a.getLatitude() - b.getLatitude()) * 111_195;
    double east = (a.getLongitude() - b.getLongitude()) * 111_195 * Math.cos(Math.toRadians(a.getLatitude()));
    return Math.hypot(north, east);
  }

  // Actions of the user, and the state of the screen.

  public boolean shows(String tag) {
    return notifications.keySet().stream().anyMatch(each -> each.startsWith(tag + ":"));
  }

  public android.app.Notification notification(String tag) {
    return notifications.entrySet().stream().filter(each -> each.getKey().startsWith(tag + ":"))
        .map(Map.Entry::getValue).findFirst().orElse(null);
  }

  /**
   * Swipes a notification away on the unlocked phone. Since Android 14 this works for ongoing ones too.
   *
   * @return true if the notification was removed.
   */
  public boolean swipe(String tag) {
    android.app.Notification notice = notification(tag);
    if (notice.isOngoing && level() < 34) return false;
    notifications.keySet().removeIf(each -> each.startsWith(tag + ":"));
    if (notice.deleteIntent != null) send(notice.deleteIntent, null, false);
    return true;
  }

  /** Touches a notification's button. */
  public void touch(String tag, String words) {
    for (android.app.Notification.Action action : notification(tag).actions) {
      if (action.title.toString().equals(words)) {
        send(action.actionIntent, null, true);
        return;
      }
    }
    throw new AssertionError("there is no " + words + " on " + tag);
  }

  public void answerPermissions(Activity activity, boolean isGranted) {
    for (String each : asked) {
      if (isGranted) granted.add(each);
      else refusals.merge(each, 1, Integer::sum);
    }
    tellPermissions(activity, askedNumber, asked);
    asked = null;
    settle();
  }

  public void tellPermissions(Activity activity, int number, String[] names) {
    int[] results = new int[names.length];
    for (int i = 0; i < names.length; i++) results[i] = granted.contains(names[i]) ? 0 : -1;
    activity.onRequestPermissionsResult(number, names, results);
  }

  public boolean sounds() {
    return players.stream().anyMatch(MediaPlayer::isPlaying);
  }
}
