// What a tap changed is to be seen before the work that it makes begins.

/** Pages that are not in front make no frames: after so long the work begins anyway. */
const patience_ms = 100;

/** Settles when the next frame has been drawn. */
export function painted() {
  if (document.visibilityState !== 'visible') return Promise.resolve();
  return new Promise((done) => {
    const late = setTimeout(done, patience_ms);
    requestAnimationFrame(() => {
      // Right after the frame that this is called for.
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        clearTimeout(late);
        port1.close();
        done();
      };
      port2.postMessage(0);
    });
  });
}
