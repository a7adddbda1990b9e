package android.view;

import android.content.Context;
import java.util.ArrayList;
import java.util.List;

public abstract class ViewGroup extends View implements ViewManager, ViewParent {
  public final List<View> children = new ArrayList<>();

  public static class LayoutParams {}

  public static class MarginLayoutParams extends LayoutParams {}

  public ViewGroup() {}

  public ViewGroup(Context context) {}

  public void addView(View view) {
    children.add(view);
    view.parent = this;
  }

  public void addView(View view, LayoutParams parameters) {
    addView(view);
  }

  public void removeAllViews() {
    children.clear();
  }
}
