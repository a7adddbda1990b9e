// The sign of the whole application: a ring that closes as you approach.

const ns = 'http://www.w3.org/2000/svg';

/**
 * @param {number} closeness 0 to 1
 * @param {{radius: number, width: number, colour?: string, box: number, track?: number, dot?: boolean}} look in CSS pixels; `track` is
 *   the strength of what is not yet closed, in percent, `dot` a position at the arc's end
 */
export function ring(closeness, { radius, width, colour = 'var(--primary)', box, track = 16, dot = false }) {
  const svg = document.createElementNS(ns, 'svg');
  svg.setAttribute('class', 'ring');
  svg.setAttribute('viewBox', `${-box / 2} ${-box / 2} ${box} ${box}`);
  svg.setAttribute('aria-hidden', 'true');
  const circle = (attributes) => {
    const element = document.createElementNS(ns, 'circle');
    const { stroke, ...rest } = attributes;
    for (const [name, value] of Object.entries({ r: radius, fill: 'none', 'stroke-width': width, ...rest }))
      element.setAttribute(name, value);
    element.style.stroke = stroke;
    svg.append(element);
  };
  circle({ stroke: `color-mix(in srgb, ${colour} ${track}%, transparent)` });
  const round = 2 * Math.PI * radius;
  if (closeness > 0) {
    circle({
      stroke: colour,
      'stroke-linecap': 'round',
      'stroke-dasharray': `${closeness * round} ${round}`,
      transform: 'rotate(-90)',
    });
  }
  if (dot) {
    const turn = 2 * Math.PI * closeness - Math.PI / 2;
    const at = { cx: radius * Math.cos(turn), cy: radius * Math.sin(turn), 'stroke-width': width * 0.6 };
    circle({ ...at, r: width * 1.3, stroke: colour });
    svg.lastChild.style.fill = 'var(--position)';
  }
  return svg;
}
