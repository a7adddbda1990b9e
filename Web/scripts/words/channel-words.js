// The names of the channels on which alarms reach people.
import { t } from './translate.js';

/** Names by the API's `kind`. */
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
