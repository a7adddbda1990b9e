// The pins of zones as images for the map: a medallion for each category and state, drawn once per style.
import { looksOf } from '../scripts/page/categories.js';
import { icon } from '../scripts/page/icons.js';

const size = 44;
const scale = 2;
export const states = ['on', 'off', 'asleep', 'ringing'];
export const medallion = (picture, state) => `zone-${picture}-${state}`;

/**
 * Draws the images.
 * @param {{token: (name: string) => string}} look
 * @param {Iterable<string>} categories in use; the default is also drawn, for zones that come later
 * @returns {Record<string, {data: ImageData, options: object}>}
 */
export function medallions({ token }, categories) {
  const images = {};
  for (const { picture, token: colour } of looksOf([...categories, ''])) {
    const glyph = new Path2D(icon(picture).firstChild.getAttribute('d'));
    for (const state of states) {
      images[medallion(picture, state)] = {
        data: draw(glyph, state, token(colour), token),
        options: { pixelRatio: scale },
      };
    }
  }
  return images;
}

function draw(glyph, state, colour, token) {
  const canvas = new OffscreenCanvas(size * scale, size * scale);
  const pen = canvas.getContext('2d');
  pen.scale(scale, scale);
  const middle = size / 2;
  const disc = (radius, fill, x = middle, y = middle) => {
    pen.beginPath();
    pen.arc(x, y, radius, 0, 2 * Math.PI);
    pen.fillStyle = fill;
    pen.fill();
  };
  const surface = token('--surface');
  const isOff = state === 'off';
  pen.shadowColor = '#0e1b1e55';
  pen.shadowBlur = 4 * scale;
  pen.shadowOffsetY = scale;
  disc(18, surface);
  pen.shadowColor = 'transparent';
  disc(15, isOff ? surface : state === 'ringing' ? token('--alarm') : colour);
  if (isOff) {
    pen.lineWidth = 2;
    pen.strokeStyle = token('--off');
    pen.beginPath();
    pen.arc(middle, middle, 15.5, 0, 2 * Math.PI);
    pen.stroke();
  }
  pen.save();
  pen.translate(middle - 9, middle - 9);
  pen.scale(0.75, 0.75);
  pen.lineWidth = 2;
  pen.lineCap = pen.lineJoin = 'round';
  pen.strokeStyle = isOff ? token('--ink-3') : surface;
  pen.stroke(glyph);
  pen.restore();
  if (state === 'asleep') badge(pen, token);
  return pen.getImageData(0, 0, size * scale, size * scale);
}

/** A moon at the upper right. */
function badge(pen, token) {
  const [x, y] = [size - 11, 11];
  for (const [radius, fill] of [
    [10, token('--surface')],
    [8.5, token('--sleep')],
  ]) {
    pen.beginPath();
    pen.arc(x, y, radius, 0, 2 * Math.PI);
    pen.fillStyle = fill;
    pen.fill();
  }
  pen.save();
  pen.translate(x - 6, y - 6);
  pen.scale(0.5, 0.5);
  pen.fillStyle = token('--on-sleep');
  pen.fill(new Path2D(icon('moon').firstChild.getAttribute('d')));
  pen.restore();
}
