import { execFileSync, execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, existsSync, writeFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { parseEnv, promisify } from 'node:util';
import { expect, test, onTestFinished } from 'vitest';
import { looksSecret } from './secret.ts';
import { writeDotenv, writeForReader } from './write.ts';
import { readerNames } from './reader-names.ts';
import { isFull } from '../../test/support/full.ts';

const hostile = [
  '',
  'plain/path:1,2@x%+.-_',
  'two words',
  'new\nline\n',
  '\n\n',
  "it's",
  'say "hi"',
  `both ' and "`,
  '$HOME ${HOME} $(id) `id`',
  `'$(touch pwned)'`,
  '\\ \\\\ \\n',
  `\\'`,
  `' \\\n "`,
  '#not a comment',
  'tab\tand\rreturn',
  '!history!',
  '~/home',
  '*?[a]',
  'ünïcödé 🚀',
  '=a=b',
  ' leading and trailing ',
  '; touch pwned;',
];

const shells = ['bash', 'dash', 'zsh'].filter((shell) => existsSync(`/bin/${shell}`));

test.each(shells)('%s reads every value back and runs nothing', (shell) => {
  const folder = mkdtempSync(join(tmpdir(), 'dotenv-'));
  const variables = Object.fromEntries(hostile.map((value, index) => [`V${index}`, value]));
  for (const exported of [false, true]) {
    writeFileSync(join(folder, 'env'), writeDotenv(variables, { exported }).text);
    const print = hostile.map((_, index) => `printf '%s\\0' "$V${index}"`).join('\n');
    const read = execFileSync(shell, ['-c', `set -a; . ./env; ls -a >&2; ${print}`], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    expect(read.toString().split('\0').slice(0, -1)).toEqual(hostile);
  }
  expect(existsSync(join(folder, 'pwned'))).toBe(false);
});

test('omits invalid names and those read-only in bash', () => {
  const variables = {
    OK: '1',
    ODD: null,
    NUL: 'a\0b',
    'a[$(id)]': 'x',
    'A B': 'x',
    '1A': 'x',
    '': 'x',
    UID: '0',
    'A\nB': 'x',
    'BASH_FUNC_ls%%': '() { id; }',
  };
  const { text, omitted } = writeDotenv(variables);
  expect(text).toBe('OK=1\n');
  expect(omitted.map(({ name }) => name)).toEqual(
    Object.keys(variables).filter((name) => name !== 'OK'),
  );
});

test.each([
  ['API_TOKEN', true],
  ['AWS_SECRET_ACCESS_KEY', true],
  ['db_password', true],
  ['DB_PASSWD', true],
  ['AZURE_CONNECTION_STRING', true],
  ['DATABASE_URL', true],
  ['TEST_DATABASE_URL', true],
  ['MYSQL_PWD', true],
  ['PGPASSWORD', true],
  ['GH_PAT', true],
  ['AUTHORIZATION', true],
  ['GPG_PASSPHRASE', true],
  ['GOOGLE_CREDENTIALS', true],
  ['PWD', false],
  ['OLDPWD', false],
  ['PATH', false],
  ['PATTERN', false],
  ['HOMEPAGE_URL', false],
  ['KEYBOARD', false],
  ['MONKEY', false],
  ['BUILDKITE_BRANCH', false],
  ['BUILDKITE_STEP_KEY', false],
])('%s looks secret: %s', (name, secret) => {
  expect(looksSecret(name)).toBe(secret);
});

const pieces = [
  ...['', 'a', ' ', '\n', '\r', '\t', "'", '"', '`', '$', '\\', '#', '=', '\\n', '$(x)', '${A}'],
  ...['${A:-b}', '{', '}', 'ü', '\u00a0', '\u2028', '🚀'],
];
const values = pieces.flatMap((a) => pieces.flatMap((b) => pieces.map((c) => a + b + c)));
const variables = Object.fromEntries(values.map((value, at) => [`V${at}`, value]));

/** The expected variables, without those reported as omitted. */
const given = (omitted: readonly { name: string }[]): Record<string, string> => {
  const missing = new Set(omitted.map(({ name }) => name));
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !missing.has(name)));
};

