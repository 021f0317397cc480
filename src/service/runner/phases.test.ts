import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import {
  isRunning,
  manualTimers,
  run,
  seen,
  start,
  useFolder,
  type JobOptions,
} from '../../../test/support/job.ts';
import type { ReadyPlugin } from '../plugins/plugin.ts';
import type { PluginSource } from './job-run.ts';
import { usualRunOptions } from '../run-options.ts';

/** Writes executable files to a directory. */
function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { mode: 0o755 });
  }
}

const hook = (name: string): string => `.buildkite/hooks/${name}`;

/** A directory with these repository hooks. */
function withHooks(hooks: Readonly<Record<string, string>>): { cwd: string } {
  const cwd = useFolder();
  for (const [name, text] of Object.entries(hooks)) write(cwd, { [hook(name)]: text });
  return { cwd };
}

/** A job with these plugins; a name that starts with `./` is in the repository. */
function withPlugins(
  hooks: Readonly<Record<string, Readonly<Record<string, string>>>>,
  cwd = useFolder(),
): JobOptions & { cwd: string } {
  const cache = useFolder();
  for (const [name, files] of Object.entries(hooks))
    for (const [file, text] of Object.entries(files))
      write(join(name.startsWith('.') ? cwd : cache, name, 'hooks'), { [file]: text });
  const ready = (source: string): ReadyPlugin => ({
    name: source.replace(/^\.\//, ''),
    isOfRepository: source.startsWith('.'),
    folder: source.startsWith('.') ? source : join(cache, source),
    env: { BUILDKITE_PLUGIN_NAME: source.replace(/\W/g, '').toUpperCase() },
  });
  return {
    cwd,
    plugins: {
      uses: Object.keys(hooks).map((source) => ({ source, config: null })),
      policy: usualRunOptions.plugins,
      from: null,
    },
    runner: {
      plugins: {
        cache,
        prepare: ({ uses }) => Promise.resolve(uses.map(({ source }) => ready(source))),
      },
    },
  };
}

/** The lines that scripts printed, without those around them. */
const said = (text: string): string[] => text.split(/\r?\n/).filter((line) => /^\w/.test(line));

const names = [
  ...['environment', 'pre-checkout', 'post-checkout', 'pre-command', 'post-command'],
  ...['pre-artifact', 'post-artifact', 'pre-exit'],
];

const saying = (who: string): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, `echo "${who} ${name}"`]));

test('runs the phases in the order of the public agent', async () => {
  const bin = useFolder();
  write(bin, { 'buildkite-agent': '#!/bin/sh\necho "upload $*"' });
  const { cwd } = withHooks(saying('repository'));
  const more = withPlugins({ './own': saying('own'), first: saying('first') }, cwd);
  const env = { BUILDKITE_ARTIFACT_PATHS: 'a;b' };
  const { text, exitStatus } = await run('echo command', { ...more, env, path: [bin] });
  expect(exitStatus).toBe(0);
  expect(said(text)).toEqual([
    ...['repository environment', 'first environment'],
    ...['repository pre-checkout', 'first pre-checkout'],
    ...['repository post-checkout', 'first post-checkout', 'own environment'],
    ...['repository pre-command', 'first pre-command', 'own pre-command', 'command'],
    ...['repository post-command', 'first post-command', 'own post-command'],
    ...['repository pre-artifact', 'first pre-artifact', 'own pre-artifact'],
    'upload artifact upload a;b',
    ...['repository post-artifact', 'first post-artifact', 'own post-artifact'],
    ...['repository pre-exit', 'first pre-exit', 'own pre-exit'],
  ]);
});

