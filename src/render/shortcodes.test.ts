import { expect, test } from 'vitest';
import { emojisFor, withShortcodes, headerEmojis } from './shortcodes.ts';

test.each([
  [':rocket: Deploy', '🚀 Deploy'],
  ['Deploy (:rocket:)', 'Deploy (🚀)'],
  [':white_check_mark::+1:', '✅👍'],
  [':100:', '💯'],
  [':wave::skin-tone-4:', '👋🏽'],
  [':docker: Image', 'docker Image'],
  [':docker::rocket:', 'docker🚀'],
  [':docker: :node: Test', 'docker node Test'],
  ['at 12:30:45 :tada:', 'at 12:30:45 🎉'],
  [':30: and a:b:c and std::string::npos:', ':30: and a:b:c and std::string::npos:'],
  [':heart:', '❤️'],
])('shows %j as %j', async (text, shown) => {
  expect((await emojisFor([text]))(text)).toBe(shown);
});

test.each(['plain', '12:30', 'a:b:c', 'https://x.example:80/a:b'])(
  'loads nothing for %j',
  async (text) => {
    expect(await emojisFor([text])).toBe(withShortcodes);
  },
);

async function shown(...pieces: (string | Uint8Array)[]): Promise<string> {
  async function* bytes() {
    for (const piece of pieces) yield await Promise.resolve(Buffer.from(piece));
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of headerEmojis(bytes())) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

test.each([
  ['--- :rocket: Deploy ö\nsay :rocket:\n', '--- 🚀 Deploy ö\nsay :rocket:\n'],
  ['\x1b[1m+++ :docker: Image\x1b[0m\n', '\x1b[1m+++ docker Image\x1b[0m\n'],
  ['2026-11-20T10:00:00.000Z ~~~ :tada:\n', '2026-11-20T10:00:00.000Z ~~~ 🎉\n'],
  ['--- a b\nx: 12:30:45\n', '--- a b\nx: 12:30:45\n'],
  ['no newline --- :rocket:', 'no newline --- :rocket:'],
  ['', ''],
])('%j', async (log, screen) => {
  expect(await shown(log)).toBe(screen);
});

test('gives the same however it is split, for any bytes', async () => {
  const log = 'ä\n--- :rocket: 日本\nb :rocket:\n';
  const bytes = Buffer.from(log);
  for (let at = 0; at <= bytes.length; at++)
    expect(await shown(bytes.subarray(0, at), bytes.subarray(at))).toBe(
      'ä\n--- 🚀 日本\nb :rocket:\n',
    );
});

test('keeps bytes that are not text', async () => {
  const odd = Buffer.from([0x2d, 0x2d, 0x2d, 0x20, 0xff, 0x0a, 0xfe]);
  async function* one() {
    yield await Promise.resolve(odd);
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of headerEmojis(one())) chunks.push(chunk);
  expect(Buffer.concat(chunks)).toEqual(odd);
});
