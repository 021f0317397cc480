/** `job env`: values come back from real shells byte for byte, and nothing runs on the way. */
import { execFile, spawnSync } from 'node:child_process';
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { acme, against, leadTo } from '../support/against.ts';
import { bin, cictl, startCictl } from '../support/cli.ts';
import { useHome } from '../support/home.ts';
import { cictlInTerminal, hasTerminal } from '../support/pty.ts';
import { serve, type Exchange } from '../support/server.ts';

const id = '0d3e3a5b-51ae-4f9b-8f6f-2c6a3b8e7d11';
const base = `${acme}/pipelines/web/builds/7/jobs/${id}`;
const job = `7#${id}`;

const answer = (env: object): Exchange => ({ path: `${base}/env`, answer: { json: { env } } });

const values = [
  '',
  'plain',
  'two words',
  'ends in newlines\n\n',
  '\n',
  `it's "both"`,
  '$HOME ${HOME} $(touch pwned) `touch pwned`',
  `'; touch pwned; '`,
  `"; touch pwned; "`,
  `'"$(touch pwned)"'`,
  '\\ \\\\ \\n \\',
  `\\'`,
  '#no comment',
  'tab\tand\rreturn\r\n',
  '!! ^x^y^ ~ * ? [a] {a,b}',
  'ünïcödé 🚀',
  '-n -e',
  '=',
  'a\\\nb',
];
const variables = Object.fromEntries(values.map((value, at) => [`V${at}`, value]));
const hostile = {
  ...variables,
  'x$(touch pwned)': '1',
  'a[$(touch pwned)0]': '1',
  'two words': '1',
  'line\nbreak; touch pwned': '1',
  'BASH_FUNC_ls%%': '() { touch pwned; }',
  UID: '0',
  SHELLOPTS: 'xtrace',
  '': '1',
  ODD: null,
  NUL: 'a\u0000b',
};
const leftOut = Object.keys(hostile).filter((name) => !Object.hasOwn(variables, name));
const namesIn = (text: string): string[] =>
  leftOut.filter((name) => text.includes(JSON.stringify(name)));

const shells = ['bash', 'dash', 'zsh'].filter((name) => spawnSync(name, ['-c', ':']).status === 0);
const ways = shells.flatMap((shell) => [
  { shell, load: `cictl job env ${job} > .env; . ./.env` },
  { shell, load: `eval "$(cictl job env ${job} --format export)"` },
]);

test.each(ways)('$shell: $load', async ({ shell, load }) => {
  const home = await useHome();
  const { url } = await serve([answer(hostile)]);
  const folder = join(home.root, 'bin');
  await mkdir(folder);
  await writeFile(join(folder, 'cictl'), `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`);
  await chmod(join(folder, 'cictl'), 0o755);
  const print = values.map((_, at) => `printf '%s\\0' "$V${at}"`).join('\n');
  const { stdout, stderr } = await promisify(execFile)(shell, ['-ec', `${load}\n${print}`], {
    cwd: home.cwd,
    env: { ...home.env, ...leadTo(url), PATH: [folder, home.env['PATH']].join(delimiter) },
  });
  expect(stdout.split('\0').slice(0, -1)).toEqual(values);
  expect(await readdir(home.cwd)).not.toContain('pwned');
  expect(namesIn(stderr)).toEqual(leftOut);
});

test('a program gets the variables beside those of the environment', async () => {
  const { url } = await serve([answer({ ...hostile, PRESENT: 'from the job' })]);
  const script =
    'const { PRESENT, HERE, UID, ...env } = process.env;' +
    'const own = Object.keys(env).filter((name) => /^V\\d+$/.test(name)).map((name) => env[name]);' +
    'console.log(JSON.stringify({ PRESENT, HERE, UID, own }))';
  const { stdout, stderr } = await cictl(
    ['job', 'env', job, '--', process.execPath, '-e', script],
    {
      env: { ...leadTo(url), PRESENT: 'from here', HERE: 'too' },
    },
  );
  expect(JSON.parse(stdout)).toEqual({ PRESENT: 'from the job', HERE: 'too', own: values });
  expect(namesIn(stderr)).toEqual(leftOut);
});

test.each([
  ['exit 0', 0],
  ['exit 37', 37],
  ['kill -TERM $$', 143],
  ['kill -KILL $$', 137],
])('%s is code %i', async (script, code) => {
  const line = ['job', 'env', job, '--', 'sh', '-c', script];
  expect((await against([answer({})], line)).exitCode).toBe(code);
});

test('arguments of the program are its own', async () => {
  const line = ['job', 'env', job, '--', 'printf', '%s|', '--json', '-q', '- x', '--'];
  expect((await against([answer({})], line)).stdout).toBe('--json|-q|- x|--|');
});

