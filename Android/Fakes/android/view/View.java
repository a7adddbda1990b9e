package android.view;

import android.content.Context;

public class View {
  private OnClickListener listener;
  public ViewGroup parent;
  public int background;
  public boolean fitsSystemWindows;

  public interface OnClickListener {
    void onClick(View view);
  }

  public View() {}

  public View(Context context) {}

  public void setOnClickListener(OnClickListener listener) {
    this.listener = listener;
  }

  public boolean performClick() {
    listener.onClick(this);
    return true;
  }

  public final ViewParent getParent() {
    return parent;
  }

  public void setPadding(int left, int top, int right, int bottom) {}

  public void setBackgroundColor(int colour) {
    background = colour;
  }

  public void setMinimumHeight(int height) {}

  public void setLayoutParams(ViewGroup.LayoutParams parameters) {}

  public void setFitsSystemWindows(boolean is) {
    fitsSystemWindows = is;
  }

  public void setSystemUiVisibility(int flags) {}
}
