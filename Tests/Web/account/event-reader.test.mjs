// Server-sent events that are fetched: the same events however the bytes are cut, and from malformed streams too.
import assert from 'node:assert/strict';
import test from 'node:test';
import { EventReader } from '../../../Web/scripts/server/event-reader.js';
import { serverAddress } from '../../../Web/scripts/server/app-server.js';

const bytes = (text) => new TextEncoder().encode(text);
const read = (reader, ...parts) => parts.flatMap((part) => reader.take(part));

test('the same events come out of every cut, with each kind of line end', () => {
  const lines = [
    'retry: 2000',
    ': open',
    '',
    'id: e-7',
    'event: zone',
    'data: {"name":"Käse"}',
    '',
    'data:a',
    'data: b',
    '',
    '',
  ];
  const wanted = [
    { type: 'zone', data: '{"name":"Käse"}' },
    { type: 'message', data: 'a\nb' },
  ];
  for (const end of ['\n', '\r\n', '\r']) {
    // A last CR waits for what follows it: it may be half of a CRLF.
    const all = bytes(lines.join(end) + (end === '\r' ? ':' : ''));
    for (let cut = 0; cut <= all.length; cut++) {
      const reader = new EventReader();
      assert.deepEqual(read(reader, all.subarray(0, cut), all.subarray(cut)), wanted, `${JSON.stringify(end)} ${cut}`);
      assert.equal(reader.last, 'e-7');
      assert.equal(reader.retry, 2000);
    }
    const reader = new EventReader();
    assert.deepEqual(read(reader, ...[...all].map((byte) => Uint8Array.of(byte))), wanted);
  }
});

test('an event that a broken stream cut off is dropped, with its id', () => {
  const reader = new EventReader();
  assert.equal(read(reader, bytes('id: e-1\ndata: one\n\nid: e-2\nevent: zone\ndata: tw')).length, 1);
  assert.equal(reader.last, 'e-1');
  reader.begin();
  assert.deepEqual(read(reader, bytes('data: three\n\n')), [{ type: 'message', data: 'three' }]);
  assert.equal(reader.last, 'e-1');
});

test('malformed lines are passed over', () => {
  const reader = new EventReader();
  const given =
    '\uFEFFdata\n\nid: a\0b\nretry: soon\nretry: -1\nretry: 9999999999\nnonsense\n:\n::\nevent: none\n\ndata: ok\n\n';
  assert.deepEqual(read(reader, bytes(given), Uint8Array.of(0xff, 0x0a)), [
    { type: 'message', data: '' },
    { type: 'message', data: 'ok' },
  ]);
  assert.equal(reader.last, '');
  assert.equal(reader.retry, undefined);
});

test('an address of a server is an origin of HTTPS', () => {
  for (const [text, origin] of [
    ['alarm.example.org', 'https://alarm.example.org'],
    [' https://Alarm.example.org:8443/#/account ', 'https://alarm.example.org:8443'],
    ['192.168.1.5:8443', 'https://192.168.1.5:8443'],
    ['localhost:8443', 'https://localhost:8443'],
    ['https://a:b@alarm.example.org', 'https://alarm.example.org'],
    ['http://alarm.example.org', undefined],
    ['http://192.168.1.5:8080', undefined],
    ['ftp://alarm.example.org', undefined],
    ['javascript://alarm.example.org/%0aalert(1)', undefined],
    ['proximity://app', undefined],
    ['', undefined],
    ['two words', undefined],
    ['https://', undefined],
    ['https://[', undefined],
  ])
    assert.equal(serverAddress(text), origin, text);
});
