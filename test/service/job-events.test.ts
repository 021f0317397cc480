/** A growing log: after each event, the page has the same content as the file. */
import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { useCounterpart, type Counterpart } from './counterpart.ts';
import { scriptedRunner } from './scripted-runner.ts';
import { visitorOf, type EventReader, type PageEvent } from './visitor.ts';

interface Log {
  readonly service: Counterpart;
  readonly runner: ReturnType<typeof scriptedRunner>;
  readonly job: string;
  readonly page: string;
  append(text: string): Promise<void>;
}

async function useLog(): Promise<Log> {
  const runner = scriptedRunner();
  const service = await useCounterpart({ runner });
  const api = await service.pipeline('web', "steps: [{ command: 'work' }]");
  await service.post(`${api}/builds`, { commit: 'HEAD', branch: 'main' });
  const { jobs } = await service.until(
    `${api}/builds/1`,
    ({ jobs: [first] }) => first?.state === 'running',
  );
  const job = jobs[0]?.id ?? '';
  const file = join(service.dataDir, 'logs', `${job}.log`);
  const page = `/local/web/builds/1/jobs/${job}`;
  return { service, runner, job, page, append: (text) => appendFile(file, text) };
}

/** The lines of a page as its script has them: number and text. */
function pageLines() {
  let lines: [number: number, text: string][] = [];
  return {
    apply({ event, data }: PageEvent): void {
      if (event !== 'log') return;
      const { from, html } = data as unknown as { from: number; html: string };
      lines = lines.filter(([line]) => line < from);
      this.add(html);
    },
    add(html: string): void {
      for (const [, line, text = ''] of html.matchAll(
        /<div id="L(\d+)".*?<\/a>(?:<time>.*?<\/time>)?(.*)<\/div>/g,
      ))
        lines.push([Number(line), text.replace(/<[^>]*>/g, '')]);
    },
    text: () => lines.map(([, text]) => `${text}\n`).join(''),
    numbers: () => lines.map(([line]) => line),
  };
}

async function openPage({ service, page }: Log) {
  const owner = await visitorOf(service);
  const { text } = await owner.get(page);
  const address = /data-events="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const lines = pageLines();
  lines.add(text);
  const listen = async (id?: string): Promise<EventReader> => {
    const reader = await owner.events(
      id === undefined ? address : `${page}/events?last-event-id=${id}`,
    );
    onTestFinished(() => reader.stop());
    return reader;
  };
  return { lines, listen };
}

/** Reads until the page contains a text; returns the last event ID. */
async function until(reader: EventReader, lines: ReturnType<typeof pageLines>, text: string) {
  let id = '';
  while (!lines.text().includes(text)) {
    const event = await reader.next();
    lines.apply(event);
    id = event.id;
  }
  return id;
}

test('lines arrive as written, and overwritten ones are replaced', async () => {
  const log = await useLog();
  await log.append('one\ntwo');
  const { lines, listen } = await openPage(log);
  const reader = await listen();
  expect(lines.text()).toBe('one\ntwo\n');
  await log.append(' and more\n\x1b_bk;t=1\x07three\rTHREE');
  await until(reader, lines, 'THREE');
  await log.append('\rfour \n\x1b[2Aback\n\nend\n');
  await until(reader, lines, 'end');
  expect(lines.text()).toBe('one\nbackand more\nfour \nend\n');
  expect(lines.numbers()).toEqual([1, 2, 3, 4]);
});

test('loses and duplicates no line if the page reconnects after any event', async () => {
  const log = await useLog();
  const { lines, listen } = await openPage(log);
  let reader = await listen();
  const written: string[] = [];
  for (let turn = 0; turn < 12; turn++) {
    const piece = Array.from({ length: turn * 7 }, (_, at) => `turn ${turn} line ${at}`);
    written.push(...piece, `end ${turn}.`);
    await log.append([...piece, `end ${turn}.`].map((line) => `${line}\n`).join(''));
    const id = await until(reader, lines, `end ${turn}.`);
    reader.stop();
    // The log grows while the page is disconnected.
    await log.append(`away ${turn}\n`);
    written.push(`away ${turn}`);
    reader = await listen(id);
  }
  await until(reader, lines, 'away 11');
  expect(lines.text()).toBe(written.map((line) => `${line}\n`).join(''));
  expect(lines.numbers()).toEqual(written.map((_, index) => index + 1));
});

test('of much output at once, the end arrives with a gap for the rest', async () => {
  const log = await useLog();
  const { lines, listen } = await openPage(log);
  // Written before it connects: a reader may see part of a write in progress.
  await log.append('x\n'.repeat(100_000));
  const reader = await listen();
  const { data } = await reader.next();
  expect(data).toMatchObject({ from: 1, lines: 100_000, size: '200.0 kB' });
  expect(data.html).toContain('data-from="1" data-to="99501"');
  lines.add(data.html);
  expect(lines.numbers()).toHaveLength(500);
});

test("a log deleted meanwhile disappears from the page, and the job's outcome still arrives", async () => {
  const log = await useLog();
  await log.append('one\n');
  const { lines, listen } = await openPage(log);
  const reader = await listen();
  log.runner.finish(log.job, { exitStatus: 3 });
  for (;;) {
    const { event, data } = await reader.next();
    if (event === 'part' && data.html.includes('Exit status')) break;
  }
  const path = `/v2/organizations/local/pipelines/web/builds/1/jobs/${log.job}/log`;
  expect((await log.service.delete(path)).status).toBe(204);
  for (let event = await reader.next(); ; event = await reader.next()) {
    lines.apply(event);
    if (event.data.html.includes('deleted')) break;
  }
  expect(lines.text()).toBe('');
  await writeFile(join(log.service.dataDir, 'logs', `${log.job}.log`), 'other\n');
  await until(reader, lines, 'other');
});

test('sends the outcome to a listener that comes back', async () => {
  const log = await useLog();
  const { listen } = await openPage(log);
  log.runner.finish(log.job, { exitStatus: 3 });
  await log.service.settled('/v2/organizations/local/pipelines/web/builds/1');
  const { event, data } = await (await listen()).next();
  expect([event, data.html]).toEqual(['part', expect.stringContaining('Exit status')]);
});

test('a page that lost its connection before the end receives the end', async () => {
  const log = await useLog();
  const { lines, listen } = await openPage(log);
  await log.append('last\n');
  log.runner.finish(log.job, { exitStatus: 3 });
  await log.service.settled('/v2/organizations/local/pipelines/web/builds/1');
  const reader = await listen();
  const id = await until(reader, lines, 'last');
  reader.stop();
  const { event, data } = await (await listen(id)).next();
  expect([event, data.html]).toEqual(['part', expect.stringContaining('Exit status')]);
});

/** Undefined if the stream has ended. */
const nextOf = (reader: EventReader): Promise<PageEvent | undefined> => reader.next();

test('removing the build ends the stream, and a new request reports it', async () => {
  const log = await useLog();
  const { lines, listen } = await openPage(log);
  const reader = await listen();
  await log.append('begun\n');
  await until(reader, lines, 'begun\n');
  log.runner.finish(log.job);
  await log.service.settled('/v2/organizations/local/pipelines/web/builds/1');
  await log.service.admin('DELETE', '/organizations/local/pipelines/web');
  while ((await nextOf(reader)) !== undefined);
  await expect(listen()).rejects.toThrow('404');
});
