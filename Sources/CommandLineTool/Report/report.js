// Moves and zooms the map, keeps marks at their size, and moves along the track. The page is readable without it.
(function () {
  'use strict';
  var root = document.documentElement;
  root.classList.add('has-js');
  var $ = function (id) {
    return document.getElementById(id);
  };
  var data = JSON.parse($('data').textContent),
    map = $('map');
  var base = map.getAttribute('viewBox').split(' ').map(Number),
    view = base,
    still = true;
  var marks = [].slice.call(document.querySelectorAll('.mark')),
    ns = 'http://www.w3.org/2000/svg';
  var labels = marks.filter(function (m) {
      return m.classList.contains('label');
    }),
    streetNames = [].slice.call(document.querySelectorAll('#streets text')),
    chosen = null;
  var bells = marks
      .filter(function (m) {
        return m.classList.contains('alarm');
      })
      .reverse(),
    fanned = 0,
    around = [[0, 0]];
  [6, 12, 18].forEach(function (n, ring) {
    for (var i = 0; i < n; i++) {
      var a = (2 * Math.PI * i) / n - Math.PI / 2,
        r = 34 * (ring + 1);
      around.push([Math.round(r * Math.cos(a)), Math.round(r * Math.sin(a))]);
    }
  });
  var metre = +map.dataset.metre,
    middle = +map.dataset.middle,
    truth = +map.dataset.truth,
    radian = +map.dataset.radian;

  // Fits the drawing into the part of the map that is not covered at its upper and lower edge.
  function fit() {
    var r = map.getBoundingClientRect(),
      over = document.querySelector('.legend').getBoundingClientRect().bottom - r.top,
      under = innerWidth < 840 ? 24 : 0;
    var w = Math.max(1, r.width),
      h = Math.max(1, r.height),
      side = w > 260 ? 64 : 0;
    over = Math.min(over, h / 2);
    var u = Math.max(base[2] / (w - side), base[3] / Math.max(h / 3, h - over - under));
    return [
      base[0] + base[2] / 2 - ((w - side) * u) / 2,
      base[1] + base[3] / 2 - ((h + over - under) * u) / 2,
      w * u,
      h * u,
    ];
  }
  // Units of the drawing per pixel.
  function unit() {
    var r = map.getBoundingClientRect();
    return Math.max(view[2] / Math.max(1, r.width), view[3] / Math.max(1, r.height));
  }
  function draw() {
    map.setAttribute('viewBox', view.join(' '));
    var u = unit(),
      taken = [],
      r = map.getBoundingClientRect(),
      left = view[0] + view[2] / 2 - (r.width * u) / 2,
      right = left + r.width * u,
      top = view[1] + view[3] / 2 - (r.height * u) / 2;
    [].forEach.call(document.querySelectorAll('.tools,.legend'), function (e) {
      var b = e.getBoundingClientRect();
      taken.push([
        left + (b.left - r.left) * u,
        top + (b.top - r.top) * u,
        left + (b.right - r.left) * u,
        top + (b.bottom - r.top) * u,
      ]);
    });
    if (u !== fanned) fan(u);
    marks.forEach(function (m) {
      if (m.classList.contains('label')) return;
      var x = +m.dataset.x,
        y = +m.dataset.y,
        r = m.classList.contains('alarm') ? 16 * u : m.classList.contains('dot') ? 0 : 9 * u;
      m.setAttribute('transform', 'translate(' + x + ' ' + y + ') scale(' + u + ')');
      x += (+m.dataset.dx || 0) * u;
      y += (+m.dataset.dy || 0) * u;
      if (r) taken.push([x - r, y - r, x + r, y + r]);
    });
    function free(b) {
      return !taken.some(function (t) {
        return t[0] < b[2] && b[0] < t[2] && t[1] < b[3] && b[1] < t[3];
      });
    }
    // A name is placed at its zone's middle, else beside the marks already there; without room it is shown on demand.
    labels.forEach(function (m) {
      var x = +m.dataset.x,
        y = +m.dataset.y,
        w = m.textContent.length * 3.6 * u + 4 * u,
        h = 9 * u,
        mine = m.dataset.zone === chosen,
        spot = null;
      [
        [0, 0],
        [0, 27],
        [0, -27],
        [w / u + 19, 0],
        [-w / u - 19, 0],
        [w / u + 10, 20],
        [-w / u - 10, 20],
        [w / u + 10, -20],
        [-w / u - 10, -20],
        [0, 46],
        [0, -46],
      ].some(function (d) {
        var sx = x + d[0] * u,
          sy = y + d[1] * u;
        // The name of a zone at the edge stays readable.
        if (x > left && x < right) sx = Math.max(left + w, Math.min(right - w, sx));
        var box = [sx - w, sy - h, sx + w, sy + h];
        if (!free(box)) return false;
        spot = [sx, sy];
        taken.push(box);
        return true;
      });
      if (!spot && mine) spot = [x, y - 27 * u];
      m.classList.toggle('hidden', !spot);
      m.classList.toggle('chosen', mine);
      if (spot) m.setAttribute('transform', 'translate(' + spot[0] + ' ' + spot[1] + ') scale(' + u + ')');
    });
    // Names of streets take the remaining room.
    streetNames.forEach(function (m) {
      var x = +m.dataset.x,
        y = +m.dataset.y,
        w = m.textContent.length * 3.2 * u + 4 * u,
        box = [x - w, y - 8 * u, x + w, y + 8 * u],
        fits = free(box);
      m.classList.toggle('hidden', !fits);
      if (!fits) return;
      taken.push(box);
      m.setAttribute('transform', 'translate(' + x + ' ' + y + ') scale(' + u + ')');
    });
    scale(u);
  }
  // Bells that would cover each other are drawn beside their places, with a line to them, as long as there is room nearby.
  function fan(u) {
    var stand = [];
    fanned = u;
    bells.forEach(function (m) {
      var x = +m.dataset.x / u,
        y = +m.dataset.y / u,
        spot = [0, 0];
      around.some(function (d) {
        if (
          stand.some(function (t) {
            return Math.hypot(t[0] - x - d[0], t[1] - y - d[1]) < 30;
          })
        )
          return false;
        spot = d;
        return true;
      });
      stand.push([x + spot[0], y + spot[1]]);
      m.dataset.dx = spot[0];
      m.dataset.dy = spot[1];
      m.firstChild.setAttribute('d', spot[0] || spot[1] ? 'M0 0L' + spot : '');
      m.lastChild.setAttribute('transform', 'translate(' + spot + ')');
    });
  }
  function scale(u) {
    // Mercator: true at the middle of the map, a little less towards the poles.
    var height = middle - (view[1] + view[3] / 2) / radian;
    var perPixel = ((u / metre) * Math.cosh(truth)) / Math.cosh(height),
      want = 90 * perPixel;
    var power = Math.pow(10, Math.floor(Math.log10(want))),
      step =
        [5, 2, 1].filter(function (s) {
          return s * power <= want;
        })[0] * power;
    $('scalewords').textContent = step >= 1000 ? step / 1000 + ' km' : step >= 1 ? step + ' m' : step * 100 + ' cm';
    $('scalebar').style.width = step / perPixel + 'px';
  }
  function whole() {
    view = fit();
    still = true;
    draw();
  }
  function zoom(f, cx, cy) {
    var w = view[2] / f;
    if (w < base[2] / 400 || w > base[2] * 60) return;
    still = false;
    view = [cx - (cx - view[0]) / f, cy - (cy - view[1]) / f, w, view[3] / f];
    draw();
  }
  function at(e) {
    var p = map.getScreenCTM().inverse();
    return { x: e.clientX * p.a + p.e, y: e.clientY * p.d + p.f };
  }
  function center() {
    return [view[0] + view[2] / 2, view[1] + view[3] / 2];
  }
  $('zoomin').onclick = function () {
    var c = center();
    zoom(1.6, c[0], c[1]);
  };
  $('zoomout').onclick = function () {
    var c = center();
    zoom(1 / 1.6, c[0], c[1]);
  };
  $('whole').onclick = whole;
  map.addEventListener(
    'wheel',
    function (e) {
      e.preventDefault();
      var p = at(e);
      zoom(Math.exp(-e.deltaY * (e.deltaMode ? 0.05 : 0.0016)), p.x, p.y);
    },
    { passive: false },
  );
  var fingers = {},
    spread = 0,
    moved = 0;
  function points() {
    return Object.keys(fingers).map(function (k) {
      return fingers[k];
    });
  }
  map.addEventListener('pointerdown', function (e) {
    fingers[e.pointerId] = e;
    spread = 0;
    moved = 0;
  });
  map.addEventListener('pointermove', function (e) {
    var last = fingers[e.pointerId];
    if (!last) return;
    var u = unit(),
      dx = e.clientX - last.clientX,
      dy = e.clientY - last.clientY;
    fingers[e.pointerId] = e;
    moved += Math.abs(dx) + Math.abs(dy);
    if (moved > 6 && !map.hasPointerCapture(e.pointerId)) map.setPointerCapture(e.pointerId);
    var all = points();
    if (all.length === 1) {
      still = false;
      view[0] -= dx * u;
      view[1] -= dy * u;
      draw();
      return;
    }
    var d = Math.hypot(all[0].clientX - all[1].clientX, all[0].clientY - all[1].clientY);
    if (spread) {
      var p = at({ clientX: (all[0].clientX + all[1].clientX) / 2, clientY: (all[0].clientY + all[1].clientY) / 2 });
      zoom(d / spread, p.x, p.y);
    }
    spread = d;
  });
  ['pointerup', 'pointercancel', 'pointerleave'].forEach(function (n) {
    map.addEventListener(n, function (e) {
      delete fingers[e.pointerId];
      spread = 0;
    });
  });
  map.addEventListener(
    'click',
    function (e) {
      if (moved > 6) {
        e.preventDefault();
        e.stopPropagation();
      }
    },
    true,
  );
  map.addEventListener('keydown', function (e) {
    var s = view[2] * 0.12,
      c = center(),
      k = { ArrowLeft: [-s, 0], ArrowRight: [s, 0], ArrowUp: [0, -s], ArrowDown: [0, s] }[e.key];
    if (k) {
      still = false;
      view[0] += k[0];
      view[1] += k[1];
      draw();
    } else if (e.key === '+' || e.key === '=') zoom(1.6, c[0], c[1]);
    else if (e.key === '-') zoom(1 / 1.6, c[0], c[1]);
    else if (e.key === '0') whole();
    else return;
    e.preventDefault();
  });
  window.addEventListener('resize', function () {
    if (still) whole();
    else draw();
  });
  // Shows the name of the zone that is pointed at or tapped, in front of the others.
  function choose(zone) {
    if (zone === chosen) return;
    chosen = zone;
    labels.sort(function (a, b) {
      return (b.dataset.zone === zone) - (a.dataset.zone === zone);
    });
    draw();
    var mine = labels.filter(function (m) {
      return m.dataset.zone === zone;
    })[0];
    [].forEach.call(map.querySelectorAll('.front'), function (m) {
      m.classList.remove('front');
      $('labels').appendChild(m);
    });
    if (mine) {
      mine.classList.add('front');
      map.appendChild(mine);
    }
  }
  [].forEach.call(document.querySelectorAll('.zone'), function (g) {
    g.addEventListener('click', function () {
      choose(g.dataset.zone);
    });
    g.addEventListener('mouseenter', function () {
      choose(g.dataset.zone);
    });
  });
  // Opens the alarm to which a mark leads.
  function open() {
    var d = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
    if (d && d.tagName === 'DETAILS') d.open = true;
  }
  window.addEventListener('hashchange', open);
  open();

  // Walking along the track.
  var axis = data.axis,
    scrub = $('scrub'),
    place = 0,
    player = document.querySelector('.player'),
    ring = $('nowring'),
    turn = 2 * Math.PI * 20;
  function timeAt(s) {
    for (var i = 0; i < axis.length; i++) {
      var a = axis[i];
      if (s <= a[3] || i === axis.length - 1)
        return a[0] + (a[1] - a[0]) * Math.min(1, Math.max(0, (s - a[2]) / (a[3] - a[2])));
      if (s < axis[i + 1][2]) return a[1];
    }
    return 0;
  }
  function before(t, list) {
    var lo = 0,
      hi = list.length;
    while (lo < hi) {
      var m = (lo + hi) >> 1;
      if (list[m] <= t) lo = m + 1;
      else hi = m;
    }
    return lo - 1;
  }
  function between(t, list, values) {
    var i = before(t, list);
    if (i < 0) return values[0];
    if (i >= list.length - 1) return values[list.length - 1];
    var f = (t - list[i]) / Math.max(1e-3, list[i + 1] - list[i]);
    return values[i] + (values[i + 1] - values[i]) * f;
  }
  function length(m) {
    var a = Math.abs(m);
    return a < 9.95
      ? a.toFixed(1) + ' m'
      : a < 999.5
        ? Math.round(a) + ' m'
        : (a / 1000).toFixed(a < 9995 ? 2 : a < 99950 ? 1 : 0) + ' km';
  }
  var dots = data.ways.map(function () {
    var g = document.createElementNS(ns, 'g');
    g.setAttribute('class', 'mark dot');
    g.innerHTML = '<circle class="halo" r="22"/><circle r="8"/>';
    $('dots').appendChild(g);
    marks.push(g);
    return g;
  });
  function show() {
    var s = place / 1000,
      t = timeAt(s),
      u = unit();
    scrub.style.setProperty('--done', s * 100 + '%');
    data.ways.forEach(function (w, i) {
      var gone = !w.t.length || t < w.t[0] - 1 || t > w.t[w.t.length - 1] + 1;
      dots[i].style.display = gone ? 'none' : '';
      if (gone) return;
      var x = between(t, w.t, w.x),
        y = between(t, w.t, w.y);
      // As wide as the fix is uncertain.
      var r = w.r[Math.max(0, before(t, w.t))];
      dots[i].firstChild.setAttribute('r', r > 0 ? Math.max(12, (r * metre) / u) : 16);
      dots[i].dataset.x = x;
      dots[i].dataset.y = y;
      dots[i].setAttribute('transform', 'translate(' + x + ' ' + y + ') scale(' + u + ')');
    });
    var best = null;
    data.series.forEach(function (z) {
      if (t < z.t[0] - 1 || t > z.t[z.t.length - 1] + 1) return;
      var d = between(t, z.t, z.d);
      if (!best || d - z.alert < best.d - best.z.alert) best = { z: z, d: d };
    });
    var offset = 0;
    data.offsets.forEach(function (o) {
      if (o[0] <= t) offset = o[1];
    });
    var stamp = new Date(data.start + Math.round(t * 1000) + offset * 1000).toISOString();
    $('clock').textContent = stamp.slice(11, 19);
    scrub.setAttribute('aria-valuetext', stamp.slice(0, 19).replace('T', ' '));
    var words = stamp.slice(0, 10);
    if (best) {
      var far = Math.max(4 * best.z.alert, 1000),
        close = Math.max(0, Math.min(1, (far - best.d) / (far - best.z.alert)));
      words = length(best.d) + (best.d < 0 ? ' inside ' : ' to ') + best.z.name;
      ring.setAttribute('stroke-dasharray', close * turn + ' ' + turn);
      player.classList.toggle('ringing', best.d <= best.z.alert);
    }
    $('nowwords').textContent = words;
    [].forEach.call(document.querySelectorAll('.now'), function (p) {
      p.setAttribute('transform', 'translate(' + s * 1000 + ' 0)');
    });
  }
  function go(p) {
    place = Math.min(1000, p);
    scrub.value = place;
    show();
  }
  scrub.addEventListener('input', function () {
    place = +scrub.value;
    show();
  });
  var timer = 0,
    last = 0;
  function step(now) {
    if (!timer) return;
    go(place + (now - last) / 45);
    last = now;
    if (place >= 1000) return stop();
    timer = requestAnimationFrame(step);
  }
  function stop() {
    cancelAnimationFrame(timer);
    timer = 0;
    $('play').setAttribute('aria-label', 'Play');
    $('play').firstChild.firstChild.setAttribute('d', 'M8 5.5v13l10.5-6.5z');
  }
  $('play').onclick = function () {
    if (timer) return stop();
    if (place >= 1000) place = 0;
    last = performance.now();
    timer = requestAnimationFrame(step);
    $('play').setAttribute('aria-label', 'Pause');
    $('play').firstChild.firstChild.setAttribute('d', 'M7 5h3.5v14H7zM13.5 5H17v14h-3.5z');
  };
  [].forEach.call(document.querySelectorAll('[data-goto]'), function (b) {
    b.onclick = function () {
      go(+b.dataset.goto);
      var way = dots.filter(function (d) {
        return d.style.display !== 'none';
      })[0];
      if (way) {
        var w = Math.min(view[2], base[2] / 3),
          h = (w * base[3]) / base[2];
        still = false;
        view = [+way.dataset.x - w / 2, +way.dataset.y - h / 2, w, h];
        draw();
      }
      if (innerWidth < 840) map.scrollIntoView({ block: 'start' });
    };
  });
  var first = document.querySelector('[data-goto]');
  go(first ? +first.dataset.goto : 0);
  whole();
  show();
})();
