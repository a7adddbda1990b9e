// Keeps messages visible and usable above a modal dialog, by making them children of the dialog.

/** The topmost modal dialog, if any: it and its backdrop cover every point of the page. */
const modal = () => document.elementFromPoint(1, 1)?.closest('dialog:modal');

/**
 * Shows an element in `otherwise` or, while a modal dialog is open, in that dialog. When the dialog closes, the element moves
 * to what is below. Redrawing the dialog does not affect the element.
 */
export function showAbove(element, otherwise) {
  const dialog = modal();
  element.dataset.apart = '';
  if (!dialog) {
    otherwise.replaceChildren(element);
    return;
  }
  otherwise.replaceChildren();
  for (const former of dialog.querySelectorAll(':scope > [data-apart]')) former.remove();
  // Screen readers ignore everything outside a modal dialog.
  element.setAttribute('role', 'status');
  dialog.append(element);
  dialog.addEventListener(
    'close',
    () => {
      if (element.parentElement !== dialog) return;
      element.remove();
      element.removeAttribute('role');
      showAbove(element, otherwise);
    },
    { once: true },
  );
}
