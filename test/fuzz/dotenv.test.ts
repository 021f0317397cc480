/** Dotenv files: what we write is read back byte for byte, by us and by supported parsers. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { parseEnv } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readDotenv } from '../../src/dotenv/read.ts';
import { writeForReader, writeDotenv, type DotenvText } from '../../src/dotenv/write.ts';
import { anyText, fuzzed, valueOrError } from '../support/fuzz.ts';

const signs = [
  ...["'", '"', '`', '\\', '\\\\', '$', '${', '}', '${A:-b}', '$(id)', '\n', '\r', '\r\n', ' #'],
  ...['\\n', '=', 'export ', ' ', 'A=', ': ', '#'],
];
const name = fc.oneof(
  fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,4}$/),
  anyText(['a[$(id)]', '__proto__', 'export', 'PS1', 'UID', 'A.B', '-'], 2),
);
const variables = fc.dictionary(name, anyText(signs, 8), { maxKeys: 6 });

/** The variables that were not reported as omitted. */
const given = (all: Readonly<Record<string, string>>, { omitted }: DotenvText) => {
  const missing = new Set(omitted.map(({ name }) => name));
  return Object.entries(all).filter(([name]) => !missing.has(name));
};

test('round-trips what we write', () => {
  fc.assert(
    fc.property(variables, fc.boolean(), fc.boolean(), (all, exported, allNames) => {
      const written = writeDotenv(all, { exported, allNames });
      expect(Object.entries(readDotenv(written.text, '.env'))).toEqual(given(all, written));
    }),
    fuzzed(1500),
  );
});

test('Node reads what is written for it', () => {
  fc.assert(
    fc.property(variables, (all) => {
      const written = writeForReader('node', all);
      expect(Object.entries(parseEnv(written.text)).sort()).toEqual(given(all, written).sort());
    }),
    fuzzed(1500),
  );
});

test('any text is a file of variables, or exits with 2 and its line', () => {
  fc.assert(
    fc.property(anyText([...signs, 'A="', "B='", '\nC='], 20), (text) => {
      const found = valueOrError(() => readDotenv(text, '.env'), 'usage');
      if ('value' in found)
        for (const name of Object.keys(found.value)) expect(name).toMatch(/^[\w.-]+$/);
      else expect(found.error.message).toMatch(/^\.env:\d+: \S/);
    }),
    fuzzed(1500),
  );
});

/** Many at once, since a process for each would take too long. */
function drawn(count: number): string[] {
  const { numRuns, seed } = fuzzed(count);
  const value = anyText(signs, 8).filter((text) => !/[\0\p{Surrogate}]/u.test(text));
  return fc.sample(value, { numRuns, seed });
}

const shells = ['bash', 'dash', 'zsh'].filter((shell) => existsSync(`/bin/${shell}`));

test.each(shells)('%s reads what is written for a shell, and runs nothing', (shell) => {
  const values = drawn(2000);
  const { text, omitted } = writeDotenv(
    Object.fromEntries(values.map((value, at) => [`V${at}`, value])),
  );
  expect(omitted).toEqual([]);
  const script = `${text}\n${values.map((_, at) => `printf '%s\\0' "$V${at}"`).join('\n')}`;
  const { stdout, stderr } = spawnSync(`/bin/${shell}`, [], {
    input: script,
    env: { PATH: '/nowhere', LC_ALL: 'C.UTF-8' },
    maxBuffer: 1e9,
  });
  expect(stderr.toString()).toBe('');
  expect(stdout.toString().split('\0').slice(0, -1)).toEqual(values);
});

const hasPython = spawnSync('python3', ['-c', 'import dotenv']).status === 0;

test.skipIf(!hasPython)('python-dotenv reads what is written for it', () => {
  const values = drawn(2000);
  const all = Object.fromEntries(values.map((value, at) => [`V${at}`, value]));
  const { text, omitted } = writeForReader('python', all);
  expect(omitted).toEqual([]);
  const script =
    'import dotenv, io, json, sys; text = io.TextIOWrapper(sys.stdin.buffer, "utf8", newline="");' +
    'json.dump(dotenv.dotenv_values(stream=text), sys.stdout)';
  const { stdout } = spawnSync('python3', ['-c', script], { input: text, maxBuffer: 1e9 });
  expect(JSON.parse(stdout.toString())).toEqual(all);
});
