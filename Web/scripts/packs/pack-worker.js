// Fetches packs of zones and does nothing else. The page may contact only its own server; this thread, which holds no personal data,
// may contact any over HTTPS. The server sends this file with a content security policy of its own for that.
const patience_ms = 60_000;

onmessage = async ({ data: { address, largest } }) => {
  try {
    const answer = await fetch(address, {
      // The browser revalidates its cached copy, so that an unchanged file is not sent again.
      cache: 'no-cache',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      signal: AbortSignal.timeout(patience_ms),
    });
    if (!answer.ok) {
      postMessage({ status: answer.status });
      return;
    }
    const bytes = await bytesOf(answer, largest);
    if (bytes) postMessage({ status: answer.status, bytes }, [bytes]);
    else postMessage({ tooLarge: true });
  } catch {
    postMessage({ status: 0 });
  }
};

/** The bytes of an answer; undefined if there are more than `largest`. */
async function bytesOf(answer, largest) {
  const parts = [];
  let size = 0;
  const reader = answer.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > largest) {
      reader.cancel().catch(() => {});
      return undefined;
    }
    parts.push(value);
  }
  return new Blob(parts).arrayBuffer();
}
