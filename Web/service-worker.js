// Keeps the page on the device and works without network. `self.files`, made by the build, holds every file with a hash of
// its content: files that did not change are taken over from the version before, so an update loads only what is new. Most of
// them lie in one file as well, `self.together`, for a first visit.
const version = hash(JSON.stringify(self.files));
const store = `page-${version}`;
const base = new URL(self.registration.scope);
const shared = 'shared';

function hash(text) {
  let value = 0;
  for (let place = 0; place < text.length; place++) value = (Math.imul(value, 31) + text.charCodeAt(place)) >>> 0;
  return value.toString(16);
}

const keyOf = (file) => new URL(`${file}?${self.files[file]}`, base).href;

self.addEventListener('install', (event) => event.waitUntil(Promise.all([goPast(event), install()])));

/**
 * Requests to the server's API go past this worker, in browsers that can be told so: they need not wait for it to start, and one
 * that comes while a newer version takes over does not start the older one anew. A browser that refuses keeps the files all the same.
 */
async function goPast(event) {
  try {
    await event.addRoutes?.({ condition: { urlPattern: { pathname: `${base.pathname}api/*` } }, source: 'network' });
  } catch (error) {
    console.error(error);
  }
}

async function install() {
  const cache = await caches.open(store);
  /** Caches of this version and of those before, by the files that they hold. */
  const holders = new Map();
  for (const name of await caches.keys()) {
    if (!name.startsWith('page-')) continue;
    const each = name === store ? cache : await caches.open(name);
    for (const { url } of await each.keys()) if (holders.get(url) !== cache) holders.set(url, each);
  }
  const all = Object.keys(self.files);
  const missing = all.filter((file) => !holders.has(keyOf(file)));
  const former = all.filter((file) => ![undefined, cache].includes(holders.get(keyOf(file))));
  await sixAtATime(former, async (file) => {
    const kept = await holders.get(keyOf(file)).match(keyOf(file));
    if (kept) await cache.put(keyOf(file), kept);
    else missing.push(file);
  });
  const texts = missing.length > mostAlone ? await allTexts() : {};
  await sixAtATime(missing, async (file) => {
    if (Object.hasOwn(texts, file)) return cache.put(keyOf(file), textResponse(file, texts[file]));
    const response = await fetch(new Request(new URL(file, base), { cache: 'no-cache' }));
    if (!response.ok) throw new Error(`${file}: ${response.status}`);
    await cache.put(keyOf(file), response);
  });
}

/** So many files are asked for one by one: the one that holds them all takes as long as some fifty. */
const mostAlone = 50;

async function sixAtATime(files, work) {
  const waiting = [...files];
  await Promise.all(
    Array.from({ length: 6 }, async () => {
      for (let file; (file = waiting.pop()) !== undefined;) await work(file);
    }),
  );
}

/** Texts by their files. Where they do not come, each is asked for by itself. */
async function allTexts() {
  try {
    const response = await fetch(new URL(self.together, base), { cache: 'no-store' });
    return response.ok ? await response.json() : {};
  } catch {
    return {};
  }
}

const types = { css: 'text/css', js: 'text/javascript', json: 'application/json', svg: 'image/svg+xml' };
const textResponse = (file, text) =>
  new Response(text, { headers: { 'content-type': `${types[file.split('.').pop()]}; charset=utf-8` } });

self.addEventListener('activate', (event) =>
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys()) if (name.startsWith('page-') && name !== store) await caches.delete(name);
      await self.clients.claim();
    })(),
  ),
);

self.addEventListener('message', (event) => {
  if (event.data?.type === 'take-over') self.skipWaiting();
});

// MARK: What the page asks for

self.addEventListener('fetch', (event) => {
  const url = new URL(event.request.url);
  if (url.origin !== base.origin || !url.pathname.startsWith(base.pathname)) return;
  const name = url.pathname.slice(base.pathname.length);
  if (event.request.method === 'POST' && name === 'receive') {
    event.respondWith(takeIn(event.request));
    return;
  }
  if (event.request.method !== 'GET') return;
  const file = name === '' ? 'index.html' : name;
  // Other addresses, such as the server's API and its links, are left to the network.
  if (!Object.hasOwn(self.files, file)) return;
  event.respondWith(answer(event.request, file));
});

async function answer(request, file) {
  const kept = await (await caches.open(store)).match(keyOf(file));
  if (!kept) return fetch(request);
  const wanted = request.headers.get('range');
  return wanted ? part(kept, wanted) : kept;
}

