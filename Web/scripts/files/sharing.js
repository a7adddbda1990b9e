// Exports zones as a .pad file: to another application, by mail, or to keep. The engine writes the file.
import { download } from './download.js';
import { t } from '../words/translate.js';

export const type = 'text/csv';
/** The longest mail address, in characters: mail programs cut longer ones. */
const longestMail = 1800;

/** @returns {{bytes: Uint8Array, changed: number, name: string}} `changed`: how many zones the format could not carry unchanged */
export function padOf(app, zones) {
  const { bytes, changed } = app.ask('write_pad', { zones });
  const name = zones.length === 1 ? fileName(zones[0].name) : 'zones';
  return { bytes, changed, name: `${name}.pad` };
}

/** A file name that every system accepts. */
export const fileName = (text) =>
  text
    .normalize('NFC')
    .replace(/[\\/:*?"<>|\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, 60)
    .trim() || 'zone';

const file = ({ bytes, name }) => new File([bytes], name, { type });

/** True if this browser can share files with other applications; some accept only known endings. */
export function canShare(pad) {
  return Boolean(navigator.canShare?.({ files: [file(pad)] }) || navigator.canShare?.({ files: [asText(pad)] }));
}
const asText = ({ bytes, name }) => new File([bytes], name.replace(/\.pad$/, '.csv'), { type });

/** @returns {Promise<boolean>} false if the person cancelled */
export async function share(pad, title) {
  const files = navigator.canShare({ files: [file(pad)] }) ? [file(pad)] : [asText(pad)];
  try {
    await navigator.share({ files, title });
    return true;
  } catch (error) {
    if (error.name === 'AbortError') return false;
    throw error;
  }
}

export const keep = (pad) => download(pad.bytes, pad.name, type);

/**
 * The `mailto:` address of a mail with the zones in its text, as it cannot carry an attachment. Receive reads that text.
 * @returns {string|null} null if the zones are too many for it
 */
export function mailAddress(pad, title) {
  const text = new TextDecoder().decode(pad.bytes);
  const how = t`Save the lines below as ${pad.name} and open the file with Proximity Alarm, or paste them under
    Receive.`;
  const body = [title, how, text.replaceAll('\n', '\r\n')].join('\r\n\r\n');
  const address = `mailto:?subject=${encodeURIComponent(title)}&body=${encodeURIComponent(body)}`;
  return address.length <= longestMail ? address : null;
}
