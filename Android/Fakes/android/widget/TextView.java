package android.widget;

import android.content.Context;
import android.view.View;
import phone.Phone;

public class TextView extends View {
  public CharSequence text;

  public TextView() {}

  public TextView(Context context) {}

  public final void setText(int words) {
    text = Phone.now().manifest.words(words);
  }

  public final void setText(CharSequence text) {
    this.text = text;
  }

  public void setTextColor(int colour) {}

  public void setTextSize(float size) {}

  public void setGravity(int gravity) {}
}
