/**
 * The profile file: what is written is read back; anything else is rejected without repeating its
 * content.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { changeStore } from '../../src/config/store.ts';
import { readProfileFile, type Profile } from '../../src/config/profile-file.ts';
import { anyText, fuzzed, valueOrError } from '../support/fuzz.ts';

const folder = mkdtempSync(join(tmpdir(), 'cictl-fuzz-'));
const env = { CICTL_CONFIG_DIR: folder };
const file = join(folder, 'profiles.json');
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const keys = [
  'baseUrl',
  'agentUrl',
  'graphqlUrl',
  'token',
  'agentToken',
  'org',
  'pipeline',
  'output',
];
const name = fc.oneof(
  fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,5}$/),
  fc.constant('__proto__'),
);
const profile = fc.dictionary(fc.constantFrom(...keys), anyText().map(wellFormed), { maxKeys: 4 });
const profiles = fc.uniqueArray(fc.tuple(name, profile), {
  selector: ([name]) => name,
  maxLength: 4,
});

/** A UTF-8 file cannot contain lone surrogates. */
function wellFormed(text: string): string {
  return text.replaceAll(/\p{Surrogate}/gu, '');
}

test('profiles are read as written', async () => {
  await fc.assert(
    fc.asyncProperty(profiles, fc.option(name, { nil: undefined }), async (all, current) => {
      rmSync(file, { force: true });
      await changeStore(env, () => ({ current, profiles: new Map<string, Profile>(all) }));
      const found = readProfileFile(env);
      expect(found.current).toBe(current);
      expect(Object.fromEntries(found.profiles)).toEqual(Object.fromEntries(all));
    }),
    fuzzed(100),
  );
});

const secret = 'bkua_secret';
const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>(secret, null, 1, true, 'one'),
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('current', 'profiles', 'one', ...keys), tie('value'), {
      maxKeys: 3,
    }),
  ),
})).value;
const content = fc.oneof(
  json.map((value) => JSON.stringify(value)),
  json.map((value) => JSON.stringify({ current: 'one', profiles: value })),
  fc.tuple(json, fc.nat(60)).map(([value, length]) => JSON.stringify(value).slice(0, length)),
  anyText(['{', '}', '"', secret, ':', ',']),
);

test('any file contains profiles, or is an error without secrets', () => {
  fc.assert(
    fc.property(content, (content) => {
      writeFileSync(file, content, { mode: 0o600 });
      const found = valueOrError(() => readProfileFile(env), 'machine');
      if ('error' in found) {
        const { message, hint, cause } = found.error;
        expect(message).toContain(file);
        expect(`${message}${String(hint)}${String(cause)}`).not.toContain(secret);
        return;
      }
      for (const profile of found.value.profiles.values())
        for (const key of keys)
          expect(['string', 'undefined']).toContain(typeof profile[key as keyof Profile]);
    }),
    fuzzed(1000),
  );
});
