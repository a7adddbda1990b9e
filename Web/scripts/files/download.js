// Saves a file for the person: as a download of the browser, or by the app's own dialogue, as its page has no downloads.
import { base64, phone } from '../device/phone-app.js';

/**
 * @param {BlobPart|BlobPart[]} content
 * @returns {Promise<boolean>} false if the app did not save it
 */
export async function download(content, name, type) {
  const file = new Blob([content].flat(), { type });
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
  // The browser has begun the download by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
  return true;
}
