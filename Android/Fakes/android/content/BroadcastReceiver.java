package android.content;

public abstract class BroadcastReceiver {
  public abstract void onReceive(Context context, Intent intent);

  public final PendingResult goAsync() {
    return new PendingResult();
  }

  public static class PendingResult {
    private boolean isFinished;

    public final void finish() {
      if (isFinished) throw new IllegalStateException("Broadcast already finished");
      isFinished = true;
    }
  }
}
