/** A report file in a real browser, with text that tries to be markup. */
import { readFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Job } from '../../src/api/resources/job.ts';
import { corpus } from '../log/corpus.ts';
import {
  displays,
  hasBrowser,
  nameOfDisplay,
  useBrowser,
  usualDisplay,
} from '../support/browser.ts';
import { harmProblems } from '../support/browser-layout.ts';
import type { Visit } from '../support/browser-visit.ts';
import { cictl } from '../support/cli.ts';
import { useHome } from '../support/home.ts';
import { hostileTexts } from './scene/hostile-texts.ts';

const at = (second: number): string =>
  new Date(Date.UTC(2026, 10, 20, 10, 0, second)).toISOString();

const hostile = Object.values(hostileTexts);

const jobs = hostile.map((name, index): Job => {
  const id = `0190046e-e199-453b-a302-${String(index).padStart(12, '0')}`;
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

const text = [
  '~~~ Preparing',
  ...hostile,
  '+++ Tests \x1b[31m<b>\x1b[0m',
  ...hostile.map((line) => `\x1b[38;5;202m${line}\x1b[0m ${linked('javascript:alert(1)')}`),
  '\x1b]1338;url=https://elsewhere.example/z.png;alt=picture\x07',
  'Error: expected 4, got 5',
].join('\n');

function linked(address: string): string {
  return `\x1b]8;;${address}\x07link\x1b]8;;\x07`;
}

/** Ordinary output for the first job, some malicious logs for each of the others. */
function logOf(index: number): Buffer {
  const logs = Object.values(corpus).filter((_, place) => place % jobs.length === index);
  return index === 0 ? Buffer.from(text) : Buffer.from(logs.join('\n'), 'latin1');
}

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

interface Scene {
  readonly build: object;
  readonly annotations: readonly object[];
  readonly logOf: (index: number) => Buffer;
}

const harmful: Scene = { build, annotations, logOf };

/** Each of the sixteen colors as text and as background. */
const colours = Array.from({ length: 16 }, (_, index) => {
  const code = index < 8 ? 30 + index : 82 + index;
  return `\x1b[${code}mtext ${index} \x1b[2mfaint\x1b[0m \x1b[${code + 10}mground\x1b[0m\n`;
}).join('');

/** A typical report. */
const usual: Scene = {
  build: {
    ...{
      number: 7,
      state: 'failed',
      message: 'Fix :tada: it',
      branch: 'main',
      commit: 'a'.repeat(40),
    },
    ...{ created_at: at(0), started_at: at(0), finished_at: at(40) },
    jobs: jobs.slice(0, 6).map((job, index) => ({
      ...{ ...job, name: `Tests of part ${index}`, step_key: `part-${index}`, command: 'make' },
      ...{ group_key: null, signal: null, agent: { name: 'rack-1' }, web_url: null },
    })),
  },
  annotations: [
    {
      ...{ context: 'lint', style: 'error' },
      body_html: `<p>2 of <b>9</b> failed</p><ul><li>Read <a href="https://ci.example/">how</a> first</li></ul>`,
    },
  ],
  logOf: () =>
    Buffer.from(
      `--- Set up\nfine ${linked('https://ci.example/')}\n+++ Tests\n${colours}\x1b[31mError:\x1b[32m no\x1b[0m\n`,
    ),
};

/** Writes the report of that build; returns the URL of its file. */
async function writtenReport(scene: Scene): Promise<string> {
  const service = await listening(({ url = '' }, out) => {
    const log = /(\d{12})\/log\.txt$/.exec(url)?.[1];
    out.writeHead(200, { 'content-type': log ? 'text/plain' : 'application/json' });
    if (log !== undefined) out.end(scene.logOf(Number(log)));
    else out.end(JSON.stringify(url.includes('/annotations') ? scene.annotations : scene.build));
  });
  const home = await useHome();
  const env = { CICTL_BASE_URL: service.url, CICTL_TOKEN: 'token-of-a-test' };
  const args = ['builds', 'report', 'acme/web/7', '--logs', 'all', '-O', 'report.html'];
  const { exitCode, stderr } = await cictl(args, { home, env });
  expect(exitCode, stderr).toBe(0);
  return pathToFileURL(join(home.cwd, 'report.html')).href;
}

async function listening(answer: RequestListener): Promise<{ readonly url: string }> {
  const server = createServer(answer);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** The report's own style and policy, and the colors of logs. */
const isOurs = /^has <(?:style>|meta http-equiv="Content-Security-Policy")|^span has style$/;

describe.skipIf(!hasBrowser)('a report', () => {
  const browser = useBrowser();

  async function opened(address: string, display = usualDisplay): Promise<Visit> {
    const visit = await browser.visit({ display });
    visit.expectOrigin(address);
    await visit.open(address);
    return visit;
  }

  test('fits its box, makes no requests and is accessible', async () => {
    const address = await writtenReport(usual);
    for (const display of displays.filter(({ scripts }) => scripts)) {
      const visit = await opened(address, display);
      await visit.shoot(`report/${nameOfDisplay(display)}`);
      const found = [...(await visit.problems()), ...(await visit.accessibilityProblems())];
      expect(found, nameOfDisplay(display)).toEqual([]);
      await visit.close();
    }
  });

  test('does no harm, whatever others wrote', async () => {
    const html = await readFile(new URL(await writtenReport(harmful)));
    const { url } = await listening((_, out) => {
      out.writeHead(200, { 'content-type': 'text/html' }).end(html);
    });
    const visit = await opened(`${url}/`, { ...usualDisplay, width: 390 });
    const found = [...(await visit.problems()), ...(await harmProblems(visit.page))];
    expect(found.filter((line) => !isOurs.test(line))).toEqual([]);
    expect(await visit.page.locator('style').count()).toBe(1);
    await visit.shoot('hostile/report');
    await visit.close();
  });

  test('links from a job to its log and the important lines', async () => {
    const visit = await opened(await writtenReport(usual));
    await visit.page.locator('#jobs a').first().click();
    const first = visit.page.locator('.report-log').first();
    expect(new URL(visit.page.url()).hash).toBe(`#${(await first.getAttribute('id')) ?? ''}`);
    expect(await first.locator('.lines').isVisible()).toBe(true);
    expect(await visit.page.locator('.failure mark').first().textContent()).toContain('Error: no');
    expect(await visit.page.locator('.failure mark .ink-1').count()).toBe(3);
    await visit.close();
  });
});
