/** `builds view --web` with the opener of the platform. */
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cictl } from '../support/cli.ts';
import { useHome, type Home } from '../support/home.ts';
import { serve } from '../support/server.ts';

const isLinux = process.platform === 'linux';
const path = '/v2/organizations/acme/pipelines/web/builds/8';
const address = 'https://ci.example/acme/web/builds/8?a=$(id)&b=1';

/** With a PATH on which there is nothing but what the test puts into `home.cwd`. */
async function view(home: Home) {
  const answer = { json: { id: 'x', number: 8, state: 'passed', web_url: address } };
  const { url } = await serve([{ path, answer }]);
  const env = { CICTL_BASE_URL: url, CICTL_TOKEN: 't', PATH: home.cwd, BROWSER: undefined };
  return cictl(['builds', 'view', 'acme/web/8', '--web'], { home, env });
}

test.runIf(isLinux)('gives the address to xdg-open, as one argument', async () => {
  const home = await useHome();
  const [opener, seen] = [join(home.cwd, 'xdg-open'), join(home.cwd, 'seen')];
  await writeFile(opener, `#!/bin/sh\nprintf '%s\\n' "$@" > ${seen}\n`);
  await chmod(opener, 0o755);
  expect(await view(home)).toMatchObject({ stdout: '', stderr: '', exitCode: 0 });
  await expect.poll(() => readFile(seen, 'utf8').catch(() => '')).toBe(`${address}\n`);
});

test.runIf(isLinux)('says how to name a browser where the system has none', async () => {
  const { stderr, exitCode } = await view(await useHome());
  expect(stderr).toBe(
    `cictl: no browser could be started for ${address}: xdg-open is missing\n  try: set BROWSER to a program\n`,
  );
  expect(exitCode).toBe(10);
});
