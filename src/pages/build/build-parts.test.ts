import { expect, test } from 'vitest';
import type { Annotation } from '../../api/resources/annotation.ts';
import type { Build } from '../../api/resources/build.ts';
import type { Job } from '../../api/resources/job.ts';
import { buildParts, changedParts } from './build-parts.tsx';
import { buildView } from './build-view.ts';

const start = Date.parse('2026-11-20T12:00:00Z');
const at = (seconds: number): string => new Date(start + seconds * 1000).toISOString();
const context = {
  now: start + 100_000,
  link: (address: string | null | undefined) => address ?? undefined,
  formToken: 'form_1',
};

const ran = (id: string, from: number, to: number, more: Partial<Job> = {}): Job => ({
  ...{ id, type: 'script', name: `Job ${id}`, state: 'passed', step: { id: `step-${id}` } },
  ...{ depends_on: [], web_url: `/p/builds/1#${id}`, created_at: at(0) },
  ...{ runnable_at: at(from), started_at: at(from), finished_at: at(to) },
  ...more,
});

const build = (jobs: readonly Job[], more: Partial<Build> = {}): Build => ({
  ...{ number: 1, state: 'passed', message: 'm', web_url: '/p/builds/1', jobs: [...jobs] },
  ...{ created_at: at(0), started_at: at(0), finished_at: at(90) },
  ...more,
});

const view = (jobs: readonly Job[], more: Partial<Build> = {}, annotations: Annotation[] = []) =>
  buildView(build(jobs, more), annotations, context, { path: '/p/builds/1' });

const parts = (...given: Parameters<typeof view>) => buildParts(view(...given)).sections;
const jobsOf = (...jobs: Job[]): string => parts(jobs).get('jobs') ?? '';
const waterfallOf = (...jobs: Job[]): string => parts(jobs).get('waterfall') ?? '';

test('shows the style of an annotation as a word too', () => {
  const annotations = ['error', 'odd'].map((style) => ({ context: style, style, body_html: '' }));
  const html = parts([], {}, annotations).get('annotations') ?? '';
  expect(html).toContain('<bdi>error</bdi><span class="note">error</span>');
  expect(html).toContain('<bdi>odd</bdi></p>');
});

test('a row shows the details of a job', () => {
  const html = jobsOf(
    ran('a', 0, 1, { state: 'failed', exit_status: 3, soft_failed: true, step_key: 'key' }),
    ran('b', 0, 1, {
      state: 'failed',
      exit_status: -1,
      signal: 'SIGKILL',
      signal_reason: 'cancel',
    }),
    ran('c', 0, 1, { name: 'Test', parallel_group_index: 1, parallel_group_total: 4 }),
    ran('d', 0, 1, { matrix: { os: 'linux', '': 'x' } }),
    ran('e', 0, 1, { state: 'scheduled', waiting_for_agents: ['queue=gpu'] }),
    ran('f', 0, 1, { state: 'broken', omitted_reason: 'branches: main' }),
    ran('g', 0, 1, { type: 'trigger', triggered_build: { number: 7, web_url: '/q/builds/7' } }),
    ran('h', 0, 1, { agent: { name: 'agent-1', web_url: '/agents/1' } }),
    ran('i', 0, 1, { type: 'manual', state: 'unblocked', unblocked_by: { name: 'Ada' } }),
  );
  for (const text of [
    'failed (soft)',
    'exit 3',
    '#key',
    'signal SIGKILL (cancel)',
    'Test</bdi> 2/4',
    'os: linux, x',
    'no agent has queue=gpu',
    'branches: main',
    '<a href="/q/builds/7">triggered build #7</a>',
    'on <a href="/agents/1"><bdi>agent-1</bdi></a>',
    'unblocked by Ada',
  ])
    expect(html).toContain(text);
});

test('jobs of a group are listed under its label, or its key', () => {
  const html = jobsOf(
    ran('a', 0, 1, { group_key: 'k', group_label: ':test_tube: Tests' }),
    ran('b', 0, 1, { group_key: 'k', group_label: ':test_tube: Tests' }),
    ran('c', 0, 1, { group_key: 'other' }),
    ran('d', 0, 1),
  );
  const groups = [...html.matchAll(/<summary>(.*?)<\/summary>/g)].map(([, text]) =>
    text?.replace(/<[^>]+>/g, ''),
  );
  expect(groups).toEqual(['🧪 Tests', 'other']);
  expect(html.match(/<li class="job"/g)).toHaveLength(4);
});

test('attempts of a job share a bar of the waterfall and a row of the list', () => {
  const jobs = [
    ran('a', 0, 5, { state: 'failed', retried: true, retried_in_job_id: 'b', step: { id: 's' } }),
    ran('b', 6, 9, { step: { id: 's' }, created_at: at(6) }),
  ];
  const waterfall = waterfallOf(...jobs);
  expect(waterfall.match(/<li[ >]/g)).toHaveLength(1);
  expect(waterfall).toContain(
    'failed, waited 0s, ran 5s, on the critical path; then passed, waited 0s, ran 3s, after Job a',
  );
  expect(waterfall).toMatch(
    /class="runs bad" x="0%" width="55.56%" y="50%".*class="runs good" x="66.67%"/s,
  );
  expect(jobsOf(...jobs).match(/<li class="job"/g)).toHaveLength(1);
  for (const id of ['a', 'b']) expect(jobsOf(...jobs)).toContain(`id="${id}"`);
});

