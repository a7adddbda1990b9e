package android.content;

import java.util.HashSet;
import java.util.Set;

public class IntentFilter {
  private final Set<String> actions = new HashSet<>();

  public IntentFilter(String action) {
    actions.add(action);
  }

  public final void addAction(String action) {
    actions.add(action);
  }

  public final boolean hasAction(String action) {
    return actions.contains(action);
  }
}