/** One range of bytes, as RFC 9110, 14 has it. */
async function part(response, wanted) {
  const found = /^bytes=(\d*)-(\d*)$/.exec(wanted);
  const blob = await response.blob();
  const size = blob.size;
  if (!found || (found[1] === '' && found[2] === ''))
    return new Response(blob, { status: 200, headers: response.headers });
  const first = found[1] === '' ? Math.max(0, size - Number(found[2])) : Number(found[1]);
  const last = found[1] === '' || found[2] === '' ? size - 1 : Math.min(size - 1, Number(found[2]));
  if (first > last) return new Response(null, { status: 416, headers: { 'content-range': `bytes */${size}` } });
  return new Response(blob.slice(first, last + 1), {
    status: 206,
    statusText: 'Partial Content',
    headers: {
      'content-type': response.headers.get('content-type') ?? 'application/octet-stream',
      'content-range': `bytes ${first}-${last}/${size}`,
      'content-length': String(last - first + 1),
    },
  });
}

/** Stores files that another application shares, one entry each, until the page has read them from the cache `shared`. */
async function takeIn(request) {
  const cache = await caches.open(shared);
  const form = await request.formData();
  let number = 0;
  for (const file of form.getAll('files')) {
    if (typeof file === 'string') continue;
    await cache.put(
      new URL(`shared/${Date.now()}-${number++}`, base),
      new Response(file, { headers: { 'x-name': encodeURIComponent(file.name) } }),
    );
  }
  const text = [form.get('title'), form.get('text'), form.get('url')]
    .filter((each) => typeof each === 'string' && each)
    .join('\n');
  if (text)
    await cache.put(
      new URL(`shared/${Date.now()}-text`, base),
      new Response(text, { headers: { 'x-name': 'shared.txt' } }),
    );
  return Response.redirect(new URL('./#/receive?shared', base), 303);
}

// MARK: Signed packs

self.addEventListener('periodicsync', (event) => {
  if (event.tag === 'packs') event.waitUntil(fetchPacks());
});

/**
 * Fetches the packs that are followed, with no page open, and leaves them to the page, which checks each before it uses it.
 * Each is asked for once; what fails waits for the browser's next time.
 */
async function fetchPacks() {
  const cache = await caches.open('packs');
  const wanted = await cache.match(new URL('packs/wanted', base));
  const { packs = [], largest = 0 } = wanted ? await wanted.json() : {};
  for (const { collection, address } of packs) {
    try {
      const answer = await fetch(address, {
        cache: 'no-cache',
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
        signal: AbortSignal.timeout(60_000),
      });
      const bytes = answer.ok && (await within(largest, answer.body));
      if (bytes) await cache.put(new URL(`packs/${collection}`, base), new Response(bytes));
    } catch {
      /* Nobody answered; the next time may be better. */
    }
  }
}

/** Nothing where there are more bytes. */
async function within(largest, body) {
  const parts = [];
  let size = 0;
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Blob(parts);
    size += value.length;
    if (size > largest) {
      await reader.cancel();
      return undefined;
    }
    parts.push(value);
  }
}

// MARK: Push and notifications

self.addEventListener('push', (event) => event.waitUntil(pushed(event)));

/** The server says that an alarm began, or that its notification is to go. */
async function pushed(event) {
  let push;
  try {
    push = event.data?.json();
  } catch {
    /* Somebody else's form. */
  }
  await tell({ type: 'pushed', push });
  if (push?.type === 'close') {
    for (const shown of await self.registration.getNotifications({ tag: String(push.tag) })) shown.close();
    return;
  }
  const { title, navigate, ...options } = push?.notification ?? {};
  await self.registration.showNotification(title || 'Proximity Alarm', {
    body: (await said('words/push')) ?? 'Something happened. Open the page to see what.',
    icon: 'icons/icon-192.png',
    badge: 'icons/badge.png',
    ...options,
  });
}

/** A sentence that the page has left here in its language. */
async function said(name) {
  return (await (await caches.open('words')).match(new URL(name, base)))?.text();
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const acting = act(event.action, event.notification.data ?? {});
  event.waitUntil(acting);
});

async function act(action, data) {
  const alarm = data.alarm;
  // An alarm of the server: its signed link answers it, with no page open.
  const link = data.links?.[action];
  if (action && link) {
    await fetch(link, { method: 'POST', headers: { accept: 'application/json' } }).catch(() => undefined);
  }
  const open = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const message = { type: 'notification', action, alarm, address: data.address ?? '#/' };
  // A notice, and an alarm that no open page can show, open the server's own link.
  const lead = !action && data.links?.open;
  if (lead && (data.kind === 'notice' || !open.length)) {
    await self.clients.openWindow(lead);
    return;
  }
  if (open.length) {
    for (const client of open) client.postMessage(message);
    if (!action) await open[0].focus().catch(() => undefined);
    return;
  }
  if (action && link) return;
  const asked = alarm ? `#/?${new URLSearchParams({ alarm, ...(action ? { do: action } : {}) })}` : message.address;
  await self.clients.openWindow(new URL(`./${asked}`, base));
}

async function tell(message) {
  for (const client of await self.clients.matchAll({ type: 'window', includeUncontrolled: true }))
    client.postMessage(message);
}
