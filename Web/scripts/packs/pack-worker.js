// Fetches packs of zones, and nothing else: the page itself may ask no server but its own, and this thread, which holds nothing of
// anybody's, may ask any over HTTPS. The server gives this file a policy of its own for that.
const patience_ms = 60_000;

onmessage = async ({ data: { address, largest } }) => {
  try {
    const answer = await fetch(address, {
      // The browser asks whether what it has is still the same, and then nothing is sent again.
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

/** Nothing where there are more than `largest`. */
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
