package android.app;

import android.content.Context;
import android.content.DialogInterface;
import phone.Phone;

/** A dialog with two buttons; a test touches one of them on {@link Phone#dialog}. */
public class AlertDialog {
  public static class Builder {
    private final AlertDialog dialog = new AlertDialog();

    public Builder(Context context) {}

    public Builder setMessage(int words) {
      dialog.message = Phone.now().manifest.words(words);
      return this;
    }

    public Builder setPositiveButton(int words, DialogInterface.OnClickListener listener) {
      dialog.yes = listener;
      return this;
    }

    public Builder setNegativeButton(int words, DialogInterface.OnClickListener listener) {
      dialog.no = listener;
      return this;
    }

    public AlertDialog show() {
      Phone.now().dialog = dialog;
      return dialog;
    }
  }

  public String message;
  private DialogInterface.OnClickListener yes;
  private DialogInterface.OnClickListener no;

  public void answer(boolean isYes) {
    Phone.now().dialog = null;
    DialogInterface.OnClickListener touched = isYes ? yes : no;
    if (touched != null) touched.onClick(null, isYes ? -1 : -2);
    Phone.now().settle();
  }
}
