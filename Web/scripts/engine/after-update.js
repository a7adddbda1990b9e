// Checks after an update of the browser, the system or the page that alarms are still computed correctly, and warns if not.
import { snackbar } from '../../parts/snackbar.js';
import { go } from '../page/address.js';
import { t } from '../words/translate.js';
import { checkAfterUpdate } from './self-check.js';

export const reportAfterUpdate = (app) =>
  checkAfterUpdate(app, () =>
    snackbar(t`Since the last update, alarms come out wrong in this browser. Do not rely on it.`, {
      action: { label: t`Show`, run: () => go('/diagnostics') },
      seconds: 600,
    }),
  );
