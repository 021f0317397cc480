import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { skipInterim } from './undici-transport.ts';

/** What a connection reads after a request, given these chunks. */
function reads(pieces: readonly string[], isAsked = true): string[] {
  const left = [...pieces];
  const socket = new Socket();
  socket.read = () => {
    const piece = left.shift();
    return piece === undefined ? null : Buffer.from(piece);
  };
  socket.write = () => true;
  skipInterim(socket);
  if (isAsked) socket.write('GET');
  const seen: string[] = [];
  for (;;) {
    const chunk = socket.read() as Buffer | null;
    if (chunk === null) return seen;
    seen.push(chunk.toString());
  }
}

const interim = 'HTTP/1.1 100 Continue\r\n\r\n';
const answer = 'HTTP/1.1 200 OK\r\n\r\n';

test.each<[string, readonly string[], readonly string[]]>([
  ['an answer alone', [answer], [answer]],
  ['an interim one before', [interim + answer], [answer]],
  ['several, with headers', [`${interim}HTTP/1.0 103 x\r\na: b\r\n\r\n${answer}`], [answer]],
  ['single bytes', Array.from(interim + answer), ['HTTP/1.1 2', ...Array.from(answer).slice(10)]],
  ['two pieces', [interim.slice(0, 20), interim.slice(20) + answer], [answer]],
  ['101', ['HTTP/1.1 101 x\r\n\r\n'], ['HTTP/1.1 101 x\r\n\r\n']],
  ['what is no HTTP', ['SSH-2.0'], ['SSH-2.0']],
  ['no number', ['HTTP/1.1 1x0 \r\n\r\n'], ['HTTP/1.1 1x0 \r\n\r\n']],
  ['the same text in a body', [answer, interim], [answer, interim]],
  ['one that has not ended', ['HTTP/1.1 100 Continue\r\n'], []],
])('%s', (_, pieces, expected) => {
  expect(reads(pieces)).toEqual(expected);
});

test('leaves other messages of the library alone', () => {
  expect(reads([interim], false)).toEqual([interim]);
});
