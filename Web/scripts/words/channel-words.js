// What the ways on which alarms reach people are called.
import { t } from './translate.js';

/** By the API's words. */
export const kinds = {
  web_push: t`Browser`,
  mail: t`Mail`,
  ntfy: 'ntfy',
  webhook: 'Webhook',
  owntracks: 'OwnTracks',
  home_assistant: 'Home Assistant',
  apns: 'iPhone',
  gotify: 'Gotify',
  telegram: 'Telegram',
  pushover: 'Pushover',
  matrix: 'Matrix',
  apprise: 'Apprise',
  gateway: t`Text messages and calls`,
  mqtt: 'MQTT',
};
