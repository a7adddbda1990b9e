// The way to a place: the device's own map application where it has one, a web page elsewhere (S210).
import { isApple } from '../messages/sms.js';
import { t } from '../words/translate.js';

/**
 * @param {{place: [number, number], name?: string}} to
 * @param {string} [agent] what the browser calls itself
 */
export function directionsLink({ place: [latitude, longitude], name = '' }, agent = navigator.userAgent) {
  const where = `${latitude},${longitude}`;
  if (isApple(agent)) return `https://maps.apple.com/?daddr=${where}&dirflg=w`;
  // Android asks which application it shall be. What stands in brackets is the pin's name; it must hold none itself.
  if (/Android/.test(agent))
    return `geo:${where}?q=${where}(${encodeURIComponent(name.replace(/[()]/g, ' ').trim() || t`Here`)})`;
  return `https://www.openstreetmap.org/directions?to=${encodeURIComponent(where)}`;
}
