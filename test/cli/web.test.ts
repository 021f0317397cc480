/** `--web` of the view commands: prints the URL, or opens it. */
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { builtCictl as cictl } from '../support/cli.ts';
import { useHome, type Home } from '../support/home.ts';
import { serve } from '../support/server.ts';

const isLinux = process.platform === 'linux';
const path = '/v2/organizations/acme/pipelines/web/builds/8';
const address = 'https://ci.example/acme/web/builds/8?a=$(id)&b=1';

/** The PATH only contains what the test puts into `home.cwd`. */
async function view(home: Home) {
  const answer = { json: { id: 'x', number: 8, state: 'passed', web_url: address } };
  const { url } = await serve([{ path, answer }]);
  const env = { CICTL_BASE_URL: url, CICTL_TOKEN: 't', PATH: home.cwd, BROWSER: undefined };
  return cictl(['builds', 'view', 'acme/web/8', '--web'], { home, env });
}

test.runIf(isLinux)('passes the URL to xdg-open as one argument', async () => {
  const home = await useHome();
  const [opener, seen] = [join(home.cwd, 'xdg-open'), join(home.cwd, 'seen')];
  await writeFile(opener, `#!/bin/sh\nprintf '%s\\n' "$@" > ${seen}\n`);
  await chmod(opener, 0o755);
  expect(await view(home)).toMatchObject({ stdout: `${address}\n`, stderr: '', exitCode: 0 });
  await expect.poll(() => readFile(seen, 'utf8').catch(() => '')).toBe(`${address}\n`);
});

test.runIf(isLinux)('explains how to set a browser if the system has none', async () => {
  const { stderr, exitCode } = await view(await useHome());
  expect(stderr).toBe(
    `cictl: cannot start a browser for ${address}: xdg-open is missing\n  try: export BROWSER=PROGRAM\n`,
  );
  expect(exitCode).toBe(10);
});

const id = '0190046e-e199-453b-a302-000000000001';
const build = {
  ...{ id: 'x', number: 8, state: 'passed', web_url: 'https://ci.example/acme/web/builds/8' },
  jobs: [
    { id, name: 'Unit', state: 'passed', web_url: 'https://ci.example/acme/web/builds/8#unit' },
    { id: 'block', type: 'manual', label: 'Release?', state: 'blocked', web_url: null },
  ],
};
const annotation = { id: 'a 1', context: 'lint', style: 'info', body_html: 'x' };

async function printed(args: readonly string[], json: object = build) {
  const annotations = { path: `${path}/annotations?per_page=100`, answer: { json: [annotation] } };
  const { url } = await serve([
    ...(args[0] === 'annotations' ? [annotations] : []),
    { path, answer: { json } },
  ]);
  // An existing browser would be started.
  const env = { CICTL_BASE_URL: url, CICTL_TOKEN: 't', BROWSER: '/nowhere/browser' };
  return cictl([...args, '--web=print'], { env });
}

test.each([
  [['builds', 'view', 'acme/web/8'], '/acme/web/builds/8'],
  [['job', 'view', `acme/web/8#${id}`], '/acme/web/builds/8#unit'],
  [['job', 'view', 'acme/web/8#Release?'], '/acme/web/builds/8#block'],
  [['annotations', 'view', 'lint', '--build', 'acme/web/8'], '/acme/web/builds/8#annotation-a%201'],
])('%j --web=print prints the URL and opens nothing', async (args, page) => {
  expect(await printed(args)).toMatchObject({
    ...{ stdout: `https://ci.example${page}\n`, stderr: '', exitCode: 0 },
  });
});

test('exits with 7 if there is no page', async () => {
  const { exitCode, stdout, stderr } = await printed(['builds', 'view', 'acme/web/8'], {
    number: 8,
  });
  expect([exitCode, stdout]).toEqual([7, '']);
  expect(stderr).toBe('cictl: build acme/web/8 has no web URL\n');
});

test.each([
  [['builds', 'view', '8', '--web=open'], '--web must be one of print, not "open"'],
  [['builds', 'list', '--web=print'], 'unknown flag --web'],
  [['job', 'log', '--web=print'], 'unknown flag --web'],
])('%j exits with 2', async (args, words) => {
  const { exitCode, stderr } = await cictl(args);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(words);
});
