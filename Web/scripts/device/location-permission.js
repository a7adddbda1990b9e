// Applies a changed location permission at once, without a reload.

export async function followPermission(app) {
  const status = await navigator.permissions?.query({ name: 'geolocation' }).catch(() => undefined);
  status?.addEventListener('change', () => {
    if (app.report.listens) app.seekPosition();
  });
}
