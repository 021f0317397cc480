/** Runs every recipe of docs/scripting.md against the built-in service. */
import { spawnSync } from 'node:child_process';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHome, type Home } from '../support/home.ts';
import { withPrograms } from '../support/on-path.ts';

const page = await readFile(join(import.meta.dirname, '../../docs/scripting.md'), 'utf8');
const recipes = new Map(
  [...page.matchAll(/^```bash\n(#!.*\n# (\S+).*\n[^]*?)^```/gm)].map(([, text = '', name = '']) => [
    name,
    text,
  ]),
);

const pipeline = (folder: string): string => `steps:
  - label: Test
    key: test
    env: { GREETING: hello world }
    command: 'echo "$$GREETING" > out.txt; cat kind.txt out.txt; test ! -e broken'
  - label: Annotate
    if: build.message == "annotate"
    command: ${folder}/annotate-tests report.xml
`;

const report = `<testsuites><testsuite>
  <testcase classname="cart" name="adds &lt;b&gt;"><failure message="short">1 != 2

&lt;script&gt;</failure></testcase>
  <testcase classname="cart" name="sums"/>
  <testcase name="ends"><error message="no memory"/></testcase>
</testsuite></testsuites>`;

let home: Home;
let env: Record<string, string>;

const run = (command: string, args: readonly string[] = [], input = '') =>
  execa(command, args, {
    cwd: join(home.cwd, 'demo'),
    env,
    extendEnv: false,
    reject: false,
    input,
  });
const recipe = (name: string, ...args: string[]) => run(join(home.cwd, name), args);
const file = (path: string): Promise<string> => readFile(join(home.cwd, path), 'utf8');
const write = (path: string, text: string) => writeFile(join(home.cwd, path), text);

async function commit(message: string): Promise<void> {
  await run('git', ['add', '-A']);
  await run('git', [
    ...'-c user.name=A -c user.email=a@example.com commit -q -m'.split(' '),
    message,
  ]);
}

const build = (message: string, ...flags: string[]) =>
  run('cictl', [...'builds create -p demo -m'.split(' '), message, ...flags]);

beforeAll(async () => {
  home = await createHome();
  env = await withPrograms(home, {
    gh: '#!/bin/sh\necho "$@" > ../comment.txt\ncat >> ../comment.txt\n',
  });
  for (const [name, text] of recipes) {
    await write(name, text);
    await chmod(join(home.cwd, name), 0o755);
  }
  await mkdir(join(home.cwd, 'demo/.buildkite'), { recursive: true });
  await write('demo/.buildkite/pipeline.yml', pipeline(home.cwd));
  await write('demo/report.xml', report);
  await write('demo/kind.txt', 'sound\n');
  await run('git', ['init', '-q', '-b', 'main']);
  await commit('sound');
  const up = await run('cictl', ['local', 'up']);
  expect(up.stderr).toContain('local service started');
  await run('cictl', ['local', 'pipeline', 'add', '.', '--slug', 'demo']);
  await build('one', '--watch');
  await write('demo/broken', '');
  await write('demo/kind.txt', 'broken\n');
  await commit('broken');
  await build('two', '--watch');
});

afterAll(async () => {
  await run('cictl', ['local', 'down']);
  await home.remove();
});

