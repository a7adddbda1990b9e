// Plays scenes on the page: draws the path, the zones, the fences and fixes at a moment, and describes the policy's action.
(function () {
  'use strict';
  var scenes = JSON.parse(document.getElementById('scenes').textContent);
  var box = document.querySelector('.scene');
  if (!box || !scenes.length) return;
  box.hidden = false;
  document.querySelector('.noscript').hidden = true;
  function el(id) {
    return document.getElementById(id);
  }
  var map = el('map'),
    strip = el('strip'),
    time = el('time'),
    run = el('run'),
    which = el('which');
  var scene,
    now = 0,
    playing = false,
    before = 0;

  function colours() {
    var style = getComputedStyle(document.documentElement);
    var c = {};
    [
      'ink',
      'ink2',
      'ink3',
      'primary',
      'alarm',
      'dot',
      'line',
      'surface',
      'surface2',
      'land',
      'water',
      'wood',
      'green',
      'house',
      'street',
      'streetedge',
      'streetname',
    ].forEach(function (name) {
      c[name] = style.getPropertyValue('--' + name).trim();
    });
    return c;
  }
  // The last item that began at or before a time.
  function at(list, t) {
    var low = 0,
      high = list.length;
    while (low < high) {
      var middle = (low + high) >> 1;
      if (list[middle][0] <= t) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
  function place(t) {
    var i = Math.max(0, at(scene.truth, t)),
      a = scene.truth[i],
      b = scene.truth[i + 1];
    if (!b) return [a[1], a[2]];
    var share = Math.min(1, Math.max(0, (t - a[0]) / (b[0] - a[0])));
    return [a[1] + share * (b[1] - a[1]), a[2] + share * (b[2] - a[2])];
  }
  function fit(canvas) {
    var ratio = window.devicePixelRatio || 1,
      w = canvas.clientWidth,
      h = canvas.clientHeight;
    if (canvas.width !== Math.round(w * ratio)) canvas.width = Math.round(w * ratio);
    if (canvas.height !== Math.round(h * ratio)) canvas.height = Math.round(h * ratio);
    var g = canvas.getContext('2d');
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    g.clearRect(0, 0, w, h);
    return { g: g, w: w, h: h };
  }
  // Below everything else: areas, then the edges of streets, then their faces, then the names for which there is room.
  function streets(g, c, s, mid, scale) {
    var shown = scene.streets;
    if (!shown) return;
    shown.drawn =
      shown.drawn ||
      shown.paths.map(function (p) {
        return [p[0], new Path2D(p[1])];
      });
    var fills = { ground: c.land, sea: c.water, wood: c.wood, green: c.green, water: c.water, house: c.house },
      lines = { stream: [c.water, 1.5], trail: [c.streetedge, 0.7], line: [c.streetedge, 1.6] },
      roads = { lane: [2.8, 1.6], street: [4.4, 3], avenue: [6, 4.5] };
    g.save();
    g.translate(s.w / 2 - mid[0] * scale, s.h / 2 - mid[1] * scale);
    g.scale(scale, scale);
    g.lineCap = 'round';
    function line(path, colour, width) {
      g.strokeStyle = colour;
      g.lineWidth = width / scale;
      g.stroke(path);
    }
    shown.drawn.forEach(function (p) {
      if (fills[p[0]]) {
        g.fillStyle = fills[p[0]];
        g.fill(p[1]);
      } else if (lines[p[0]]) line(p[1], lines[p[0]][0], lines[p[0]][1]);
      else if (roads[p[0]]) line(p[1], c.streetedge, roads[p[0]][0]);
    });
    shown.drawn.forEach(function (p) {
      if (roads[p[0]]) line(p[1], c.street, roads[p[0]][1]);
    });
    g.restore();
    var taken = [];
    g.textAlign = 'center';
    g.lineWidth = 3;
    g.strokeStyle = c.land;
    g.fillStyle = c.streetname;
    shown.names.forEach(function (name) {
      var at = [(name[1] - mid[0]) * scale + s.w / 2, (name[2] - mid[1]) * scale + s.h / 2],
        half = name[0].length * 3.4;
      if (at[0] < half || at[0] > s.w - half || at[1] < 20 || at[1] > s.h - 30) return;
      if (
        taken.some(function (t) {
          return Math.abs(t[0] - at[0]) < t[2] + half && Math.abs(t[1] - at[1]) < 16;
        })
      )
        return;
      taken.push([at[0], at[1], half]);
      g.strokeText(name[0], at[0], at[1]);
      g.fillText(name[0], at[0], at[1]);
    });
    g.textAlign = 'right';
    g.strokeText('© OpenStreetMap contributors', s.w - 8, s.h - 8);
    g.fillText('© OpenStreetMap contributors', s.w - 8, s.h - 8);
  }
  function draw() {
    var c = colours(),
      s = fit(map),
      g = s.g,
      here = place(now),
      wide = +el('view').value,
      scale,
      mid = here;
    if (wide) {
      scale = Math.min(s.w, s.h) / (wide * 10);
    } else {
      var low = [1e9, 1e9],
        high = [-1e9, -1e9];
      scene.truth.forEach(function (p) {
        for (var k = 0; k < 2; k++) {
          low[k] = Math.min(low[k], p[k + 1]);
          high[k] = Math.max(high[k], p[k + 1]);
        }
      });
      mid = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2];
      scale = Math.min(s.w / (high[0] - low[0] + 2000), s.h / (high[1] - low[1] + 2000)) * 0.92;
    }
    function x(v) {
      return (v - mid[0]) * scale + s.w / 2;
    }
    function y(v) {
      return (v - mid[1]) * scale + s.h / 2;
    }
    function circle(cx, cy, r) {
      g.beginPath();
      g.arc(x(cx), y(cy), Math.max(0.5, r * scale), 0, 7);
    }
    g.font = '12px system-ui,sans-serif';
    g.lineJoin = 'round';
    streets(g, c, s, mid, scale);
    var marked = scene.alarms
      .filter(function (a) {
        return a[0] <= now;
      })
      .map(function (a) {
        return a[1];
      });
    scene.zones.forEach(function (zone) {
      g.fillStyle = g.strokeStyle = c.alarm;
      g.lineWidth = marked.indexOf(zone[0]) >= 0 ? 3 : 1.5;
      function fill() {
        g.globalAlpha = marked.indexOf(zone[0]) >= 0 ? 0.35 : 0.14;
        g.fill();
        g.globalAlpha = 1;
        g.stroke();
      }
      if (zone[1]) {
        circle(zone[1][0], zone[1][1], zone[1][2]);
        fill();
        if (zone[1][3] > zone[1][2]) {
          g.setLineDash([6, 5]);
          circle(zone[1][0], zone[1][1], zone[1][3]);
          g.stroke();
          g.setLineDash([]);
        }
        if (zone[1][2] * scale > 12) {
          g.fillStyle = c.ink2;
          g.textAlign = 'center';
          g.fillText(zone[0], x(zone[1][0]), y(zone[1][1]) + 4);
        }
      } else {
        g.beginPath();
        zone[2].forEach(function (ring) {
          for (var k = 0; k < ring.length; k += 2) {
            if (k) g.lineTo(x(ring[k]), y(ring[k + 1]));
            else g.moveTo(x(ring[k]), y(ring[k + 1]));
          }
          g.closePath();
        });
        fill();
      }
    });
    var laid = at(scene.fences, now);
    if (laid >= 0) {
      g.strokeStyle = c.primary;
      g.lineWidth = 2;
      g.setLineDash([8, 6]);
      scene.fences[laid][1].forEach(function (f) {
        circle(f[0], f[1], f[2]);
        g.stroke();
      });
      g.setLineDash([]);
    }
    g.strokeStyle = c.ink3;
    [
      [0, scene.length, 1.2, 0.5],
      [0, now, 3, 0.9],
    ].forEach(function (part) {
      g.beginPath();
      g.lineWidth = part[2];
      g.globalAlpha = part[3];
      var end = part[1] < scene.length ? at(scene.truth, part[1]) : scene.truth.length - 1;
      for (var k = 0; k <= end; k++) {
        var p = scene.truth[k];
        if (k) g.lineTo(x(p[1]), y(p[2]));
        else g.moveTo(x(p[1]), y(p[2]));
      }
      if (part[1] < scene.length) g.lineTo(x(here[0]), y(here[1]));
      g.stroke();
    });
    g.globalAlpha = 1;
    var last = at(scene.fixes, now);
    for (var i = Math.max(0, last - 60); i <= last; i++) {
      var fix = scene.fixes[i],
        age = now - fix[0];
      g.globalAlpha = Math.max(0.18, 1 - age / 900);
      g.fillStyle = g.strokeStyle = c.ink3;
      g.beginPath();
      g.arc(x(fix[1]), y(fix[2]), 2.5, 0, 7);
      g.fill();
      if (i === last) {
        g.globalAlpha = 0.8;
        g.lineWidth = 1;
        circle(fix[1], fix[2], fix[3] * 10);
        g.stroke();
        g.globalAlpha = 0.08;
        g.fill();
      }
    }
    g.globalAlpha = 1;
    scene.alarms.forEach(function (a) {
      if (a[0] > now) return;
      var p = place(a[0]);
      g.strokeStyle = c.alarm;
      g.lineWidth = 2.5;
      g.beginPath();
      g.arc(x(p[0]), y(p[1]), 9, 0, 7);
      g.stroke();
    });
    g.fillStyle = c.dot;
    g.strokeStyle = c.surface;
    g.lineWidth = 2.5;
    g.beginPath();
    g.arc(x(here[0]), y(here[1]), 7, 0, 7);
    g.fill();
    g.stroke();
    // A bar of a round length, about a quarter of the width.
    var span = s.w / 4 / scale / 10,
      unit = Math.pow(10, Math.floor(Math.log10(span)));
    unit *= span / unit >= 5 ? 5 : span / unit >= 2 ? 2 : 1;
    g.strokeStyle = c.ink;
    g.fillStyle = c.ink;
    g.lineWidth = 2;
    g.textAlign = 'left';
    g.beginPath();
    g.moveTo(14, s.h - 14);
    g.lineTo(14 + unit * 10 * scale, s.h - 14);
    g.stroke();
    g.fillText(unit >= 1000 ? unit / 1000 + ' km' : unit + ' m', 14, s.h - 20);
    drawStrip(c);
    tell();
  }
  function drawStrip(c) {
    var s = fit(strip),
      g = s.g,
      pad = 8;
    function x(t) {
      return pad + (t / scene.length) * (s.w - 2 * pad);
    }
    g.fillStyle = c.surface2;
    g.fillRect(pad, 8, s.w - 2 * pad, 10);
    g.fillStyle = c.alarm;
    g.globalAlpha = 0.45;
    scene.visits.forEach(function (v) {
      g.fillRect(x(v[0]), 8, Math.max(2, x(v[1]) - x(v[0])), 10);
    });
    g.globalAlpha = 1;
    g.fillStyle = c.ink3;
    scene.fixes.forEach(function (f) {
      g.fillRect(x(f[0]), 20, 1, 5);
    });
    g.fillStyle = c.alarm;
    scene.alarms.forEach(function (a) {
      g.fillRect(x(a[0]) - 1.5, 0, 3, 20);
    });
    g.fillStyle = c.dot;
    g.fillRect(x(now) - 1, 0, 2, 26);
  }
  function clock(t) {
    return new Date(scene.began + scene.ahead * 1000 + t * 100).toISOString().slice(11, 19) + ' ' + scene.clock;
  }
  function span(t) {
    var s = Math.round(t / 10);
    return s < 120 ? s + ' s' : Math.round(s / 60) + ' min';
  }
  function tell() {
    var rows = [['time', clock(now)]],
      state =
        scene.states[
          (function () {
            var low = 0,
              high = scene.states.length;
            while (low < high) {
              var m = (low + high) >> 1;
              if (scene.states[m][0] <= now) low = m + 1;
              else high = m;
            }
            return low - 1;
          })()
        ];
    if (state) {
      rows.push(['policy', state[1]]);
      rows.push([
        'asked for',
        state[2] + (state[3] !== null && state[3] > now ? '; next position in ' + span(state[3] - now) : ''),
      ]);
    }
    var laid = at(scene.fences, now),
      count = laid >= 0 ? scene.fences[laid][1].length : 0;
    rows.push(['fences', String(count)]);
    var last = at(scene.fixes, now);
    rows.push([
      'last fix',
      last < 0 ? 'none' : span(now - scene.fixes[last][0]) + ' ago, stated ' + scene.fixes[last][3] + ' m',
    ]);
    var inside = scene.visits
      .filter(function (v) {
        return v[0] <= now && now <= v[1];
      })
      .map(function (v) {
        return v[2];
      });
    rows.push(['truly inside', inside.join(', ') || 'no zone that owes an alarm']);
    var rung = scene.alarms.filter(function (a) {
      return a[0] <= now;
    });
    rows.push([
      'rang',
      rung.length
        ? rung
            .slice(-3)
            .map(function (a) {
              return a[1] + ' at ' + clock(a[0]) + ' (' + a[2] + ')';
            })
            .join('; ')
        : 'not yet',
    ]);
    var list = el('now');
    list.textContent = '';
    rows.forEach(function (row) {
      var dt = document.createElement('dt'),
        dd = document.createElement('dd');
      dt.textContent = row[0];
      dd.textContent = row[1];
      list.appendChild(dt);
      list.appendChild(dd);
    });
  }
  function set(t) {
    now = Math.min(scene.length, Math.max(0, t));
    time.value = now;
    draw();
  }
  function play(on) {
    playing = on;
    run.textContent = on ? 'Pause' : 'Play';
    run.setAttribute('aria-label', run.textContent);
    if (on) {
      before = 0;
      if (now >= scene.length) now = 0;
      requestAnimationFrame(frame);
    }
  }
  function frame(stamp) {
    if (!playing) return;
    if (before) set(now + ((stamp - before) / 100) * +el('speed').value);
    before = stamp;
    if (now >= scene.length) return play(false);
    requestAnimationFrame(frame);
  }
  function show(index) {
    play(false);
    scene = scenes[index];
    which.value = index;
    time.max = scene.length;
    el('alone').textContent = scene.command;
    set(scene.moment);
  }
  function fromHash() {
    var found = /^#scene-(\d+)$/.exec(location.hash);
    if (!found || !scenes[+found[1]]) return false;
    show(+found[1]);
    el('scene').scrollIntoView();
    return true;
  }
  run.addEventListener('click', function () {
    play(!playing);
  });
  time.addEventListener('input', function () {
    play(false);
    set(+time.value);
  });
  which.addEventListener('change', function () {
    show(+which.value);
  });
  el('view').addEventListener('change', draw);
  addEventListener('resize', draw);
  addEventListener('hashchange', fromHash);
  matchMedia('(prefers-color-scheme:dark)').addEventListener('change', draw);
  if (!fromHash()) show(0);
})();
