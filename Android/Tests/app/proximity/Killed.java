package app.proximity;

/** The process ends here. */
final class Killed extends Error {
  private static final long serialVersionUID = 1;
}