test('tries every recipe', () => {
  const tried =
    'annotate-tests deploy-when-passed comment-failures rerun with-token write-metrics serve-metrics state-of';
  expect([...recipes.keys()]).toEqual(tried.split(' '));
  expect(page.match(/^```bash$/gm)).toHaveLength(recipes.size);
});

const lacks = (program: string): boolean => spawnSync(program, ['--version']).status !== 0;

test.skipIf(lacks('shellcheck')).each([...recipes])('shellcheck finds nothing in %s', (_, text) => {
  const { stdout } = spawnSync('shellcheck', ['-'], {
    input: text,
    encoding: 'utf8',
  });
  expect(stdout).toBe('');
});

test.skipIf(lacks('python3'))('annotate-tests', async () => {
  const { exitCode, stderr } = await recipe('annotate-tests', 'report.xml', '--build', 'demo/1');
  expect([exitCode, stderr]).toEqual([0, '']);
  const shown = await run('cictl', 'annotations list demo/1 --json'.split(' '));
  const [annotation] = JSON.parse(shown.stdout) as { style: string; body_html: string }[];
  expect(annotation?.style).toBe('error');
  const html = annotation?.body_html ?? '';
  expect(html).toContain('<summary>cart adds &lt;b&gt;</summary>');
  expect(html).toContain('<pre>1 != 2\n\n&lt;script&gt;</pre>');
  expect(html.match(/<details>/g)).toHaveLength(2);
  await write('report.xml', '<testsuite><testcase name="a"/></testsuite>');
  expect((await recipe('annotate-tests', '../report.xml', '--build', 'demo/1')).exitCode).toBe(0);
  const passed = await run(
    'cictl',
    'annotations view tests --build demo/1 --format text'.split(' '),
  );
  expect(passed.stdout).toContain('All tests passed');
  await write('report.xml', 'no report');
  expect((await recipe('annotate-tests', '../report.xml', '--build', 'demo/1')).exitCode).not.toBe(
    0,
  );
});

test.skipIf(lacks('python3'))('annotate-tests in a job', async () => {
  await build('annotate', '--watch');
  const { stdout } = await run('cictl', 'annotations list demo/latest'.split(' '));
  expect(stdout).toMatch(/^tests\terror\t/);
});

test('deploy-when-passed', async () => {
  const passed = await recipe('deploy-when-passed', 'demo/1', 'touch', '../deployed with spaces');
  expect([passed.exitCode, passed.stdout]).toEqual([0, '']);
  expect(await file('deployed with spaces')).toBe('');
  const failed = await recipe('deploy-when-passed', 'demo/2', 'touch', '../never');
  expect([failed.exitCode, failed.stderr.split('\n').at(-1)]).toEqual([1, 'demo/2 failed']);
  await expect(file('never')).rejects.toThrow('ENOENT');
  expect((await recipe('deploy-when-passed', 'demo/99', 'touch', '../never')).exitCode).toBe(7);
});

test('comment-failures', async () => {
  const { exitCode, stderr } = await recipe('comment-failures', 'demo/2', '17');
  expect([exitCode, stderr]).toEqual([0, '']);
  const comment = await file('comment.txt');
  expect(comment).toMatch(/^pr comment 17 --body-file -\n## Build `local\/demo\/2` `failed`\n/);
  expect(comment).toContain('broken\nhello world');
});

test.skipIf(lacks('jq'))('rerun', async () => {
  const { stdout, exitCode } = await recipe('rerun', 'demo/1#test');
  // The checkout is at a different commit.
  expect([stdout, exitCode]).toEqual(['sound\nhello world', 0]);
  expect((await recipe('rerun', 'demo/2#test')).exitCode).toBe(1);
  expect((await run('git', ['worktree', 'list'])).stdout.split('\n')).toHaveLength(1);
});

test('with-token', async () => {
  const create = 'local token create --scope read_builds'.split(' ');
  const { stdout: token } = await run('cictl', create);
  const script = join(home.cwd, 'with-token');
  const { stdout, exitCode } = await run(
    script,
    ['cictl', 'builds', 'list', '-p', 'demo'],
    `${token}\n`,
  );
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/\ttwo\t/);
  env = { ...env, CICTL_TOKEN: token };
  expect((await run('cictl', ['builds', 'list', '-p', 'demo'])).exitCode).toBe(6);
  delete env['CICTL_TOKEN'];
  const { stdout: other } = await run('cictl', create);
  expect((await run(script, ['false'], `${other}\n`)).exitCode).toBe(1);
  env = { ...env, CICTL_TOKEN: other };
  expect((await run('cictl', ['builds', 'list', '-p', 'demo'])).exitCode).toBe(6);
  delete env['CICTL_TOKEN'];
});

test('write-metrics', async () => {
  await mkdir(join(home.cwd, 'textfiles'));
  expect((await recipe('write-metrics', '../textfiles')).exitCode).toBe(0);
  expect(await file('textfiles/cictl.prom')).toMatch(
    /^# TYPE buildkite_total_idle_agent_count gauge$/m,
  );
  env = { ...env, CICTL_AGENT_URL: 'http://127.0.0.1:1', CICTL_AGENT_TOKEN: 'x' };
  expect((await recipe('write-metrics', '../textfiles')).exitCode).toBe(9);
  env = { ...env, CICTL_AGENT_URL: '', CICTL_AGENT_TOKEN: '' };
  expect((await run('ls', ['-A', '../textfiles'])).stdout).toBe('cictl.prom');
});

test('serve-metrics', async () => {
  const server = execa(join(home.cwd, 'serve-metrics'), ['0'], {
    env,
    extendEnv: false,
    reject: false,
  });
  for await (const line of server.iterable({ from: 'stderr' })) {
    const [address] = /http:\S+metrics/.exec(line) ?? [];
    if (address === undefined) continue;
    expect(await (await fetch(address)).text()).toContain('buildkite_total_idle_agent_count');
    server.kill('SIGTERM');
  }
  expect((await server).exitCode).toBe(143);
});

test.skipIf(lacks('jq'))('state-of', async () => {
  const found = async (build: string) => {
    const { stdout, stderr, exitCode } = await recipe('state-of', build);
    return [stdout, stderr, exitCode];
  };
  expect(await found('demo/2')).toEqual(['failed', '', 0]);
  expect(await found('demo/99')).toEqual(['none', '', 0]);
  expect(await found('a/b/c/d')).toEqual(['', expect.stringMatching(/^usage: invalid BUILD/), 2]);
});
