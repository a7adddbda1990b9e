// The icons: one set, drawn on a grid of 24 with strokes of 1.8 and round ends, in the colour of the text around them.
import { h } from './dom.js';

const paths = {
  bell: 'M6 17h12l-1.5-2.2V10a4.5 4.5 0 0 0-9 0v4.8zM10.5 20h3',
  'bell-off': 'M6 17h12M7.5 14.8V10c0-.7.2-1.4.5-2M9.6 6.2A4.5 4.5 0 0 1 16.5 10v3.2M6 17l1.5-2.2M10.5 20h3M4 4l16 16',
  map: 'M3.5 6.5 9 4l6 2.5L20.5 4v13.5L15 20l-6-2.5L3.5 20zM9 4v13.5M15 6.5V20',
  list: 'M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01',
  clock: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 7.5V12l3 2',
  sliders:
    'M4 8h7M17 8h3M4 16h3M13 16h7M14 5.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5zM10 13.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  close: 'M6 6l12 12M18 6 6 18',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  back: 'M14.5 5.5 8 12l6.5 6.5',
  forward: 'M9.5 5.5 16 12l-6.5 6.5',
  down: 'M6 9.5l6 6 6-6',
  up: 'M6 14.5l6-6 6 6',
  more: 'M6 12h.01M12 12h.01M18 12h.01',
  search: 'M10.5 4.5a6 6 0 1 0 0 12 6 6 0 0 0 0-12zM15 15l5 5',
  arrow: 'M12 19V5M6.5 10.5 12 5l5.5 5.5',
  position: 'M20 4 4 10.5l7 2.5 2.5 7z',
  layers: 'M12 4l8.5 4.5L12 13 3.5 8.5zM4.5 12.5 12 16.5l7.5-4',
  undo: 'M8 5 4 9l4 4M4 9h10a5 5 0 0 1 0 10h-3',
  redo: 'M16 5l4 4-4 4M20 9H10a5 5 0 0 0 0 10h3',
  area: 'M12 4l7.5 5-2.5 10H7L4.5 9z',
  circle: 'M12 4.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15z',
  pin: 'M12 21s6.5-6 6.5-11a6.5 6.5 0 0 0-13 0c0 5 6.5 11 6.5 11zM12 7.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z',
  path: 'M5 19c6 0 2-7 7-7s1-7 7-7M5 19h.01M19 5h.01',
  moon: 'M19.5 14A8 8 0 0 1 10 4.5a8 8 0 1 0 9.5 9.5z',
  pencil: 'M4.5 19.5l1-4L16 5l3 3L8.5 18.5zM14 7l3 3',
  trash: 'M5 7h14M9.5 7V4.5h5V7M7 7l.8 12.5h8.400L17 7M10 10.5v6M14 10.5v6',
  share: 'M12 4v11M8 7.5 12 4l4 3.5M6 11.5v8h12v-8',
  mail: 'M4 6.5h16v11H4zM4 7l8 6 8-6',
  message: 'M4.5 5.5h15v10.5H11L7 19.5V16H4.5z',
  sound: 'M5 10v4h3l4.5 3.5v-11L8 10zM16 9.5a4 4 0 0 1 0 5M18.5 7a7.5 7.5 0 0 1 0 10',
  mute: 'M5 10v4h3l4.5 3.5v-11L8 10zM16.5 10l4 4M20.5 10l-4 4',
  play: 'M8 5.5l10 6.5-10 6.5z',
  stop: 'M7 7h10v10H7z',
  pause: 'M8.5 5.5v13M15.5 5.5v13',
  import: 'M12 4v11M8 11.5 12 15l4-3.5M5 19.5h14',
  eye: 'M3 12s3.5-6 9-6 9 6 9 6-3.5 6-9 6-9-6-9-6zM12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z',
  info: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 11v5M12 8h.01',
  warning: 'M12 4.5 3.5 19h17zM12 10v4.5M12 17h.01',
  shield: 'M12 3.5l7 2.5v5.5c0 4.5-3 7.5-7 9-4-1.5-7-4.5-7-9V6z',
  phone: 'M7.5 3.5h9v17h-9zM11 17.5h2',
  battery: 'M4 8.5h14v7H4zM20 11v2M6.5 11v2',
  cloud: 'M7 18a4 4 0 0 1-.5-8 5.5 5.5 0 0 1 10.700 1.200A3.5 3.5 0 0 1 17 18z',
  computer: 'M5 5h14v10H5zM2.5 19h19',
  lock: 'M6 10.5h12V20H6zM8.5 10.5V8a3.5 3.5 0 0 1 7 0v2.5',
  'eye-off':
    'M9 6.4A9 9 0 0 1 12 6c6 0 9 6 9 6a15 15 0 0 1-2.6 3.3M6.5 7.8A15 15 0 0 0 3 12s3.5 6 9 6a9 9 0 0 0 4-1M4.5 4.5l15 15',
  user: 'M12 4.5a3.750 3.750 0 1 0 0 7.5 3.750 3.750 0 0 0 0-7.5zM4.5 20c.8-3.5 3.8-5.5 7.5-5.5s6.700 2 7.5 5.5',
  people:
    'M9 5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM2.5 19.5c.7-3.2 3.3-5 6.5-5s5.8 1.8 6.5 5M16 5.3a3.5 3.5 0 0 1 0 6.5M18.2 14.9c1.7.7 2.9 2.3 3.3 4.6',
  grip: 'M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01',
  cart: 'M4 5h2l2.5 10h9L20 8H7M10 19h.01M16.5 19h.01',
  // Categories.
  home: 'M4.5 11 12 4.5 19.5 11M6.5 9.5v9.5h11V9.5M10 19v-5h4v5',
  work: 'M4 8.5h16v10.5H4zM9 8.5V5.5h6v3M4 13h16',
  food: 'M7 4v6.5a1.750 1.750 0 0 0 3.5 0V4M8.750 12.5V20M15.5 20V4c-2 1-2.5 4-2.5 8.5h2.5',
  shop: 'M5.5 8.5h13l-1 11.5h-11zM9 8.5V7a3 3 0 0 1 6 0v1.5',
  transit:
    'M7 4.5h10a1.5 1.5 0 0 1 1.5 1.5v9A2.5 2.5 0 0 1 16 17.5H8A2.5 2.5 0 0 1 5.5 15V6A1.5 1.5 0 0 1 7 ' +
    '4.5zM5.5 11.5h13M9 14.5h.01M15 14.5h.01M8.5 17.5 6.5 20M15.5 17.5l2 2.5',
  nature: 'M5 19c8.5 1 14-4.5 14-14C10 5 4.5 9 5 15.5M5 19.5C6.5 15 9.5 12 13.5 10.5',
  health: 'M12 19.5S4 14.5 4 9.250A4.25 4.25 0 0 1 12 7.5a4.25 4.25 0 0 1 8 1.750c0 5.25-8 10.25-8 10.250z',
  hazard: 'M12 4.5 3.5 19h17zM12 10v4.5M12 17h.01',
  other: 'M12 5l2 5 5 .5-4 3.3 1.3 5.2-4.3-3-4.3 3L9 13.8 5 10.5l5-.5z',
};

/**
 * @param {string} name
 * @param {{size?: number, label?: string, turned?: number}} [look] `turned`: rotation in degrees
 * @param {typeof h} [make] `describe`, for a description instead of an element
 */
export function icon(name, { size = 24, label, turned } = {}, make = h) {
  const told = label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': 'true' };
  return make(
    'svg:svg',
    {
      viewBox: '0 0 24 24',
      width: size,
      height: size,
      fill: 'none',
      stroke: 'currentColor',
      'stroke-width': 1.8,
      'stroke-linecap': 'round',
      'stroke-linejoin': 'round',
      class: 'icon',
      ...told,
      style: turned !== undefined && { transform: `rotate(${Math.round(turned)}deg)` },
    },
    make('svg:path', { d: paths[name] ?? paths.other }),
  );
}

export { categoryLook } from './categories.js';
