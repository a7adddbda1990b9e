// Directions to a place: in the device's own map application if it has one, else on a web page (S210).
import { isApple } from '../messages/sms.js';
import { t } from '../words/translate.js';

/**
 * @param {{place: [number, number], name?: string}} to
 * @param {string} [agent] the browser's user agent
 */
export function directionsLink({ place: [latitude, longitude], name = '' }, agent = navigator.userAgent) {
  const where = `${latitude},${longitude}`;
  if (isApple(agent)) return `https://maps.apple.com/?daddr=${where}&dirflg=w`;
  // Android asks which application to use. The text in brackets is the pin's name; it must not contain brackets itself.
  if (/Android/.test(agent))
    return `geo:${where}?q=${where}(${encodeURIComponent(name.replace(/[()]/g, ' ').trim() || t`Here`)})`;
  return `https://www.openstreetmap.org/directions?to=${encodeURIComponent(where)}`;
}