test('each phase has a header in the log', async () => {
  const more = withPlugins({ docker: { 'pre-command': 'printf half' } });
  const { log } = await run('echo ran', more);
  expect(log).toMatch(
    /^~~~ Preparing plugins\n~~~ Running plugin docker pre-command hook\n.*\[90m\$.* \/.*\/docker\/hooks\/pre-command\nhalf\n~~~ Running commands\n.*\$.* echo ran\nran\n$/,
  );
});

test('the log shows the command without its secrets, and how it failed', async () => {
  const command = 'TOKEN=open-sesame\nexit 42';
  const { log } = await run(command, { env: { API_TOKEN: 'open-sesame' } });
  expect(log).toBe(
    '~~~ Running commands\n\x1b[90m$\x1b[0m TOKEN=[REDACTED]\nexit 42\n' +
      '^^^ +++\n\x1b[31m🚨 Error: The command exited with status 42\x1b[0m\n',
  );
});

test('exports, removals and directory changes of a hook apply afterwards', async () => {
  const more = withHooks({
    'pre-command': `set -euo pipefail
export A="one
two" B=new
unset C
say() { echo "function $1"; }
export -f say
mkdir -p sub && cd sub
local_only=1`,
    'post-command': 'echo "post $B $PWD"',
  });
  const { text } = await run('echo "$A.$B.${C-gone}.${local_only-none}"; say x; echo "$PWD"', {
    ...more,
    env: { B: 'old', C: 'there' },
  });
  expect(text).toContain('one\ntwo.new.gone.none\nfunction x\n');
  expect(text).toContain(`\n${more.cwd}/sub\n`);
  expect(text).toContain(`post new ${more.cwd}/sub\n`);
});

test('a variable with a name invalid in shells survives a hook', async () => {
  const more = withHooks({ 'pre-command': '#!/bin/sh\ntrue' });
  const { text } = await run('printenv a.b', { ...more, env: { 'a.b': 'dotted' } });
  expect(said(text)).toEqual(['dotted']);
});

test('a hook that replaces its shell loses its exports, with a notice', async () => {
  const more = withHooks({ 'pre-command': 'export A=1; exit 0' });
  const { text, exitStatus } = await run('echo "A=${A-none}"', more);
  expect(exitStatus).toBe(0);
  expect(text).toMatch(/its exports are lost[^]*A=none/);
});

test("a plugin can run docker with a terminal and the job's variables", async () => {
  const bin = useFolder();
  const docker = `#!/bin/sh
test -t 0 && test -t 1 && exec echo "docker $*"
echo 'the input device is not a TTY' && exit 1`;
  write(bin, { docker });
  const command = `args=(run -t -i)
while read -r line; do args+=(--env "\${line%%=*}"); done < "$BUILDKITE_ENV_FILE"
docker "\${args[@]}" alpine`;
  const env = { MULTI: 'a\nb', 'B-C': '' };
  const more = { ...withPlugins({ docker: { command } }), path: [bin], env, tty: true };
  const { text, exitStatus } = await run('', more);
  expect(exitStatus, text).toBe(0);
  expect(text).toMatch(/docker run -t -i .*--env MULTI --env B-C alpine\r\n/);
});

test("a plugin's variables are visible only to its own hooks", async () => {
  const show = 'echo "name ${BUILDKITE_PLUGIN_NAME-none}"';
  const { cwd } = withHooks({ 'pre-command': show });
  const more = withPlugins({ a: { 'pre-command': show }, b: { 'pre-command': show } }, cwd);
  const { text } = await run(show, more);
  expect(said(text)).toEqual(['name none', 'name A', 'name B', 'name none']);
});

test('a hook knows its phase and how the command and the previous hook ended', async () => {
  const show =
    'echo "$BUILDKITE_HOOK_PHASE command ${BUILDKITE_COMMAND_EXIT_STATUS-none} last ${BUILDKITE_LAST_HOOK_EXIT_STATUS-none}"';
  const more = withHooks({ 'pre-command': show, 'post-command': show, 'pre-exit': show });
  const { text, exitStatus } = await run('exit 3', more);
  expect(exitStatus).toBe(3);
  expect(said(text)).toEqual([
    ...['pre-command command none last none', 'post-command command 3 last 0'],
    'pre-exit command 3 last 0',
  ]);
});

test.each([
  ['pre-command', 'exit 5', 'exit 0', 5, ['pre-exit']],
  ['pre-command', 'return 4', 'exit 0', 4, ['pre-exit']],
  ['pre-command', 'set -e; false; true', 'exit 0', 1, ['pre-exit']],
  ['pre-command', 'false; true', 'exit 2', 2, ['post-command', 'pre-exit']],
  ['post-command', 'exit 9', 'exit 4', 9, ['pre-exit']],
  ['pre-exit', 'exit 8', 'exit 3', 8, ['post-command']],
  ['post-checkout', 'exit 6', 'exit 0', 6, ['pre-exit']],
])('a %s hook with %j before %j: %i', async (name, script, command, status, others) => {
  const more = withHooks({
    ...{ 'post-command': 'echo "post-command"', 'pre-exit': 'echo "pre-exit"' },
    [name]: script,
  });
  const { text, exitStatus } = await run(command, more);
  expect(exitStatus).toBe(status);
  expect(said(text)).toEqual(others);
  const complaint = `The repository ${name} hook exited with status ${status}`;
  if (status !== 2) expect(text).toContain(complaint);
});

test("a command hook replaces the command, a plugin's before all others", async () => {
  const { cwd } = withHooks({ command: 'echo "repository $BUILDKITE_COMMAND"; exit 6' });
  const env = { BUILDKITE_COMMAND: 'echo no' };
  const own = await run('echo no', { cwd, env });
  expect([said(own.text), own.exitStatus]).toEqual([['repository echo no'], 6]);
  const more = withPlugins({ a: { command: 'echo "plugin a"' } }, cwd);
  const plugin = await run('', { ...more, env });
  expect([said(plugin.text), plugin.exitStatus]).toEqual([['plugin a'], 0]);
});

test("runs the step's command even if a hook changes its variable, but a command hook sees the change", async () => {
  const hooks = { 'pre-command': 'export BUILDKITE_COMMAND="other"' };
  const env = { BUILDKITE_COMMAND: 'echo own' };
  const own = await run('echo own', { ...withHooks(hooks), env });
  expect(said(own.text)).toEqual(['own']);
  const more = withHooks({ ...hooks, command: 'echo "hook $BUILDKITE_COMMAND"' });
  expect(said((await run('echo own', { ...more, env })).text)).toEqual(['hook other']);
});

test('a step with neither a command nor a command hook fails despite plugins', async () => {
  const { text, exitStatus } = await run('', withPlugins({ a: { environment: 'echo env' } }));
  expect(exitStatus).toBe(1);
  expect(text).toContain('the step has no command, and none of its plugins has a command hook');
});

test('a step whose plugins are all skipped passes with a notice', async () => {
  const more = withPlugins({ a: { command: 'echo a' } });
  const plugins = { cache: '/', prepare: () => Promise.resolve([]) };
  const { text, exitStatus } = await run('', { ...more, runner: { plugins } });
  expect(exitStatus).toBe(0);
  expect(text).toContain('cictl: nothing to run');
});

test('a plugin that cannot be fetched fails the job with the reason', async () => {
  const more = withPlugins({ a: { command: 'echo a' } });
  const prepare = () => Promise.reject(new Error('cannot fetch plugin a: no such tag'));
  const outcome = await run('', { ...more, runner: { plugins: { cache: '/', prepare } } });
  expect(outcome).toMatchObject({ exitStatus: -1, signalReason: 'process_run_error' });
  expect(outcome.text).toBe(
    '~~~ Preparing plugins\ncictl: cannot run the job: cannot fetch plugin a: no such tag\n',
  );
});

test('cancel aborts the fetching of plugins', async () => {
  const more = withPlugins({ a: { command: 'echo a' } });
  const plugins: PluginSource = {
    cache: '/',
    prepare: ({ signal }) =>
      new Promise((_, reject) => {
        const end = (): void => reject(new Error('ended'));
        // The job may be canceled before.
        if (signal.aborted) end();
        signal.addEventListener('abort', end);
      }),
  };
  const job = start('', { ...more, runner: { plugins } });
  await seen(job, 'Preparing');
  job.cancel();
  expect(await job.done).toMatchObject({ signalReason: 'cancel' });
  expect(job.text()).toBe('~~~ Preparing plugins\ncictl: canceled\n');
});

test('a hook whose variables cannot be stored fails', async () => {
  const script = 'for n in $(seq 40); do export "V$n=$(printf "%0120000d" 0)"; done';
  const { text, exitStatus } = await run('echo "ran"', withHooks({ 'pre-command': script }));
  expect(exitStatus).toBe(1);
  expect(text).toMatch(/Argument list too long[^]*hook exited with status 1/);
});

test('a checkout hook runs in its own empty directory', async () => {
  const own = useFolder();
  const more = withPlugins({ a: { checkout: 'echo made > file; pwd' } });
  const checkout = {
    make: () => Promise.reject(new Error('not wanted')),
    empty: () => Promise.resolve(own),
    source: own,
  };
  const command = 'cat file; echo "at $BUILDKITE_BUILD_CHECKOUT_PATH"';
  const { text } = await run(command, { ...more, checkout });
  expect(text).toContain(`\n${own}\n`);
  expect(said(text)).toEqual(['made', `at ${own}`]);
});

test('a failed checkout fails the job, and pre-exit runs', async () => {
  const { cwd } = withHooks({ 'pre-exit': 'echo "last"' });
  const checkout = {
    make: () => Promise.reject(new Error('no such commit')),
    empty: () => Promise.resolve(cwd),
    source: cwd,
  };
  const outcome = await run('echo ran', { cwd, checkout });
  expect(outcome).toMatchObject({ exitStatus: -1, signalReason: 'process_run_error' });
  expect(outcome.text).toMatch(/last[^]*cictl: cannot run the job: no such commit\n$/);
  expect(outcome.text).not.toContain('ran\n');
});

test('a hook that changes to a missing directory fails with one line', async () => {
  const more = withHooks({ 'pre-command': 'mkdir gone && cd gone && rmdir ../gone' });
  const { text, exitStatus } = await run('echo ran', more);
  expect(exitStatus).toBe(1);
  expect(text).toContain(
    `The repository pre-command hook changed to ${more.cwd}/gone, which does not exist`,
  );
  expect(said(text)).toEqual([]);
});

test.each([
  ['leaves no folder', 'mkdir gone && cd gone && rmdir ../gone', /changed to .*gone/],
  ['has no interpreter', '#!/no/such/program', /cannot run: .*first line/],
])('a hook that %s is one line in the log, before pre-exit', async (_, script, reason) => {
  const more = withHooks({ 'pre-command': script, 'pre-exit': 'echo "last"' });
  const { text, exitStatus } = await run('echo ran', more);
  expect(exitStatus).toBe(1);
  const complaints = text.split(/\r?\n/).filter((line) => /Error|cictl:/.test(line));
  expect(complaints).toEqual([expect.stringMatching(reason)]);
  expect(complaints[0]).toContain('The repository pre-command hook ');
  expect(text.indexOf('Error')).toBeLessThan(text.indexOf('last'));
});

test('a directory named like a hook fails the job with one line', async () => {
  const { cwd } = withHooks({});
  mkdirSync(join(cwd, hook('pre-command')), { recursive: true });
  const { text, exitStatus } = await run('echo ran', { cwd });
  expect(exitStatus).toBe(1);
  expect(text).toContain('The repository pre-command hook cannot run: it is a directory');
});

test('a hook read by bash needs no execute bit', async () => {
  const more = withHooks({ 'pre-command': 'export A=3' });
  chmodSync(join(more.cwd, hook('pre-command')), 0o644);
  expect(said((await run('echo "A=$A"', more)).text)).toEqual(['A=3']);
});

test('a hook for another interpreter and a binary run as programs', async () => {
  const more = withHooks({
    'pre-command': '#!/usr/bin/env node\nconsole.log("node", process.env.BUILDKITE_HOOK_PHASE)',
  });
  copyFileSync('/bin/true', join(more.cwd, hook('post-command')));
  const { text, exitStatus } = await run('echo ran', more);
  expect([said(text), exitStatus]).toEqual([['node pre-command', 'ran'], 0]);
});

test('a program without the execute bit fails the job with one line', async () => {
  const more = withHooks({ 'pre-command': '#!/usr/bin/env node\n' });
  chmodSync(join(more.cwd, hook('pre-command')), 0o644);
  const outcome = await run('echo ran', more);
  expect(outcome).toMatchObject({ exitStatus: 1 });
  expect(outcome.text).toMatch(/pre-command hook is not executable; run: chmod \+x/);
  expect(outcome.text.match(/Error|cictl:/g)).toHaveLength(1);
});

test('a hook for sh runs in sh, with the flags of its first line', async () => {
  const more = withHooks({ 'pre-command': '#!/bin/sh -eu\nexport A=7\nfalse\necho on' });
  const { text, exitStatus } = await run('echo ran', more);
  expect([said(text), exitStatus]).toEqual([[], 1]);
});

test('redacts a value that a hook exports under a secret name', async () => {
  const more = withHooks({ environment: '', 'pre-command': 'export A_TOKEN=open-sesame' });
  const { text } = await run('echo "is $A_TOKEN"', more);
  expect(text).toContain('is [REDACTED]\n');
});

test("a hook's background process lives until the job ends", async () => {
  const more = withHooks({ 'pre-command': 'sleep 1000 > /dev/null 2>&1 & export CHILD=$!' });
  const { text } = await run('kill -0 "$CHILD" && echo "alive $CHILD"', more);
  const child = /alive (\d+)/.exec(text)?.[1] ?? '';
  expect(child).not.toBe('');
  expect(isRunning(child)).toBe(false);
});

test.each(['pre-command', 'command', 'post-command', 'pre-exit'])(
  'cancel during the %s hook runs only pre-exit',
  async (name) => {
    const more = withHooks({
      'pre-exit': 'echo "last"',
      [name]: 'echo "now"; sleep 1000; echo "no"',
    });
    const job = start('echo "command"', more);
    await seen(job, '\nnow');
    job.cancel();
    expect(await job.done).toMatchObject({ signalReason: 'cancel' });
    const before = name === 'post-command' || name === 'pre-exit' ? ['command'] : [];
    const after = name === 'pre-exit' ? [] : ['last'];
    expect(said(job.text())).toEqual([...before, 'now', ...after, 'cictl: canceled']);
  },
);

test('a timeout covers all phases', async () => {
  const timers = manualTimers();
  const more = withHooks({ 'pre-command': 'echo "now"; sleep 1000', 'pre-exit': 'echo "last"' });
  const job = start('echo "no"', { ...more, timeout: 60_000, runner: { timers } });
  await seen(job, '\nnow');
  timers.move(60_000);
  expect(await job.done).toMatchObject({ timedOut: true, signal: 'SIGTERM' });
  expect(said(job.text())).toEqual(['now', 'last', 'cictl: stopped after its timeout of 60 s']);
});

test('kills final hooks that exceed the remaining time', async () => {
  const timers = manualTimers();
  const more = withHooks({ 'pre-exit': 'trap "" TERM; echo "last"; while :; do sleep 0.01; done' });
  const job = start('echo "ready"; sleep 1000', { ...more, runner: { timers } });
  await seen(job, 'ready');
  job.cancel();
  await seen(job, '\nlast');
  timers.move(10_000);
  expect(await job.done).toMatchObject({ signalReason: 'cancel' });
});

test('a killed job runs no more hooks', async () => {
  const more = withHooks({ 'pre-command': 'echo "now"; sleep 1000', 'pre-exit': 'echo "last"' });
  const job = start('echo "no"', more);
  await seen(job, '\nnow');
  job.kill();
  expect(await job.done).toMatchObject({ signal: 'SIGKILL', signalReason: 'agent_stop' });
  expect(said(job.text())).toEqual(['now']);
});
