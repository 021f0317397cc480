/** What a job reads and changes with `buildkite-agent`: itself, its steps and its build. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pipelineIn } from '../run/pipelines.ts';
import { cictl } from '../support/cli.ts';
import { useHome } from '../support/home.ts';
import { runJob, runPipeline } from './jobs.ts';

test('steps are read and changed', async () => {
  const home = await useHome();
  const folder = await pipelineIn(
    home,
    'demo',
    `steps:
  - { key: before, label: soft, command: exit 3, soft_fail: true }
  - wait
  - { key: own, label: first, command: bash script }
  - wait
  - { key: later, label: later, command: 'buildkite-agent step get outcome --step own > outcome' }
`,
  );
  await writeFile(
    join(folder, 'script'),
    `exec > out
    buildkite-agent step get label
    buildkite-agent step get label --format json
    buildkite-agent step get outcome --step before
    buildkite-agent step get state --step later
    buildkite-agent step get | grep -o '"key":"own"'
    buildkite-agent step update label 'new'; buildkite-agent step get label
    echo ' more' | buildkite-agent step update label --append; buildkite-agent step get label
    buildkite-agent step update priority 7 --step later; buildkite-agent step get priority --step later
    buildkite-agent job update priority 3; echo $?
    for words in 'step get nope' 'step get label --step nope' 'step update command x' 'step update' \\
      'step update priority high' 'job update timeout 3' 'job update' 'step get label --build other'
    do buildkite-agent $words; echo $?; done`,
  );
  const { exitCode, log, file } = await runPipeline(home, folder);
  expect(exitCode).toBe(0);
  const lines = (await file('out')).split('\n');
  expect(lines.slice(0, 9)).toEqual([
    ...['first', '"first"', 'soft_failed', 'waiting_for_dependencies', '"key":"own"'],
    ...['new', 'new more', '7', '0'],
  ]);
  expect(lines.slice(9)).toEqual([...Array<string>(8).fill('1'), '']);
  expect(await file('outcome')).toBe('passed\n');
  expect(log).toContain('Steps have no attribute "nope" (id, key, label, type, state, outcome');
  expect(log).toContain('There is no step "nope" in this build');
  expect(log).toContain('The step attribute "command" cannot be changed; only label, priority');
  expect(log).toContain('priority must be an integer, not "high"');
  expect(log).toContain('The job attribute "timeout" cannot be changed; only priority can');
  expect(log).toContain('Missing attribute. See: `buildkite-agent job update --help`');
  expect(log).toMatch(/This token is only valid for build \S+/);
});

test('a step and the build are canceled', async () => {
  const home = await useHome();
  const folder = await pipelineIn(
    home,
    'demo',
    `steps:
  - { key: first, command: 'buildkite-agent step cancel --step other && buildkite-agent build cancel && sleep 60' }
  - { key: other, command: sleep 60, depends_on: never }
  - { key: never, command: sleep 60 }
`,
  );
  const { exitCode, log } = await runPipeline(home, folder);
  expect(exitCode).toBe(3);
  expect(log).toMatch(/Successfully cancelled step: [0-9a-f-]{36}/);
});

test('a forced cancel kills what ignores TERM after the grace period', async () => {
  const home = await useHome();
  const force = 'buildkite-agent step cancel --step other --force --force-grace-period-seconds';
  const folder = await pipelineIn(
    home,
    'demo',
    `steps:
  - { command: 'until [ -e ready ]; do sleep 0.05; done; ${force} soon || ${force} 0' }
  - { key: other, command: 'trap "" TERM; : > ready; for n in {1..50}; do sleep 0.1; done; : > survived' }
`,
  );
  const { log, file } = await runPipeline(home, folder);
  expect(log).toContain('invalid value "soon" for flag -force-grace-period-seconds');
  expect(log).toContain('Successfully cancelled step');
  await expect(file('survived')).rejects.toThrow('ENOENT');
});

test("the job's environment is read, and changed for later phases", async () => {
  const home = await useHome();
  const folder = await pipelineIn(
    home,
    'demo',
    `steps: [{ command: bash script, env: { OLD: old } }]`,
  );
  await mkdir(join(folder, '.buildkite', 'hooks'), { recursive: true });
  const hook = join(folder, '.buildkite', 'hooks', 'post-command');
  await writeFile(hook, '#!/bin/bash\necho "$NEW-$OLD-${CI:-none}" > seen\n', { mode: 0o755 });
  await writeFile(
    join(folder, 'script'),
    `exec > out
    buildkite-agent env get OLD
    buildkite-agent env get OLD CI
    buildkite-agent env get --format json OLD
    buildkite-agent env get | grep -c '^BUILDKITE_JOB_ID='
    buildkite-agent env set NEW=1 'OLD=a b'
    buildkite-agent env unset CI
    echo '{"NEW":"2"}' | buildkite-agent env set --input-format=json --output-format=json -
    buildkite-agent env set --output-format quiet NEW=3
    MINE=here buildkite-agent env dump | grep -o '"MINE":"here"'
    for words in 'env get NOPE' 'env set NAME' 'env set BUILDKITE_JOB_ID=x' 'env get --format xml'
    do buildkite-agent $words; echo $?; done`,
  );
  const { exitCode, log, file } = await runPipeline(home, folder);
  expect(exitCode).toBe(0);
  expect((await file('out')).split('\n')).toEqual([
    ...['old', 'CI=true', 'OLD=old', '{"OLD":"old"}', '1'],
    ...['Added:', '+ NEW', 'Updated:', '~ OLD', 'Unset:', '- CI'],
    ...['{"added":[],"updated":["NEW"]}', '"MINE":"here"', '1', '1', '1', '1', ''],
  ]);
  expect(await file('seen')).toBe('3-a b-none\n');
  expect(log).toContain('not set in the job environment: NOPE');
  expect(log).toContain('"NAME" is not in NAME=value format');
  expect(log).toContain('BUILDKITE_JOB_ID is read-only');
  expect(log).toContain('--format must be one of plain, json, json-pretty, not "xml"');
});

test('values added to the redactor do not appear in the log', async () => {
  const { log, exitCode } = await runJob(`
    echo first-hidden | buildkite-agent redactor add
    echo '{"a":"second-hidden","b":"third-hidden"}' > values
    buildkite-agent redactor add --format json values
    printf '{"MY_TOKEN":"fourth-hidden","plain":"fifth-shown"}' |
      buildkite-agent redactor add --format json --apply-vars-filter
    echo "<first-hidden> <second-hidden> <third-hidden> <fourth-hidden> <fifth-shown>"
    echo 'no json' | buildkite-agent redactor add --format json || echo "code $?"
    buildkite-agent redactor add nowhere || echo "code $?"
  `);
  expect(exitCode).toBe(0);
  expect(log).toContain('<[REDACTED]> <[REDACTED]> <[REDACTED]> <[REDACTED]> <fifth-shown>');
  expect(log).toContain('failed to parse secrets: the input must be a JSON object');
  expect(log).toContain('failed to read nowhere');
  expect(log.match(/code 1/g)).toHaveLength(2);
});

test('secrets of the run are available, and never shown', async () => {
  const home = await useHome();
  const folder = await pipelineIn(home, 'demo', 'steps: [{ command: bash script }]');
  await writeFile(join(home.cwd, 'secrets'), "DEPLOY_KEY=key-of-the-run\nOTHER='it is other'\n");
  await writeFile(
    join(folder, 'script'),
    `buildkite-agent secret get deploy_key > one
    buildkite-agent secret get DEPLOY_KEY OTHER > two
    buildkite-agent secret get --format json OTHER > json
    buildkite-agent secret get --format env deploy_key OTHER > env
    echo "<$(cat one)>"
    buildkite-agent secret get nope OTHER > none; echo $? > code`,
  );
  const args = ['run', '--secret-file', join(home.cwd, 'secrets')];
  const { stdout, stderr, exitCode } = await cictl(args, { home, cwd: folder });
  expect(exitCode).toBe(0);
  const file = (name: string): Promise<string> => readFile(join(folder, name), 'utf8');
  expect(await file('one')).toBe('key-of-the-run');
  expect(await file('two')).toBe('{"DEPLOY_KEY":"key-of-the-run","OTHER":"it is other"}\n');
  expect(await file('json')).toBe('{"OTHER":"it is other"}\n');
  expect(await file('env')).toBe("DEPLOY_KEY='key-of-the-run'\nOTHER='it is other'\n");
  expect(await file('code')).toBe('1\n');
  expect(await file('none')).toBe('');
  expect(stdout).toContain('<[REDACTED]>');
  expect(stdout + stderr).toContain('- secret "nope": No secret "nope" found');
});

test('secrets of the run are not stored with the build', async () => {
  const home = await useHome();
  const folder = await pipelineIn(home, 'demo', 'steps: [{ command: bash script, key: one }]');
  await writeFile(join(home.cwd, 'secrets'), 'PIN=secret-of-the-run\n');
  await writeFile(
    join(folder, 'script'),
    `exec > out
    given=$(buildkite-agent secret get PIN)
    buildkite-agent meta-data set k "<$given>"; buildkite-agent meta-data get k; echo
    buildkite-agent step update label "<$given>"; buildkite-agent step get label
    buildkite-agent annotate "it is ($given)"; cictl annotations list --json`,
  );
  const args = ['run', '--secret-file', join(home.cwd, 'secrets')];
  expect((await cictl(args, { home, cwd: folder })).exitCode).toBe(0);
  const out = await readFile(join(folder, 'out'), 'utf8');
  expect(out).not.toContain('secret-of-the-run');
  expect(out.split('\n').slice(0, 2)).toEqual(['<[REDACTED]>', '<[REDACTED]>']);
  expect(out).toContain('<p>it is ([REDACTED])</p>');
});

test('locks exclude jobs, and end with the job that holds them', async () => {
  const home = await useHome();
  const folder = await pipelineIn(
    home,
    'demo',
    `steps:
  - { command: 'buildkite-agent lock acquire left; buildkite-agent lock do begun' }
  - wait
  - { command: bash script }
`,
  );
  await writeFile(
    join(folder, 'script'),
    `exec > out
    buildkite-agent lock get left
    token=$(buildkite-agent lock acquire left)
    [ "$(buildkite-agent lock get left)" = "$token" ]; echo $?
    buildkite-agent lock acquire left --lock-wait-timeout 50ms; echo $?
    buildkite-agent lock release left other; echo $?
    buildkite-agent lock acquire left > second & waiting=$!
    buildkite-agent lock release left "$token"; echo $?
    wait $waiting; echo $?
    buildkite-agent lock do begun; buildkite-agent lock do begun > third & waiting=$!
    buildkite-agent lock done begun; echo $?
    wait $waiting; cat third
    buildkite-agent lock done begun; echo $?
    buildkite-agent lock acquire x --lock-scope all; echo $?
    buildkite-agent lock acquire x --lock-wait-timeout soon; echo $?`,
  );
  const { exitCode, log, file } = await runPipeline(home, folder);
  expect(exitCode).toBe(0);
  expect((await file('out')).split('\n')).toEqual([
    ...['', '0', '1', '1', '0', '0', 'do', '0', 'done', '1', '1', '1', ''],
  ]);
  expect(await file('second')).toMatch(/^acquired\(/);
  expect(log).toContain('could not acquire lock: still held after 50ms');
  expect(log).toContain('the lock "left" was acquired with another token');
  expect(log).toContain('the lock "begun" is not held by this job');
  expect(log).toContain('invalid value "soon" for flag -lock-wait-timeout');
});

test('rejects an identity token in clear words', async () => {
  const { log, file } = await runJob(
    'buildkite-agent oidc request-token --audience aws > out; echo $? > code',
  );
  expect(await file('code')).toBe('1\n');
  expect(await file('out')).toBe('');
  expect(log).toContain(
    'could not obtain OIDC token for audience aws: This service issues no OIDC tokens',
  );
});