test('node reads every value back', () => {
  const { text, omitted } = writeForReader('node', variables);
  expect(parseEnv(text)).toEqual(given(omitted));
  const reason = omitted.map(({ name }) => variables[name] ?? '');
  expect(
    reason.filter((value) => !/\r|(?=.*')(?=.*")(?=.*`)|(?=.*')(?=.*`).*\\n/s.test(value)),
  ).toEqual([]);
});

const hasPython = spawnSync('python3', ['-c', 'import dotenv']).status === 0;

test.skipIf(!hasPython || !isFull)('python reads every value back', () => {
  const { text, omitted } = writeForReader('python', variables);
  expect(omitted).toEqual([]);
  const script =
    'import dotenv, json, sys; json.dump(dotenv.dotenv_values(sys.argv[1]), sys.stdout)';
  const { stdout } = spawnSync('python3', ['-c', script, file(text)], {
    env: { ...process.env, A: 'from outside' },
    encoding: 'utf8',
    maxBuffer: 1e8,
  });
  const read = JSON.parse(stdout) as Record<string, string>;
  expect(values.filter((value, at) => read[`V${at}`] !== value)).toEqual([]);
  expect(Object.keys(read)).toHaveLength(values.length);
});

const hasDocker = spawnSync('docker', ['--version']).status === 0;

test.skipIf(!hasDocker)('docker passes every value to its engine', async () => {
  const { text, omitted } = writeForReader('docker', { ...variables, LONG: 'x'.repeat(65_530) });
  expect(omitted.every(({ name }) => /\n|\r$/.test(variables[name] ?? ''))).toBe(true);
  const env = (await readByDocker(text)).map((line) => line.split(/=(.*)/s).slice(0, 2));
  expect(Object.fromEntries(env)).toEqual({ ...given(omitted), LONG: 'x'.repeat(65_530) });
});

/** The variables that the docker client sends to an engine, which is a server of this test. */
async function readByDocker(text: string): Promise<string[]> {
  let seen: string[] = [];
  const engine = createServer((request, response) => {
    void json(request)
      .catch(() => ({}))
      .then((body) => {
        if (request.url?.includes('/containers/create')) seen = (body as { Env: string[] }).Env;
        response.setHeader('Api-Version', '1.40').setHeader('Content-Type', 'application/json');
        response.writeHead(201).end('{"Id":"1","Warnings":[]}');
      });
  });
  await new Promise<void>((done) => engine.listen(0, '127.0.0.1', done));
  onTestFinished(() => void engine.close());
  const { port } = engine.address() as AddressInfo;
  await promisify(execFile)('docker', ['create', '--env-file', file(text), 'image'], {
    env: { ...process.env, DOCKER_HOST: `tcp://127.0.0.1:${port}`, NO_PROXY: '*' },
  });
  return seen;
}

test.each([
  ['docker', { A: 'one\ntwo', B: 'x\r', C: 'x'.repeat(65_534), 'D E': '1', 'F=G': '1', '': '1' }],
  ['docker', { '#A': '1' }],
  ['node', { A: 'x\r', B: `all three: ' " \`\n`, C: `' \` \\n #`, 'D E': '1', 'a[0]': '1' }],
  ['node', { ['__proto__']: '1' }],
  ['node', { NODE_OPTIONS: '--require=./evil.js' }],
  ['python', { 'A B': '1', 'a[0]': '1', '': '1' }],
  ...readerNames.map((name) => [name, { A: 'a\0b', B: 1, C: null, D: '\ud800' }] as const),
] as const)('omits and lists what %s cannot represent', (reader, env) => {
  const { text, omitted } = writeForReader(reader, { ...env, OK: '1' });
  expect(omitted.map(({ name }) => name)).toEqual(Object.keys(env));
  expect(text).toMatch(/^OK=["']?1["']?\n$/);
});

test('gives the reason for each omitted variable', () => {
  const { omitted } = writeForReader('docker', { 'A B': '1', C: 'x\ny', D: 'x\r', E: 'a\0b' });
  expect(omitted.map(({ reason }) => reason)).toEqual([
    'the name is not valid for docker',
    'docker does not support multi-line values',
    'docker drops a trailing carriage return',
    'a variable cannot contain a NUL byte',
  ]);
});

test('includes names special to node with --all-names', () => {
  const { text } = writeForReader('node', { NODE_OPTIONS: '--no-warnings' }, { allNames: true });
  expect(text).toBe("NODE_OPTIONS='--no-warnings'\n");
});

function file(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'dotenv-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  writeFileSync(join(folder, 'env'), text);
  return join(folder, 'env');
}
