/** Invisible characters in every log format. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { cictl } from '../support/cli.ts';
import { useHome } from '../support/home.ts';
import { cictlInTerminal, hasTerminal } from '../support/pty.ts';
import { sampled } from '../support/full.ts';

const id = '0190046e-e199-453b-a302-a21a4d649d31';
const build = '/v2/organizations/acme/pipelines/web/builds/7';
const job = `web/7#${id}`;

const all = [
  ...[0x061c, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e],
  ...[0x2066, 0x2067, 0x2068, 0x2069],
];
const hidden = String.fromCodePoint(...all);
const anyHidden = /[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;
const log = `--- te${hidden}st\nuser\u202enimda\u2066 \x1b[31mred${hidden}\x1b[0m\nlast${hidden}\n`;

const object = `{"content":"a\x7f\x80\x9b31m${hidden}é","size":3,"header_times":[1700000000123456789]}`;
const value = { content: `a\x7f\x80\x9b31m${hidden}é`, size: 3 };

const times = { started_at: '2026-11-20T10:00:00Z', finished_at: '2026-11-20T10:00:01Z' };
const failed = { id, type: 'script', name: 'test', state: 'failed', ...times };

const replies: Readonly<Record<string, [type: string, body: string]>> = {
  [build]: ['application/json', JSON.stringify({ number: 7, state: 'failed', jobs: [failed] })],
  [`${build}/annotations`]: ['application/json', '[]'],
  [`${build}/jobs/${id}/log`]: ['application/json', object],
  [`${build}/jobs/${id}/log.txt`]: ['text/plain', log],
};

/** A service with one failed build. */
async function useService(): Promise<Record<string, string>> {
  const server = createServer((request, response) => {
    const reply = replies[(request.url ?? '').replace(/\?.*/, '')];
    response.writeHead(reply ? 200 : 404, { 'content-type': reply?.[0] ?? 'application/json' });
    response.end(reply?.[1] ?? '{}');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const own = { CICTL_BASE_URL: url, CICTL_TOKEN: 'token-of-a-test', CICTL_ORG: 'acme' };
  return { ...own, CICTL_PAGER: '' };
}

const shown = async (args: readonly string[]): Promise<string> =>
  (await cictl([...args, '--no-cache'], { env: await useService() })).stdout;

sampled.each([
  ['text', ['--format', 'text']],
  ['ansi', ['--format', 'ansi']],
  ['html', ['--format', 'html']],
  ['with times', ['--timestamps', 'utc']],
  ['with --grep', ['--grep', '^usernimda red$']],
  ['of one section', ['--group', 'test']],
  ['its end', ['--tail', '2']],
  ['followed', ['--follow']],
])('job log never shows them: %s', async (_, flags) => {
  const stdout = await shown(['job', 'log', job, ...flags]);
  expect(stdout).not.toMatch(anyHidden);
  expect(stdout.replace(/<[^>]+>|\x1b\[\d*m/g, '')).toContain('usernimda red');
});

test.skipIf(!hasTerminal)('job log never shows them on a terminal', async () => {
  const options = { home: await useHome(), env: await useService() };
  const { screen } = await cictlInTerminal(['job', 'log', job, '--no-cache'], options);
  expect(screen).toContain('usernimda');
  expect(screen).not.toMatch(anyHidden);
});

test('a section has its clean name', async () => {
  expect(await shown(['job', 'log', job, '--groups'])).toMatch(/^test\t/);
});

sampled.each([[['--markdown']], [['-o', 'json']], [['-o', 'yaml']], [['-o', 'table']]])(
  'builds failures %j never shows them',
  async (flags) => {
    const stdout = await shown(['builds', 'failures', 'web/7', ...flags]);
    expect(stdout).toContain('usernimda');
    expect(stdout).not.toMatch(anyHidden);
  },
);

test('builds watch --logs never shows them', async () => {
  const stdout = await shown(['builds', 'watch', 'web/7', '--logs']);
  expect(stdout).toContain('usernimda');
  expect(stdout).not.toMatch(anyHidden);
});

test("raw contains the service's bytes", async () => {
  expect(await shown(['job', 'log', job, '--format', 'raw'])).toBe(log);
});

test('JSON has them as escapes in a pipe', async () => {
  const stdout = await shown(['job', 'log', job, '--json']);
  expect(stdout).not.toMatch(anyHidden);
  expect(stdout).toContain('1700000000123456789');
  expect(JSON.parse(stdout)).toMatchObject(value);
});

test.skipIf(!hasTerminal)('JSON has them as escapes on a terminal', async () => {
  const options = { home: await useHome(), env: await useService() };
  const { screen } = await cictlInTerminal(['job', 'log', job, '--no-cache', '--json'], options);
  expect(screen).not.toMatch(anyHidden);
  expect(JSON.parse(screen)).toMatchObject(value);
});
