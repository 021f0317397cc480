/** Any text from a service is printed with printable characters only. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLogPipeline } from '../../src/log/log-pipeline.ts';
import { cleanText, escapeJson } from '../../src/common/untrusted-text.ts';
import { anyText, fuzzed } from '../support/fuzz.ts';
import { expectPrintable, tags } from '../support/printable.ts';

const signs = [
  ...['\u200b', '\u200c', '\u200d', '\u202e', '\u2066', '\ufeff', '\u00ad', '\ufe0e', '\ufe0f'],
  ...['👩', '🏽', '☑', '🏴', '🇩', '1', '\u20e3', 'م', 'क', '्', '葛', 'ᠠ', '\u180b', '\u{e0100}'],
  ...Array.from(tags('gbengsctwl')),
  ...['\u{e007f}', '\udb40', '\udc41', '\x1b', '\x1b[31m', '\x1b]0;', '\x07', '\x9b', '\r', '\b'],
];
const text = anyText(signs, 40);

test('sanitized text is printable, and stays the same when it is sanitized again', () => {
  fc.assert(
    fc.property(text, (given) => {
      const shown = cleanText(given);
      expectPrintable(shown);
      expect(cleanText(shown)).toBe(shown);
    }),
    fuzzed(20_000),
  );
});

test('escaped JSON has the same value', () => {
  fc.assert(
    fc.property(text, (given) => {
      const json = escapeJson(JSON.stringify(given));
      expect(JSON.parse(json)).toBe(given);
      expectPrintable(json);
    }),
    fuzzed(5000),
  );
});

test('a log shows printable text, whatever overwrites what', async () => {
  await fc.assert(
    fc.asyncProperty(text, fc.nat(60), async (given, at) => {
      const bytes = Buffer.from(given);
      const stage = await createLogPipeline({ format: 'text' });
      const shown =
        stage.push(bytes.subarray(0, at)) + stage.push(bytes.subarray(at)) + stage.end();
      expectPrintable(Buffer.from(shown, 'latin1').toString());
    }),
    fuzzed(5000),
  );
});
