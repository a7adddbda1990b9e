// Prints the heading that a page's script sets. Arguments: the page's address, whose name is mapped to this machine, and the
// hash of the trusted key.
import { Browser } from '../Web/support/Browser.mjs';

const [address, key] = process.argv.slice(2);
const browser = await Browser.launch({
  more: [
    `--host-resolver-rules=MAP ${new URL(address).hostname} 127.0.0.1`,
    `--ignore-certificate-errors-spki-list=${key}`,
  ],
});
try {
  const context = await browser.context({ origin: new URL(address).origin });
  const page = await context.page();
  await page.open(address, { ready: 'h1' });
  await page.until(() => document.querySelector('h1').textContent !== 'waiting');
  console.log(await page.run(() => document.querySelector('h1').textContent));
} finally {
  await browser.close();
}
