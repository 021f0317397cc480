import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openBrowser, browserCommand } from './browser.ts';
import { timeLimit } from '../../test/support/time-limit.ts';

async function browser(): Promise<{ path: string; opened: () => Promise<string> }> {
  const folder = await mkdtemp(join(tmpdir(), 'cictl-browser-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [path, trace] = [join(folder, 'browser'), join(folder, 'opened')];
  await writeFile(
    path,
    `#!/bin/sh\nprintf '%s' "$*" > ${trace}.part && mv ${trace}.part ${trace}\n`,
  );
  await chmod(path, 0o755);
  const opened = (): Promise<string> =>
    vi.waitFor(() => readFile(trace, 'utf8'), { timeout: timeLimit });
  return { path, opened };
}

test('passes the URL to the program in BROWSER as one argument', async () => {
  const { path, opened } = await browser();
  await openBrowser('https://ci.example/a?b=$(id)&c=1', { ...process.env, BROWSER: path });
  expect(await opened()).toBe('https://ci.example/a?b=$(id)&c=1');
});

test.each(['javascript:alert(1)', 'file:///etc/passwd', '--version', ''])(
  'does not open %j',
  async (address) => {
    await expect(openBrowser(address, { BROWSER: 'true' })).rejects.toThrow('is not a web URL');
  },
);

test('explains how to set a browser if there is none', async () => {
  const failure = openBrowser('https://ci.example/', { BROWSER: '/nowhere/browser' });
  await expect(failure).rejects.toMatchObject({
    kind: 'machine',
    hint: 'export BROWSER=PROGRAM',
  });
});

test.each([
  ['firefox', ['firefox', 'URL']],
  ['firefox --new-window', ['firefox', '--new-window', 'URL']],
  ['  w3m  ', ['w3m', 'URL']],
  ['open -a "Google Chrome"', ['open', '-a', 'Google Chrome', 'URL']],
  ["'/opt/my browser/run' -x", ['/opt/my browser/run', '-x', 'URL']],
  ['lynx -accept_all_cookies=%s -x', ['lynx', '-accept_all_cookies=URL', '-x']],
  [`"${process.execPath}"`, [process.execPath, 'URL']],
  ["it's", ["it's", 'URL']],
])('BROWSER=%s starts %j', (text, words) => {
  expect(browserCommand(text, 'URL')).toEqual(words);
});

test('does not interpret patterns in the URL', () => {
  expect(browserCommand('x %s', "https://a/?b=$&$'c%s")).toEqual(['x', "https://a/?b=$&$'c%s"]);
});
