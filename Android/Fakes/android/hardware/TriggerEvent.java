package android.hardware;

public class TriggerEvent {
  /** In ns, by the clock that cannot be set. */
  public long timestamp;
}
