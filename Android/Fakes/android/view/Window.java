package android.view;

public class Window {
  public void addFlags(int flags) {}

  public void setStatusBarColor(int colour) {}

  public final View getDecorView() {
    return new View();
  }
}
