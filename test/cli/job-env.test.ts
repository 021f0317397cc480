/** `job env`: real shells read back every value byte for byte, and nothing runs. */
import { execFile, spawnSync } from 'node:child_process';
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { acme, against as inProcess, leadTo } from '../support/against.ts';
import { builtCictl, startCictl } from '../support/cli.ts';
import { useHome } from '../support/home.ts';
import { cictlInTerminal, hasTerminal } from '../support/pty.ts';
import { serve, type Exchange } from '../support/server.ts';
import { toolLine } from '../support/tool.ts';
import { sampled } from '../support/full.ts';

/** Programs write directly to the streams of the process. */
const against: typeof inProcess = (exchanges, args, options) =>
  inProcess(exchanges, args, { ...options, started: true });

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
  HALF: '\ud800',
};
const leftOut = Object.keys(hostile).filter((name) => !Object.hasOwn(variables, name));
const namesIn = (text: string): string[] =>
  leftOut.filter((name) => text.includes(JSON.stringify(name)));

const shells = ['bash', 'dash', 'zsh'].filter((name) => spawnSync(name, ['-c', ':']).status === 0);
const ways = shells.flatMap((shell) => [
  { shell, load: `cictl job env ${job} > .env; . ./.env` },
  { shell, load: `eval "$(cictl job env ${job} --format export)"` },
]);

sampled.each(ways)('$shell: $load', async ({ shell, load }) => {
  const home = await useHome();
  const { url } = await serve([answer(hostile)]);
  const folder = join(home.root, 'bin');
  await mkdir(folder);
  await writeFile(join(folder, 'cictl'), `#!/bin/sh\nexec ${toolLine} "$@"\n`);
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

test('a program gets the variables in addition to the environment', async () => {
  const { url } = await serve([answer({ ...hostile, PRESENT: 'from the job' })]);
  const script =
    'const { PRESENT, HERE, UID, ...env } = process.env;' +
    'const own = Object.keys(env).filter((name) => /^V\\d+$/.test(name)).map((name) => env[name]);' +
    'console.log(JSON.stringify({ PRESENT, HERE, UID, own }))';
  const { stdout, stderr } = await builtCictl(
    ['job', 'env', job, '--', process.execPath, '-e', script],
    {
      env: { ...leadTo(url), PRESENT: 'from here', HERE: 'too' },
    },
  );
  expect(JSON.parse(stdout)).toEqual({ PRESENT: 'from the job', HERE: 'too', own: values });
  expect(namesIn(stderr)).toEqual(leftOut);
});

sampled.each([
  ['exit 0', 0],
  ['exit 37', 37],
  ['kill -TERM $$', 143],
  ['kill -KILL $$', 137],
])('%s is code %i', async (script, code) => {
  const line = ['job', 'env', job, '--', 'sh', '-c', script];
  expect((await against([answer({})], line)).exitCode).toBe(code);
});

test("keeps the program's own arguments", async () => {
  const line = ['job', 'env', job, '--', 'printf', '%s|', '--json', '-q', '- x', '--'];
  expect((await against([answer({})], line)).stdout).toBe('--json|-q|- x|--|');
});

test('a missing program exits with 10', async () => {
  const { exitCode, stderr } = await against(
    [answer({})],
    ['job', 'env', job, '--', 'no-such-one'],
  );
  expect([exitCode, stderr]).toEqual([10, expect.stringContaining('cannot run no-such-one')]);
});

sampled.each([
  [
    'a value of 200 KB',
    { BIG: 'x'.repeat(200_000) },
    ['true'],
    /the largest is the variable BIG \(200004 bytes\)$/m,
  ],
  [
    '3 MB of values',
    manyValues(),
    ['true'],
    /: 30\d{5} bytes in total, the largest is the variable V1\d \(100004 bytes\)$/m,
  ],
  ['a folder', {}, ['/'], /cannot run \/: /],
])('%s cannot be run with: code 10 and one line', async (_, env, command, words) => {
  const { exitCode, stdout, stderr } = await against(
    [answer(env)],
    ['job', 'env', job, '--', ...command],
  );
  expect([exitCode, stdout, stderr]).toEqual([10, '', expect.stringMatching(words)]);
  expect(stderr).toMatch(/^cictl: cannot run .+\n$/);
});

test('an empty program name exits with 2', async () => {
  const { exitCode, stderr } = await against([answer({})], ['job', 'env', job, '--', '']);
  expect([exitCode, stderr]).toEqual([2, 'cictl: the command to run is empty\n']);
});

function manyValues(): Record<string, string> {
  const value = 'x'.repeat(100_000);
  return Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`V${at}`, value]));
}

