/** A report in a real browser, off its file: with texts that would like to be more than text. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Job } from '../../src/api/resources/job.ts';
import { displays, hasBrowser, nameOfDisplay, useBrowser } from '../support/browser.ts';
import { cictl } from '../support/cli.ts';
import { useHome } from '../support/home.ts';

const at = (second: number): string =>
  new Date(Date.UTC(2026, 10, 20, 10, 0, second)).toISOString();

const hostile = [
  '<script>alert(1)</script>',
  '<img src=https://elsewhere.example/x onerror=alert(1)>',
  '"><svg onload=alert(1)>',
  "' onmouseover='alert(1)",
  '</title></style><style>*{background:url(https://elsewhere.example/y)}</style>',
  '--></details></div><h1>not ours',
  'javascript:alert(1)',
  '\u202etxet desrever\u2028',
  'W'.repeat(400),
];

const jobs = hostile.map((name, index): Job => {
  const id = `0190046e-e199-453b-a302-00000000000${index}`;
  const isOver = {
    state: index % 2 === 0 ? 'failed' : 'passed',
    exit_status: index % 2 === 0 ? 1 : 0,
  };
  return {
    ...{ id, type: 'script', name, step_key: name, command: name, ...isOver },
    ...{ group_key: index > 5 ? name : null, signal: index === 0 ? name : null },
    ...{ web_url: index === 6 ? 'javascript:alert(1)' : `https://ci.example/acme/web/7#${id}` },
    ...{ agent: { id: 'a', name, web_url: name } },
    ...{ created_at: at(0), runnable_at: at(index), started_at: at(2 * index + 1) },
    ...{ finished_at: at(4 * index + 3) },
  };
});

const log = [
  '~~~ Preparing',
  ...hostile,
  '+++ Tests \x1b[31m<b>\x1b[0m',
  ...hostile.map(
    (text) => `\x1b[38;5;202m${text}\x1b[0m \x1b]8;;javascript:alert(1)\x07link\x1b]8;;\x07`,
  ),
  '\x1b]1338;url=https://elsewhere.example/z.png;alt=picture\x07',
  'Error: expected 4, got 5',
].join('\n');

const build = {
  ...{ number: 7, state: 'failed', message: hostile.join('\n'), branch: hostile[2] },
  ...{
    commit: hostile[1],
    source: hostile[0],
    creator: { name: hostile[4], avatar_url: 'https://elsewhere.example/a.png' },
  },
  ...{
    created_at: at(0),
    started_at: at(0),
    finished_at: at(40),
    web_url: 'https://me:password@ci.example/acme/web/7',
  },
  jobs,
};

const annotations = hostile.map((body_html, index) => ({
  ...{ id: String(index), context: body_html, style: index === 0 ? 'error' : body_html },
  body_html: `<p style="position:fixed;inset:0">${body_html}</p><a href="javascript:alert(1)">x</a>`,
}));

/** Writes the report of that build, and gives the address of its file. */
async function writtenReport(): Promise<string> {
  const server = createServer(({ url = '' }, out) => {
    const isLog = url.endsWith('/log.txt');
    out.writeHead(200, { 'content-type': isLog ? 'text/plain' : 'application/json' });
    out.end(isLog ? log : JSON.stringify(url.includes('/annotations') ? annotations : build));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  const home = await useHome();
  const port = (server.address() as AddressInfo).port;
  const env = { CICTL_BASE_URL: `http://127.0.0.1:${port}`, CICTL_TOKEN: 'token-of-a-test' };
  const args = ['builds', 'report', 'acme/web/7', '--logs', 'all', '-O', 'report.html'];
  const { exitCode, stderr } = await cictl(args, { home, env });
  expect(exitCode, stderr).toBe(0);
  return pathToFileURL(join(home.cwd, 'report.html')).href;
}

describe.skipIf(!hasBrowser)('a report', () => {
  const browser = useBrowser();

  test('runs nothing, loads nothing, stays in its boxes, and shuts nobody out', async () => {
    const address = await writtenReport();
    for (const display of displays.filter(({ scripts }) => scripts)) {
      const visit = await browser.visit({ display });
      visit.expectOrigin(address);
      await visit.open(address);
      await visit.shoot(`report/${nameOfDisplay(display)}`);
      const found = [...(await visit.problems()), ...(await visit.accessibilityProblems())];
      expect(found, nameOfDisplay(display)).toEqual([]);
      await visit.close();
    }
  });

  test('leads from a job to its log and to the lines that say why', async () => {
    const address = await writtenReport();
    const visit = await browser.visit();
    visit.expectOrigin(address);
    await visit.open(address);
    await visit.page.locator('#jobs a').first().click();
    const first = visit.page.locator('.report-log').first();
    expect(new URL(visit.page.url()).hash).toBe(`#${(await first.getAttribute('id')) ?? ''}`);
    expect(await first.locator('.lines').isVisible()).toBe(true);
    expect(await visit.page.locator('.failure mark').first().textContent()).toContain('expected 4');
    await visit.close();
  });
});
