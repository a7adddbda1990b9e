// A QR code as inline SVG; the code that computes its modules is loaded for the first one.
import { h } from './dom.js';
import { t } from '../words/translate.js';

let library;
function load() {
  library ??= new Promise((done, failed) => {
    document.head.append(
      h('script', {
        src: 'vendor/qrcode.js',
        onload: () => done(globalThis.qrcode),
        onerror: () => failed(new Error(t`the QR code could not be drawn`)),
      }),
    );
  }).catch((error) => {
    library = undefined;
    throw error;
  });
  return library;
}

/**
 * @param {string} text at most some 2,300 bytes
 * @returns {Promise<SVGElement>} dark on light in every theme, with the quiet zone that readers need
 * @throws {Error} if the text is too long
 */
export async function qr(text, label) {
  const make = await load();
  make.stringToBytes = make.stringToBytesFuncs['UTF-8'] ?? ((words) => [...new TextEncoder().encode(words)]);
  let code;
  try {
    code = make(0, 'M');
    code.addData(text, 'Byte');
    code.make();
  } catch {
    code = make(0, 'L');
    code.addData(text, 'Byte');
    try {
      code.make();
    } catch {
      throw new Error(t`${new TextEncoder().encode(text).length} bytes are more than a QR code holds.`);
    }
  }
  const count = code.getModuleCount();
  const quiet = 4;
  let path = '';
  for (let row = 0; row < count; row++)
    for (let column = 0; column < count; column++)
      if (code.isDark(row, column)) path += `M${column + quiet} ${row + quiet}h1v1h-1z`;
  const ns = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(ns, 'svg');
  const size = count + 2 * quiet;
  for (const [key, value] of Object.entries({
    viewBox: `0 0 ${size} ${size}`,
    'shape-rendering': 'crispEdges',
    role: 'img',
    'aria-label': label,
    class: 'qr',
  }))
    svg.setAttribute(key, value);
  const shape = (name, attributes) => {
    const made = document.createElementNS(ns, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    svg.append(made);
  };
  shape('rect', { width: size, height: size, fill: '#fff' });
  shape('path', { d: path, fill: '#000' });
  return svg;
}
