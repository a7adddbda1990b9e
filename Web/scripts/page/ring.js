// The sign of the whole application: a ring that closes as you approach.
import { h } from './dom.js';

/**
 * @param {number} closeness 0 to 1
 * @param {{radius: number, width: number, colour?: string, box: number, track?: number, dot?: boolean}} look in CSS pixels; `track` is
 *   the opacity of the part that is not yet closed, in percent, `dot` a position at the arc's end
 * @param {typeof h} [make] `describe`, for a description instead of an element
 */
export function ring(closeness, { radius, width, colour = 'var(--primary)', box, track = 16, dot = false }, make = h) {
  const circle = (style, attributes) =>
    make('svg:circle', { r: radius, fill: 'none', 'stroke-width': width, ...attributes, style });
  const round = 2 * Math.PI * radius;
  const turn = 2 * Math.PI * closeness - Math.PI / 2;
  return make(
    'svg:svg',
    { class: 'ring', viewBox: `${-box / 2} ${-box / 2} ${box} ${box}`, 'aria-hidden': 'true' },
    circle({ stroke: `color-mix(in srgb, ${colour} ${track}%, transparent)` }),
    closeness > 0 &&
      circle(
        { stroke: colour },
        {
          'stroke-linecap': 'round',
          'stroke-dasharray': `${closeness * round} ${round}`,
          transform: 'rotate(-90)',
        },
      ),
    dot &&
      circle(
        { stroke: colour, fill: 'var(--position)' },
        {
          cx: radius * Math.cos(turn),
          cy: radius * Math.sin(turn),
          'stroke-width': width * 0.6,
          r: width * 1.3,
        },
      ),
  );
}
