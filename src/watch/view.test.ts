import { expect, test, describe } from 'vitest';
import { jsonView, lineView, viewKind, eventLine, eventJson } from './view.ts';
import type { Event } from './changes.ts';

describe('view', () => {
  test.each([
    ['json', true, 'json'],
    ['jsonl', true, 'json'],
    ['json', false, 'json'],
    ['jsonl', false, 'json'],
    ['table', true, 'live'],
    ['table', false, 'lines'],
    ['tsv', true, 'lines'],
    ['yaml', true, 'lines'],
    ['tsv', false, 'lines'],
  ] as const)('%s, on a terminal: %s, is %s', (format, isScreen, kind) => {
    expect(viewKind({ format, isScreen })).toBe(kind);
  });

  /** The output of a view. */
  function place() {
    const printed: unknown[] = [];
    const put = (kind: string) => (value: unknown) => {
      printed.push([kind, value]);
      return Promise.resolve();
    };
    const out = { event: put('event'), line: put('line'), write: put('write') };
    const clock = { now: () => 0, sleep: () => Promise.resolve() };
    const messages = { note: (text: string) => void printed.push(['note', text]) };
    return { printed, where: { out, clock, messages } as never };
  }
  const build = { number: 7, state: 'running', web_url: 'u' };

  test('prints JSON events, with waits and logs as notes', async () => {
    const { printed, where } = place();
    const view = jsonView(where);
    await view.report({ event: 'wait', reason: 'waiting' });
    await view.report({ event: 'build', build });
    await view.show('a\nb\n');
    await view.show('c');
    await view.note('by the way');
    await view.close();
    expect(printed).toEqual([
      ['note', 'waiting'],
      ['event', expect.objectContaining({ event: 'wait' })],
      ['event', expect.objectContaining({ event: 'build' })],
      ['note', 'a\nb'],
      ['note', 'c'],
      ['note', 'by the way'],
    ]);
  });

  test('prints one line per change, with waits as notes and logs between', async () => {
    const { printed, where } = place();
    const logged: string[] = [];
    const logs = {
      report: ({ event }: { event: string }) => Promise.resolve(void logged.push(event)),
      close: () => Promise.resolve(void logged.push('close')),
    };
    const view = lineView(where, { logs: logs });
    await view.report({ event: 'wait', reason: 'waiting' });
    await view.report({ event: 'build', build });
    await view.show('a\n');
    await view.note('by the way');
    await view.close();
    expect(printed).toEqual([
      ['note', 'waiting'],
      ['line', expect.stringMatching(/\tbuild\t7\trunning\tu$/)],
      ['write', 'a\n'],
      ['note', 'by the way'],
    ]);
    expect(logged).toEqual(['wait', 'build', 'close']);
  });

  test('lines of several builds name their pipelines', async () => {
    const { printed, where } = place();
    const view = lineView(where, { several: true });
    await view.report({ event: 'build', build: { ...build, pipeline: { slug: 'web' } } });
    await view.report({ event: 'build', build: { ...build, pipeline: null } });
    await view.report({
      ...{ event: 'build', build: { state: 'running', web_url: 'u', pipeline: { slug: 'web' } } },
    });
    await view.close();
    expect(printed).toEqual(
      ['web/7', '7', 'web'].map((name) => [
        'line',
        expect.stringMatching(new RegExp(`\\tbuild\\t${name}\\trunning\\t`)) as string,
      ]),
    );
  });
});

describe('event line', () => {
  const build = { number: 3, state: 'passed', web_url: 'http://h/3' };
  const job = (members: object): Event => ({
    event: 'job',
    build,
    job: { id: 'j', name: 'lint', state: 'failed', ...members },
  });

  test.each<[Event, string]>([
    [{ event: 'build', build }, 'build\t3\tpassed\thttp://h/3'],
    [{ event: 'build', build: { ...build, blocked: true } }, 'build\t3\tblocked\thttp://h/3'],
    [job({ state: 'running', exit_status: null }), 'job\tlint\trunning\t'],
    [job({ exit_status: 2 }), 'job\tlint\tfailed\texit status 2'],
    [job({ exit_status: 2, soft_failed: true }), 'job\tlint\tfailed\texit status 2, soft failure'],
    [job({ exit_status: -1, signal: 'SIGTERM' }), 'job\tlint\tfailed\tsignal SIGTERM'],
    [job({ state: 'broken', omitted_reason: 'if\nx' }), 'job\tlint\tbroken\tif\\nx'],
    [
      job({ state: 'scheduled', waiting_for_agents: ['queue=gpu', 'os=linux'] }),
      'job\tlint\tscheduled\tno agent has queue=gpu, os=linux',
    ],
    [job({ state: 'scheduled', waiting_for_agents: [] }), 'job\tlint\tscheduled\t'],
    [job({ name: 'two\tparts\n' }), 'job\ttwo\\tparts\\n\tfailed\t'],
  ])('%j', (event, line) => {
    expect(eventLine(event, Date.UTC(2026, 0, 2, 3, 4, 5))).toBe(
      `2026-01-02T03:04:05.000Z\t${line}`,
    );
  });

  test('each line of several builds names its own build', () => {
    const web = { ...build, pipeline: { slug: 'web' } };
    const lines = [{ event: 'build', build: web } as const, { ...job({}), build: web } as Event];
    expect(lines.map((event) => eventLine(event, 0, true)?.split('\t')[2])).toEqual([
      'web/3',
      'web/3#lint',
    ]);
  });

  test.each<Event>([
    { event: 'wait', reason: 'no build yet' },
    { event: 'end', build, exitCode: 0 },
  ])('$event is not a change', (event) => {
    expect(eventLine(event, 0)).toBeUndefined();
  });
});

describe('event json', () => {
  const build = { number: 3, state: 'failed', blocked: false, web_url: 'http://h/3', message: 'x' };
  const expectedBuild = { number: 3, state: 'failed', blocked: false, web_url: 'http://h/3' };
  const at = Date.UTC(2026, 0, 2, 3, 4, 5);

  test.each([
    [{ event: 'build', build } as const, { event: 'build', build: expectedBuild }],
    [
      {
        event: 'job',
        build,
        job: {
          id: 'j',
          name: 'lint',
          state: 'failed',
          exit_status: 2,
          soft_failed: true,
          command: 'x',
        },
      } as const,
      {
        event: 'job',
        build: expectedBuild,
        job: { id: 'j', name: 'lint', state: 'failed', exit_status: 2, soft_failed: true },
      },
    ],
    [{ event: 'wait', reason: 'no build yet' } as const, { event: 'wait' }],
    [
      { event: 'end', build, exitCode: 1 } as const,
      { event: 'end', build: expectedBuild, exit_code: 1 },
    ],
  ])('%j', (event, members) => {
    const json = eventJson(event, at);
    expect(json).toStrictEqual({ at: '2026-01-02T03:04:05.000Z', ...members });
  });

  test('names a block step by its label', () => {
    const job = { id: 'j', type: 'manual', name: null, label: 'Deploy?', state: 'blocked' };
    expect(eventJson({ event: 'job', build, job }, at)).toHaveProperty('job.name', 'Deploy?');
  });

  test('a waiting job shows the tags that no agent has', () => {
    const job = { id: 'j', state: 'scheduled', waiting_for_agents: ['os=mac', 'queue=gpu'] };
    expect(eventJson({ event: 'job', build, job }, at)).toHaveProperty('job.waiting_for_agents', [
      ...['os=mac', 'queue=gpu'],
    ]);
  });
});
