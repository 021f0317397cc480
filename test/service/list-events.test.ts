/** Live updates of lists. */
import { expect, onTestFinished, test } from 'vitest';
import { useCounterpart } from './counterpart.ts';
import { scriptedRunner } from './scripted-runner.ts';
import { visitorOf, type EventReader, type Visitor } from './visitor.ts';

const steps = "steps: [{ command: 'work' }]";
const wanted = { commit: 'HEAD', branch: 'main' };

/** The events of a page. */
async function listen(visitor: Visitor, path: string): Promise<EventReader> {
  const { text } = await visitor.get(path);
  const live = /data-live="([^"]+)"/.exec(text)?.[1] ?? '';
  const reader = await visitor.events(live.replaceAll('&amp;', '&'));
  onTestFinished(() => reader.stop());
  return reader;
}

/** Reads until a part contains a text. */
async function partWith(reader: EventReader, id: string, text: string): Promise<void> {
  for (;;) {
    const { event, data } = await reader.next();
    expect(event).toBe('part');
    expect(data.html).toMatch(new RegExp(`^<section id="${data.id}" data-part`));
    if (data.id === id && data.html.includes(text)) return;
  }
}

test('a pipeline page gets new builds and their states', async () => {
  const runner = scriptedRunner();
  const service = await useCounterpart({ runner });
  const api = await service.pipeline('web', steps);
  const owner = await visitorOf(service);
  const reader = await listen(owner, '/local/web');
  const { json } = await service.post(`${api}/builds`, { ...wanted, message: 'Look' });
  await partWith(reader, 'builds', 'Look');
  await service.until(`${api}/builds/1`, ({ jobs }) => jobs[0]?.state === 'running');
  await partWith(reader, 'builds', 'running');
  runner.finish(json.jobs[0]?.id ?? '', { exitStatus: 1 });
  await partWith(reader, 'last-builds', '1 failed');

  // A page that is up to date gets nothing twice and new events at once. More than the state may
  // change at the end.
  await service.settled(`${api}/builds/1`);
  const late = await listen(owner, '/local/web');
  await service.post(`${api}/builds`, { ...wanted, message: 'Missed' });
  expect((await late.next()).data.html).toContain('Last 2 builds');
  expect((await late.next()).data.html).toContain('Missed');
  const fresh = await owner.events('/local/web/events?last-event-id=1');
  onTestFinished(() => fresh.stop());
  expect((await fresh.next()).data.html).toContain('Last 2 builds');
});

test('a filter applies to later events', async () => {
  const service = await useCounterpart({ runner: scriptedRunner({ auto: true }) });
  const api = await service.pipeline('web', steps);
  const reader = await listen(await visitorOf(service), '/local/web?branch=dev');
  await service.post(`${api}/builds`, { ...wanted, message: 'Other' });
  await service.post(`${api}/builds`, { ...wanted, branch: 'dev', message: 'Mine' });
  for (;;) {
    const { data } = await reader.next();
    if (data.id === 'builds') expect(data.html).not.toContain('Other');
    if (data.html.includes('Mine')) return;
  }
});

test('an organization page gets new pipelines, and builds of its own pipelines', async () => {
  const runner = scriptedRunner();
  const service = await useCounterpart({ runner });
  const first = await service.pipeline('first', steps);
  const owner = await visitorOf(service);
  const reader = await listen(owner, '/');
  await service.pipeline('second', steps);
  await partWith(reader, 'pipelines', '/local/second');
  const { json } = await service.get(first);
  await service.post(`${first}/builds`, { ...wanted, message: 'Look' });
  await partWith(reader, `pipeline-${json.id}`, 'Look');
  await service.until(`${first}/builds/1`, ({ jobs }) => jobs[0]?.state === 'running');
  runner.finish('work');
  await partWith(reader, `pipeline-${json.id}`, 'passed');
  await service.admin('DELETE', '/organizations/local/pipelines/second');
  for (;;) {
    const { data } = await reader.next();
    if (data.id !== 'pipelines') continue;
    expect(data.html).not.toContain('/local/second');
    return;
  }
});

test('ends the events of a removed pipeline', async () => {
  const service = await useCounterpart({ runner: scriptedRunner() });
  await service.pipeline('web', steps);
  const reader = await listen(await visitorOf(service), '/local/web');
  await service.admin('DELETE', '/organizations/local/pipelines/web');
  expect(await reader.next()).toBeUndefined();
});

test('events require a session', async () => {
  const service = await useCounterpart();
  await service.pipeline('web', steps);
  for (const path of ['/local/-/events', '/local/web/events'])
    expect((await service.send(path, { token: null })).status).toBe(401);
  const owner = await visitorOf(service);
  expect((await owner.get('/nobody/-/events')).status).toBe(404);
  expect((await owner.get('/local/nothing/events')).status).toBe(404);
});