test('bars link to their jobs, with a line from dependencies', () => {
  const html = waterfallOf(
    ran('a', 0, 10),
    ran('b', 10, 20, { depends_on: ['step-a'], started_at: at(15) }),
  );
  expect(html).toContain('<line class="link on-path" x1="50%" x2="50%" y1="25%" y2="75%">');
  expect(html).toMatch(
    /<a href="\/p\/builds\/1#b" tabindex="-1"><rect class="waits" x="50%" width="25%"/,
  );
});

test('shows no waterfall before a job has started', () => {
  const waits: Partial<Job> = {
    state: 'waiting',
    runnable_at: null,
    started_at: null,
    finished_at: null,
  };
  expect(waterfallOf(ran('a', 0, 0, waits))).not.toContain('<svg');
});

test('of adjacent blocked times, only the longest is labeled', () => {
  const html = waterfallOf(
    ran('a', 0, 60),
    ...[600, 8000].map((from) => ran(`j${from}`, from, from + 1, { created_at: at(from) })),
  );
  expect(html.match(/class="gap"/g)).toHaveLength(2);
  expect(html.match(/⋯ \w+/g)).toEqual(['⋯ 2h']);
});

test('the waterfall shows the longest of very many jobs, and the critical path', () => {
  const many = Array.from({ length: 1000 }, (_, index) => ran(`j${index}`, 0, 1 + (index % 50)));
  const html = waterfallOf(...many, ran('last', 0, 60));
  expect(html.match(/<li[ >]/g)).toHaveLength(400);
  expect(html).toContain('The 400 longest jobs');
  expect(html).toContain('Job last');
});

test('contains no inline styles or scripts', () => {
  const hostile = '"><script>x()</script><img src=x onerror=x()> style="color:red" \u202e';
  const annotation = { context: hostile, style: hostile, body_html: `<p style="x">${hostile}</p>` };
  const job = ran('a', 0, 5, {
    ...{
      name: hostile,
      step_key: hostile,
      group_label: hostile,
      group_key: hostile,
      signal: hostile,
    },
    ...{ state: hostile, matrix: { [hostile]: hostile }, omitted_reason: hostile, prompt: hostile },
    ...{
      waiting_for_agents: [hostile],
      type: 'manual',
      unblockable: true,
      unblocked_by: { name: hostile },
    },
  });
  const build = {
    message: `${hostile}\n${hostile}`,
    branch: hostile,
    commit: hostile,
    tag: hostile,
  };
  const html = [...parts([job], build, [annotation]).values()].join('');
  const tags = html.replace(/"[^"]*"/g, '""');
  expect(tags.match(/<(script|img)|<[^>]* (style|on\w+)=/g)).toBe(null);
  expect(tags).toContain('<form');
  expect(html).not.toContain('\u202e');
});

test('a page is updated row by row, or as a whole if rows were added', () => {
  const before = buildParts(view([ran('a', 0, 5), ran('b', 0, 5)]));
  const ids = (jobs: readonly Job[]) =>
    changedParts(buildParts(view(jobs), before), before).map(({ id }) => id);
  expect(ids([ran('a', 0, 5), ran('b', 0, 5)])).toEqual([]);
  expect(ids([ran('a', 0, 5), ran('b', 0, 5, { exit_status: 2 })])).toEqual(['b']);
  expect(ids([ran('a', 0, 5), ran('b', 0, 3)])).toEqual(['waterfall', 'b']);
  expect(ids([ran('a', 0, 5), ran('b', 0, 5), ran('c', 0, 5)])).toEqual(['waterfall', 'jobs']);
  expect(changedParts(before).map(({ id }) => id)).toEqual([
    'head',
    'annotations',
    'waterfall',
    'jobs',
  ]);
});

test('shortcodes are emojis in messages, labels and annotations, but not in code', () => {
  const emoji = '<span title=":rocket:">🚀</span>';
  const html = parts(
    [ran('a', 0, 1, { label: ':rocket: Go', name: ':rocket: Go', group_label: ':rocket: All' })],
    { message: ':rocket: One\n\nand :rocket: two' },
    [{ body_html: '<p>:rocket: out <code>:rocket:</code></p>' }],
  );
  expect(html.get('head')?.split(emoji).length).toBe(3);
  expect(html.get('annotations')).toContain(`<p>${emoji} out <code>:rocket:</code></p>`);
  expect(html.get('jobs')).toContain(`${emoji} Go`);
  expect(html.get('jobs')).toContain(`${emoji} All`);
  expect(html.get('waterfall')).toContain(`${emoji} Go`);
});

test('a waterfall names the jobs that it omits', () => {
  const many = Array.from({ length: 402 }, (_, index) => ran(`j${index}`, 0, index < 3 ? 1 : 9));
  const none = { runnable_at: null, started_at: null, finished_at: null, state: 'waiting' };
  const html = waterfallOf(...many, ran('later', 0, 0, none));
  expect(html.match(/<li[ >]/g)?.length).toBe(400);
  expect(html).toContain('</a>: 2 jobs that took at most 1s; 1 job not started.');
  expect(waterfallOf(ran('a', 0, 1))).not.toContain('alone');
});

test('sanitizes annotations once, however often the page is rendered', () => {
  let reads = 0;
  const annotations = [
    {
      context: 'c',
      get body_html() {
        reads++;
        return '<b>x</b>';
      },
    },
  ];
  const first = buildView(build([]), annotations, context);
  const made = buildParts(first);
  buildParts(buildView(build([]), annotations, context), made);
  expect(reads).toBe(1);
});
