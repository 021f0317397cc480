/** `-f` and `-F` of `graphql` and `api`: values are sent as typed, digit for digit. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson, stringifyJson } from '../../src/api/json.ts';
import { fieldValues, readJsonObject } from '../../src/commands/read-value.ts';
import { CictlError } from '../../src/errors.ts';
import { anyText, fuzzed } from '../support/fuzz.ts';

const context = {
  cwd: '/nowhere',
  stdin: { isTerminal: false, read: () => Promise.resolve(new TextEncoder().encode('input')) },
};
const key = anyText([], 3).filter((text) => text !== '' && !text.includes('='));
const literal = fc.oneof(
  fc.constantFrom('true', 'false', 'null', '0', '1e400', '0.1234567890123456789'),
  fc.bigInt().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => JSON.stringify(number)),
);

test('typed values keep their digits, others are strings', async () => {
  await fc.assert(
    fc.asyncProperty(key, literal, anyText(['1', '.', 'e', 'true']), async (key, literal, text) => {
      const typed = await fieldValues({ field: [], typedField: [`${key}=${literal}`] }, context);
      expect(stringifyJson(typed)).toBe(`{${JSON.stringify(key)}:${literal}}`);
      const plain = await fieldValues({ field: [`${key}=${literal}`], typedField: [] }, context);
      expect(Object.entries(plain)).toEqual([[key, literal]]);
      if (text.startsWith('@')) return;
      const [[, value] = []] = Object.entries(
        await fieldValues({ field: [], typedField: [`${key}=${text}`] }, context),
      );
      // As a number, `1.50` is 1.5.
      if (typeof value === 'string') expect(value).toBe(text);
      else expect(JSON.parse(stringifyJson(value))).toEqual(JSON.parse(text));
    }),
    fuzzed(1500),
  );
});

test('JSON of any kind round-trips', () => {
  const spaced = fc.constantFrom('', ' ', '\n');
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), spaced, (value, space) => {
      const text = JSON.stringify(value, undefined, space);
      expect(stringifyJson(parseJson(text))).toBe(JSON.stringify(value));
    }),
    fuzzed(1000),
  );
});

test('any text is an object of variables, or exits with 2', async () => {
  const signs = ['{', '}', '"a"', ':', ',', '1', '[', ']', 'null', '"', '\\', '\\u00'];
  await fc.assert(
    fc.asyncProperty(anyText(signs), async (text) => {
      fc.pre(!text.startsWith('@'));
      try {
        expect(typeof (await readJsonObject(text, '--variables', context))).toBe('object');
        JSON.parse(text);
      } catch (error) {
        if (!(error instanceof CictlError)) throw error;
        expect([error.kind, error.message]).toEqual([
          'usage',
          expect.stringContaining('--variables'),
        ]);
      }
    }),
    fuzzed(1500),
  );
});