sampled.each([
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

const own = {
  id,
  type: 'script',
  name: 'Greet',
  step_key: 'greet',
  command: 'echo "$GREETING, $NAME"\nfalse\necho not reached',
};
const build = (members: object = {}): Exchange => ({
  path: `${acme}/pipelines/web/builds/7`,
  answer: { json: { number: 7, jobs: [{ ...own, ...members }] } },
});

sampled.each([job, '7#greet'])(
  "--run runs the job's own command in its environment: %s",
  async (name) => {
    const env = { GREETING: 'hi', NAME: "it's me", BASH_ENV: './evil' };
    const { exitCode, stdout, stderr } = await against(
      [build(), answer(env)],
      ['job', 'env', name, '--run'],
    );
    expect([exitCode, stdout]).toEqual([1, "hi, it's me\n"]);
    expect(stderr).toBe(
      'warning: omitted "BASH_ENV": the name is special to bash, dash or zsh; to include it: --all-names\n',
    );
  },
);

test("--run finds bash on this machine, whatever the job's PATH", async () => {
  const { exitCode, stdout } = await against(
    [build({ command: 'echo "$PATH"' }), answer({ PATH: '/nowhere' })],
    ['job', 'env', job, '--run'],
  );
  expect([exitCode, stdout]).toEqual([0, '/nowhere\n']);
});

sampled.each([
  [{ type: 'manual', command: null }, 'of type manual has no command'],
  [{ command: '' }, 'has no command'],
  [{ command: undefined, type: 'waiter' }, 'of type waiter has no command'],
])('--run of %j is code 2', async (members, words) => {
  const { exitCode, stderr } = await against([build(members)], ['job', 'env', job, '--run']);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(words)]);
});

test('--run with a command too long for this system exits with 10', async () => {
  const command = `true # ${'x'.repeat(200_000)}`;
  const { exitCode, stderr } = await against(
    [build({ command }), answer({})],
    ['job', 'env', job, '--run'],
  );
  expect([exitCode, stderr]).toEqual([
    10,
    expect.stringMatching(/^cictl: cannot run \S*bash: .+ an argument \(200007 bytes\)\n$/),
  ]);
});

test('--all-names gives a program every name that an environment allows', async () => {
  const env = { PS1: '$ ', UID: '0', 'A B': '1', '': 'x', 'C=D': 'x', NUL: 'a\0b' };
  const script =
    'const { PS1, UID, ["A B"]: spaced } = process.env; console.log(JSON.stringify([PS1, UID, spaced]))';
  const { stdout, stderr } = await against(
    [answer(env)],
    ['job', 'env', job, '--all-names', '--', process.execPath, '-e', script],
  );
  expect(JSON.parse(stdout)).toEqual(['$ ', '0', '1']);
  expect(stderr).toBe(
    'warning: omitted "", "C=D": not a valid environment variable name\n' +
      'warning: omitted "NUL": a variable cannot contain a NUL byte\n',
  );
});

test('--all-names gives a shell every name that it allows', async () => {
  const env = { PS1: '$ ', RANDOM: 'a[0]', 'A B': '1' };
  const { stdout, stderr } = await against([answer(env)], ['job', 'env', job, '--all-names']);
  expect(stdout).toBe("PS1='$ '\nRANDOM='a[0]'\n");
  expect(stderr).toBe('warning: omitted "A B": not a valid shell variable name\n');
});

sampled.each([
  ['docker', `A=x 'y'\n`, 'docker does not support multi-line values'],
  ['node', "A=`x 'y'`\nB='1\n2'\n", undefined],
  ['python', `A="x 'y'"\nB="1\n2"\n`, undefined],
])('--for %s', async (reader, text, why) => {
  const env = { A: "x 'y'", B: '1\n2' };
  for (const format of [[], ['--format', 'dotenv']]) {
    const { stdout, stderr } = await against(
      [answer(env)],
      ['job', 'env', job, '--for', reader, ...format],
    );
    expect(stdout).toBe(text);
    expect(stderr).toBe(why === undefined ? '' : `warning: omitted "B": ${why}\n`);
  }
});

const few = { A: 'x y', API_TOKEN: 'secret-text', 'A B': '1' };

