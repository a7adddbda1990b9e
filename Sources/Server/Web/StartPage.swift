/// The page that is served until the full one has been built: sign-in, zones and alarms, live.
enum StartPage {
  static let markup = """
    <!doctype html>
    <html lang="en">
    <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>Proximity Alarm</title>
      <link rel="stylesheet" href="/start.css">
      <script type="module" src="/start.js"></script>
    </head>
    <body>
      <header><h1>Proximity Alarm</h1><p id="who"></p></header>
      <main>
        <form id="enter" hidden>
          <h2 id="enter-title">Sign in</h2>
          <label>Name <input name="login" autocomplete="username" required maxlength="100"></label>
          <label>Password <input name="password" type="password" autocomplete="current-password" required minlength="8" maxlength="200"></label>
          <button>Go on</button>
          <p id="trouble" role="alert"></p>
        </form>
        <section id="inside" hidden>
          <h2>Alarms</h2><ul id="alarms"></ul>
          <h2>Zones</h2><ul id="zones"></ul>
          <p><label>Add zones from a file <input id="file" type="file" accept=".pad,.geojson,.kml,.kmz,.otrw"></label></p>
          <p><button id="leave">Sign out</button></p>
        </section>
        <noscript>This page needs its script. The links in messages work without.</noscript>
      </main>
    </body>
    </html>

    """

  static let style = """
    :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
    body { max-width: 44rem; margin: 0 auto; padding: 1rem; }
    label { display: block; margin: .5rem 0; }
    input, button { font: inherit; padding: .4rem .6rem; }
    li { margin: .3rem 0; }
    .ringing { font-weight: bold; color: #c00; }
    #trouble { color: #c00; min-height: 1.5rem; }

    """

  static let script = """
    const api = '/api/v1';
    const $ = id => document.getElementById(id);
    let csrf = '';

    async function ask(method, path, body, type) {
      const headers = {};
      if (method !== 'GET') headers['X-CSRF-Token'] = csrf;
      if (body !== undefined) headers['Content-Type'] = type ?? 'application/json';
      const answer = await fetch(api + path, { method, headers, body: type ? body : body && JSON.stringify(body) });
      const content = answer.status === 204 ? null : await answer.json();
      if (!answer.ok) throw new Error(content.detail || content.title);
      return content;
    }

    function line(text, className) {
      const item = document.createElement('li');
      item.textContent = text;
      if (className) item.className = className;
      return item;
    }

    async function show() {
      const [alarms, zones] = await Promise.all([ask('GET', '/alarms?limit=50'), ask('GET', '/zones?limit=200')]);
      $('alarms').replaceChildren(...alarms.items.map(alarm => {
        const item = line(`${alarm.began_at} ${alarm.name} (${alarm.state}) `, alarm.state === 'ringing' ? 'ringing' : '');
        for (const [action, label] of [['acknowledge', 'Stop'], ['sleep', 'Sleep'], ['close', 'Close']]) {
          if (alarm.state !== 'ringing' && alarm.state !== 'closed') break;
          const button = document.createElement('button');
          button.textContent = label;
          button.onclick = () => ask('POST', `/alarms/${alarm.id}/${action}`).then(show).catch(tell);
          item.append(button, ' ');
        }
        return item;
      }));
      $('zones').replaceChildren(...zones.items.map(zone => line(`${zone.name}${zone.active ? '' : ' (off)'}`)));
    }

    function tell(error) { $('trouble').textContent = error.message; }

    function enter(session) {
      csrf = session.csrf_token;
      $('who').textContent = `Signed in as ${session.account.login}`;
      $('enter').hidden = true;
      $('inside').hidden = false;
      history.replaceState(null, '', '/');
      show().catch(tell);
      const events = new EventSource(api + '/events');
      let waiting = 0;
      const later = () => { clearTimeout(waiting); waiting = setTimeout(() => show().catch(tell), 100); };
      for (const kind of ['alarm', 'zone', 'follow', 'reset']) events.addEventListener(kind, later);
    }

    const setUp = new URLSearchParams(location.hash.slice(1)).get('setup');
    const reset = new URLSearchParams(location.hash.slice(1)).get('reset');
    if (setUp) $('enter-title').textContent = 'Make the first account';
    if (reset) {
      $('enter-title').textContent = 'Set a new password';
      $('enter').elements.login.closest('label').remove();
    }
    $('enter').onsubmit = async event => {
      event.preventDefault();
      tell({ message: '' });
      const { login, password } = Object.fromEntries(new FormData(event.target));
      try {
        if (reset) {
          await ask('POST', '/password-resets/use', { token: reset, password });
          location.replace('/');
          return;
        }
        enter(setUp ? await ask('POST', '/setup', { token: setUp, login, password }) : await ask('POST', '/login', { login, password }));
      } catch (error) { tell(error); }
    };
    $('leave').onclick = () => ask('POST', '/logout').then(() => location.reload()).catch(tell);
    $('file').onchange = async event => {
      const [file] = event.target.files;
      if (!file) return;
      try {
        await ask('POST', `/zones/import?name=${encodeURIComponent(file.name)}`, file, 'application/octet-stream');
        await show();
      } catch (error) { tell(error); }
    };
    ask('GET', '/session').then(enter).catch(() => { $('enter').hidden = false; });

    """
}
