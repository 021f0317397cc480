import { expect, test } from 'vitest';
import type { Job } from '../../api/resources/job.ts';
import { buildParts } from './build-parts.tsx';
import { buildView } from './build-view.ts';
import { wantedHref, wantedJobs, wantedQuery } from './job-list.tsx';

const jobs: Job[] = Array.from({ length: 2500 }, (_, index) => ({
  ...{ id: `job-${index}`, type: index === 1 ? 'waiter' : 'script', name: `Job ${index}` },
  ...{ step: { id: `step-${index}` }, depends_on: [], created_at: '2026-11-20T12:00:00Z' },
  state: index % 1000 === 7 ? 'failed' : 'waiting',
}));
const context = { now: 0, link: () => undefined, formToken: undefined };

/** The jobs section for a query. */
function jobsOf(query: string, path: string | null = '/p/builds/1') {
  const own = {
    ...(path !== null && { path }),
    wanted: wantedJobs(new URLSearchParams(query)),
  };
  const { sections, rows } = buildParts(buildView({ number: 1, jobs }, [], context, own));
  return { html: sections.get('jobs') ?? '', ids: [...rows.keys()] };
}
const links = (html: string): string[] =>
  [...html.matchAll(/<a href="([^"]*)" rel/g)].map(([, href = '']) =>
    href.replaceAll('&amp;', '&'),
  );

test('a page shows a thousand of many jobs, with links to the others', () => {
  const first = jobsOf('');
  expect([first.ids.length, first.ids[0], first.ids.at(-1)]).toEqual([999, 'job-0', 'job-999']);
  expect(first.html).toContain('Jobs 1 to 999 of 2,499');
  expect(links(first.html)).toEqual(['/p/builds/1?page=2#jobs']);
  const second = jobsOf('page=2');
  expect([second.ids.length, second.ids[0]]).toEqual([1000, 'job-1000']);
  expect(links(second.html)).toEqual(['/p/builds/1#jobs', '/p/builds/1?page=3#jobs']);
  const last = jobsOf('page=3');
  expect(last.html).toContain('Jobs 2,000 to 2,499 of 2,499');
  expect(links(last.html)).toEqual(['/p/builds/1?page=2#jobs']);
  for (const beyond of ['page=99', 'page=Infinity']) expect(jobsOf(beyond).ids).toEqual(last.ids);
});

test('shows the page that contains a named job', () => {
  expect(jobsOf('job=job-1234').ids).toEqual(jobsOf('page=2').ids);
  expect(jobsOf('job=none').ids).toEqual(jobsOf('').ids);
});

test('filters jobs by state, and pages the result', () => {
  const failed = jobsOf('state=failed');
  expect(failed.ids).toEqual(['job-7', 'job-1007', 'job-2007']);
  expect(failed.html).toMatch(/<option value="failed" selected/);
  expect(links(failed.html)).toEqual([]);
  expect(links(jobsOf('state=waiting&q=job').html)).toEqual([
    '/p/builds/1?q=job&state=waiting&page=2#jobs',
  ]);
  expect(jobsOf('state=passed').html).toContain('No job is in the state “passed”.');
});

test.each([
  ['form_1', '/p', true, true],
  [undefined, '/p', true, false],
  ['form_1', undefined, true, false],
  ['form_1', '/p', false, false],
])(
  'has a retry button with form token %s, path %s and retryable %s: %s',
  (formToken, path, retryable, has) => {
    const job = { id: 'a', type: 'script', name: 'A', state: 'failed', retryable };
    const view = buildView({ number: 1, jobs: [job] }, [], { ...context, formToken }, { path });
    expect([...buildParts(view).rows.values()].join('').includes('Retry')).toBe(has);
  },
);

test('offers no state filter for few jobs', () => {
  const few = buildView({ number: 1, jobs: jobs.slice(0, 9) }, [], context, { path: '/p' });
  expect(buildParts(few).sections.get('jobs')).not.toContain('<select');
  expect(jobsOf('').html).toContain('<select');
});

test('a report has all jobs', () => expect(jobsOf('page=2', null).ids.length).toBe(2499));

test.each(['', 'q=a+b', 'state=failed&page=2', 'job=x'])('reads and writes %j', (query) => {
  const wanted = wantedJobs(new URLSearchParams(query));
  expect(new URLSearchParams(wantedQuery(wanted)).toString()).toBe(query);
  expect(wantedHref('/x', wanted)).toBe(`/x${query && `?${query}`}#jobs`);
});

test.each(['page=0', 'page=-1', 'page=x', 'page=1.5'])('%s is the first page', (query) =>
  expect(jobsOf(query).ids).toEqual(jobsOf('').ids),
);
