/**
 * `--web` of the view commands with the built-in service: starts it if it is stopped, and signs in.
 */
import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { pipelineIn } from '../run/pipelines.ts';
import { cictl } from '../support/cli.ts';
import { freePort } from '../support/free-port.ts';
import { createHome, type Home } from '../support/home.ts';
import { follow } from '../support/sign-in.ts';

let home: Home;
let url: string;

const steps = `
steps:
  - { key: unit, command: cictl annotate lint --context lint }
  - { key: look, command: 'cictl builds view --web=print' }
  - { block: Go, key: go }
`;

beforeAll(async () => {
  home = await createHome();
  await pipelineIn(home, 'demo', steps);
  // A test stops the service and takes its port.
  const up = ['local', 'up', '--port', String(await freePort())];
  url = (await cictl(up, { home })).stdout.trim();
  const ran = await cictl(['run', 'demo'], { home });
  expect(ran.exitCode, ran.stderr).toBe(4);
});

afterAll(async () => {
  await cictl(['local', 'down'], { home });
  await home.remove();
});

/** The output of `--web=print`; an existing browser would be started. */
const printed = (...args: string[]) =>
  cictl([...args, '--web=print', '--profile', 'local'], {
    home,
    env: { BROWSER: '/nowhere/browser' },
  });

async function jobs() {
  const { stdout } = await cictl(['job', 'list', 'demo/1', '--json'], { home });
  return JSON.parse(stdout) as { id: string; step_key: string | null; type: string }[];
}

test.each([
  [['builds', 'view', 'demo/1'], /^\/local\/demo\/builds\/1$/],
  [['job', 'view', 'demo/1#unit'], /^\/local\/demo\/builds\/1#[\w-]+$/],
  [['job', 'view', 'demo/1#go'], /^\/local\/demo\/builds\/1#[\w-]+$/],
  [
    ['annotations', 'view', 'lint', '--build', 'demo/1'],
    /^\/local\/demo\/builds\/1#annotation-[\w-]+$/,
  ],
])('%j --web=print signs in and opens the page', async (args, page) => {
  const { stdout, stderr, exitCode } = await printed(...args);
  expect([exitCode, stderr]).toEqual([0, '']);
  const address = new URL(stdout);
  expect(address.origin + address.pathname).toBe(`${url}/-/sign-in`);
  expect(address.searchParams.get('to')).toMatch(page);
  const look = await follow(stdout.trim());
  expect((await look(address.searchParams.get('to') ?? '')).status).toBe(200);
});

test('a job, whose token cannot sign in, gets the plain URL', async () => {
  const job = (await jobs()).find(({ step_key: key }) => key === 'look');
  const { stdout } = await cictl(['job', 'log', `demo/1#${job?.id ?? ''}`], { home });
  expect(stdout).toContain(`${url}/local/demo/builds/1\n`);
  expect(stdout).not.toContain('sign-in');
});

test('a missing page exits with 7 and prints nothing', async () => {
  const { exitCode, stdout } = await printed('builds', 'view', 'demo/9');
  expect([exitCode, stdout]).toEqual([7, '']);
});

test('starts nothing without --web', async () => {
  await cictl(['local', 'down'], { home });
  const { exitCode } = await cictl(['builds', 'view', 'demo/1', '--profile', 'local'], { home });
  expect(exitCode).toBe(9);
});

test('starts a stopped service, on another port if its own is taken', async () => {
  await cictl(['local', 'down'], { home });
  const other = createServer().listen(Number(new URL(url).port), '127.0.0.1');
  onTestFinished(() => void other.close());
  await new Promise((listening) => other.once('listening', listening));
  const { stdout, stderr, exitCode } = await printed('builds', 'view', 'demo/1');
  expect([exitCode, stderr]).toEqual([0, 'started the local service; profile "local" uses it\n']);
  expect(new URL(stdout).origin).not.toBe(url);
  const look = await follow(stdout.trim());
  expect((await look('/local/demo/builds/1')).status).toBe(200);
});
