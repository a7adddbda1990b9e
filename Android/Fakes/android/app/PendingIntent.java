package android.app;

import android.content.Context;
import android.content.Intent;
import phone.Phone;

/** Two objects for the same operation are equal, as in the system. */
public final class PendingIntent {
  public final String kind;
  public final int number;
  public final Intent intent;
  public final boolean isMutable;

  private PendingIntent(String kind, int number, Intent intent, int flags) {
    boolean isImmutable = (flags & 0x04000000) != 0;
    boolean saysMutable = (flags & 0x02000000) != 0;
    if (Phone.now().level() >= 31 && isImmutable == saysMutable) {
      throw new IllegalArgumentException("Targeting S+ requires that one of FLAG_IMMUTABLE or FLAG_MUTABLE be specified");
    }
    this.kind = kind;
    this.number = number;
    this.intent = intent;
    isMutable = !isImmutable;
  }

  public static PendingIntent getBroadcast(Context context, int number, Intent intent, int flags) {
    return new PendingIntent("broadcast", number, intent, flags);
  }

  public static PendingIntent getActivity(Context context, int number, Intent intent, int flags) {
    return new PendingIntent("activity", number, intent, flags);
  }

  @Override public boolean equals(Object other) {
    return other instanceof PendingIntent && ((PendingIntent) other).kind.equals(kind)
        && ((PendingIntent) other).number == number && ((PendingIntent) other).intent.filterEquals(intent);
  }

  @Override public int hashCode() {
    return intent.filterHashCode();
  }
}