sampled.each([
  [[], `A='x y'\nAPI_TOKEN=secret-text\n`],
  [['--format', 'export'], `export A='x y'\nexport API_TOKEN=secret-text\n`],
  [['--format', 'json'], `${JSON.stringify({ env: few })}\n`],
  [['--json'], `${JSON.stringify({ env: few })}\n`],
  [['--jq', '.env.A'], 'x y\n'],
])('%j in a pipe', async (args, expected) => {
  const { stdout, exitCode } = await against([answer(few)], ['job', 'env', job, ...args]);
  expect([exitCode, stdout]).toEqual([0, expected]);
});

test('a table masks secret values unless --show-secrets is given', async () => {
  const line = ['job', 'env', job, '--format', 'table'];
  expect((await against([answer(few)], line)).stdout).toMatch(
    /^NAME +VALUE\nA +x y\nAPI_TOKEN +\*{8}\nA B +1\n$/,
  );
  const { stdout } = await against([answer(few)], [...line, '--show-secrets']);
  expect(stdout).toMatch(/API_TOKEN +secret-text/);
});

test("raw is the service's response", async () => {
  const body = `A="x y"\r\n\u001b[31m\n`;
  const raw = { path: `${base}/env.txt`, headers: { accept: 'text/plain' }, answer: { body } };
  const { stdout } = await against([raw], ['job', 'env', job, '--format', 'raw']);
  expect(stdout).toBe(body);
});

test.skipIf(!hasTerminal)('a terminal shows a table and only text', async () => {
  const { url } = await serve([answer({ ...few, X: '\u001b]0;owned\u0007' })]);
  const { screen } = await cictlInTerminal(['job', 'env', job, '--no-color', '--no-pager'], {
    home: await useHome(),
    env: leadTo(url),
  });
  expect(screen).toMatch(/API_TOKEN +\*{8}\r\n/);
  expect(screen).not.toContain('\u001b]0;');
});

test.skipIf(!hasTerminal)('--for prints no table, on a terminal too', async () => {
  const { url } = await serve([answer({ A: "x 'y'", PS1: '1' })]);
  const { screen } = await cictlInTerminal(['job', 'env', job, '--no-pager', '--for', 'node'], {
    home: await useHome(),
    env: leadTo(url),
  });
  expect(screen).toContain("A=`x 'y'`\r\nPS1='1'\r\n");
});

test.skipIf(!hasTerminal)('Ctrl-C reaches the program once', async () => {
  const { url } = await serve([answer({})]);
  // A second run would find the file.
  const script =
    'trap "echo got it; got=1" INT; echo ready; ' +
    'until test "$got"; do sleep 0.05; done; sleep 0.5; exit 9';
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

test('inside a job, uses that job', async () => {
  const env = { BUILDKITE_BUILD_NUMBER: '7', BUILDKITE_JOB_ID: id };
  expect((await against([answer({ A: '1' })], ['job', 'env'], { env })).stdout).toBe('A=1\n');
});

sampled.each([
  [['--json', '--format', 'export'], 'cannot be used together'],
  [['-o', 'yaml'], 'use --format'],
  [['-o', 'tsv'], 'use --format'],
  [['--format', 'json', '--', 'true'], 'cannot be used together'],
  [['--fields', 'A'], 'does not support --fields'],
  [['--run', '--', 'true'], '--run and -- COMMAND cannot be used together'],
  [['--run', '--format', 'json'], '--format and --run cannot be used together'],
  [['--for', 'node', '--run'], '--for and --run cannot be used together'],
  [['--for', 'node', '--', 'true'], '--for and -- COMMAND cannot be used together'],
  [['--for', 'node', '--json'], '--for and --format json cannot be used together'],
  [['--for', 'node', '--format', 'export'], '--for and --format export cannot be used together'],
  [['--for', 'ruby'], '--for must be one of docker, node, python'],
])('%j is code 2 and sends nothing', async (args, words) => {
  const { exitCode, stderr } = await against([], ['job', 'env', job, ...args]);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(words)]);
});

test('names a missing scope', async () => {
  const refusal = { status: 403, json: { message: 'Forbidden' } };
  const { exitCode, stderr } = await against(
    [{ path: `${base}/env`, answer: refusal }],
    ['job', 'env', job],
  );
  expect([exitCode, stderr]).toEqual([6, expect.stringContaining('read_job_env')]);
});
