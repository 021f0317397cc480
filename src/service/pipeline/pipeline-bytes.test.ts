import { expect, test } from 'vitest';
import { decodePipeline } from './pipeline-bytes.ts';
import { load } from '../../../test/support/units/load-steps.ts';

const text = '\ufeff- command: echo é\n';

test.each([
  ['UTF-8', Buffer.from(text)],
  ['UTF-16, low byte first', Buffer.from(text, 'utf16le')],
  ['UTF-16, high byte first', Buffer.from(text, 'utf16le').swap16()],
])('reads a file in %s', (_, bytes) => {
  expect(load(decodePipeline(bytes)).steps).toMatchObject([{ command: 'echo é' }]);
});

test.each([
  ['Latin-1', Buffer.from('- echo é', 'latin1')],
  ['half a character of UTF-16', Buffer.from([0xff, 0xfe, 0x61])],
])('rejects %s', (_, bytes) => {
  expect(() => decodePipeline(bytes)).toThrow(TypeError);
});