test('a program that is not there is code 10', async () => {
  const { exitCode, stderr } = await against(
    [answer({})],
    ['job', 'env', job, '--', 'no-such-one'],
  );
  expect([exitCode, stderr]).toEqual([10, expect.stringContaining('cannot run no-such-one')]);
});

test.each([
  ['SIGINT', 5],
  ['SIGTERM', 6],
] as const)('%s is passed on, and the code is that of the program', async (signal, code) => {
  const home = await useHome();
  const { url } = await serve([answer({})]);
  const script = 'trap "exit 5" INT; trap "exit 6" TERM; echo ready; while :; do sleep 0.05; done';
  const child = startCictl(['job', 'env', job, '--', 'sh', '-c', script], home, {
    env: leadTo(url),
  });
  child.stdout.once('data', () => child.kill(signal));
  expect((await child).exitCode).toBe(code);
});

const few = { A: 'x y', API_TOKEN: 'secret-text', 'A B': '1' };

test.each([
  [[], `A='x y'\nAPI_TOKEN=secret-text\n`],
  [['--format', 'export'], `export A='x y'\nexport API_TOKEN=secret-text\n`],
  [['--format', 'json'], `${JSON.stringify({ env: few })}\n`],
  [['--json'], `${JSON.stringify({ env: few })}\n`],
  [['--jq', '.env.A'], 'x y\n'],
])('%j in a pipe', async (args, expected) => {
  const { stdout, exitCode } = await against([answer(few)], ['job', 'env', job, ...args]);
  expect([exitCode, stdout]).toEqual([0, expected]);
});

test('a table masks what looks secret, unless it is asked for', async () => {
  const line = ['job', 'env', job, '--format', 'table'];
  expect((await against([answer(few)], line)).stdout).toMatch(
    /^NAME +VALUE\nA +x y\nAPI_TOKEN +\*{8}\nA B +1\n$/,
  );
  const { stdout } = await against([answer(few)], [...line, '--show-secrets']);
  expect(stdout).toMatch(/API_TOKEN +secret-text/);
});

test('raw is what the service says', async () => {
  const body = `A="x y"\r\n\u001b[31m\n`;
  const raw = { path: `${base}/env.txt`, headers: { accept: 'text/plain' }, answer: { body } };
  const { stdout } = await against([raw], ['job', 'env', job, '--format', 'raw']);
  expect(stdout).toBe(body);
});

test.skipIf(!hasTerminal)('a terminal gets the table, and nothing but text', async () => {
  const { url } = await serve([answer({ ...few, X: '\u001b]0;owned\u0007' })]);
  const { screen } = await cictlInTerminal(['job', 'env', job, '--no-color', '--no-pager'], {
    home: await useHome(),
    env: leadTo(url),
  });
  expect(screen).toMatch(/API_TOKEN +\*{8}\r\n/);
  expect(screen).not.toContain('\u001b]0;');
});

test.skipIf(!hasTerminal)('Ctrl-C reaches the program once', async () => {
  const { url } = await serve([answer({})]);
  const script = 'trap "echo got it" INT; echo ready; sleep 1 & wait; wait; exit 9';
  const { screen, exitCode } = await cictlInTerminal(
    ['job', 'env', job, '--', 'sh', '-c', script],
    {
      home: await useHome(),
      env: leadTo(url),
      keys: [{ after: 'ready', type: '\u0003' }],
    },
  );
  expect(exitCode).toBe(9);
  expect(screen.match(/got it/g)).toHaveLength(1);
});

test('inside a job it is that job', async () => {
  const env = { BUILDKITE_BUILD_NUMBER: '7', BUILDKITE_JOB_ID: id };
  expect((await against([answer({ A: '1' })], ['job', 'env'], { env })).stdout).toBe('A=1\n');
});

test.each([
  [['--json', '--format', 'export'], 'exclude each other'],
  [['-o', 'yaml'], 'use --format'],
  [['-o', 'tsv'], 'use --format'],
  [['--format', 'json', '--', 'true'], 'exclude each other'],
  [['--fields', 'A'], '--fields does not apply'],
])('%j is code 2 and sends nothing', async (args, words) => {
  const { exitCode, stderr } = await against([], ['job', 'env', job, ...args]);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(words)]);
});

test('a missing scope is named', async () => {
  const refusal = { status: 403, json: { message: 'Forbidden' } };
  const { exitCode, stderr } = await against(
    [{ path: `${base}/env`, answer: refusal }],
    ['job', 'env', job],
  );
  expect([exitCode, stderr]).toEqual([6, expect.stringContaining('read_job_env')]);
});
