// Lets the browser paint the change that a tap made before the work begins.

/** The longest wait for a frame: the work begins then anyway, as pages that are not in front make no frames. */
const patience_ms = 100;

/** Settles when the next frame has been drawn. */
export function painted() {
  if (document.visibilityState !== 'visible') return Promise.resolve();
  return new Promise((done) => {
    const late = setTimeout(done, patience_ms);
    requestAnimationFrame(() => {
      // The message arrives right after the frame.
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
