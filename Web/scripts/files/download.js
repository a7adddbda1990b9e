// A file for the person to keep: as a download of the browser, or in an app, whose page has none, as its own dialogue keeps it.
import { base64, phone } from '../device/phone-app.js';

/**
 * @param {BlobPart} content
 * @returns {Promise<boolean>} false where the app did not keep it
 */
export async function download(content, name, type) {
  const file = new Blob([content], { type });
  if (phone?.save) {
    const bytes = base64(new Uint8Array(await file.arrayBuffer()));
    return new Promise((done) => {
      phone.onsaved = done;
      phone.save(name, type, bytes);
    });
  }
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has taken hold of it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
  return true;
}
