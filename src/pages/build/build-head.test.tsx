import { expect, test } from 'vitest';
import type { Job } from '../../api/resources/job.ts';
import { htmlOf } from '../elements.tsx';
import { buildView } from './build-view.ts';
import { ForAttention } from './build-head.tsx';

const job = (id: string, state: string, more: Partial<Job> = {}): Job => ({
  ...{ id, type: 'script', name: `Job ${id}`, state, web_url: `/b/1/jobs/${id}` },
  ...more,
});

const context = { now: 0, link: (address?: string | null) => address ?? undefined };

const markup = (jobs: readonly Job[], isFile = false): string =>
  htmlOf(
    <ForAttention
      view={buildView({ jobs: [...jobs] }, [], { ...context, formToken: undefined, isFile })}
    />,
  );

test('failed jobs link to the job, and a block to its form in the list', () => {
  const html = markup([
    job('a', 'passed'),
    job('b', 'failed', { parallel_group_index: 1, parallel_group_total: 4 }),
    job('c', 'timed_out'),
    job('d', 'blocked', { type: 'manual', label: ':rocket: Release?' }),
  ]);
  expect(html).toContain(
    '✗ Failed</span>: <a href="/b/1/jobs/b"><bdi>Job b</bdi> 2/4</a>, <a href="/b/1/jobs/c">',
  );
  expect(html).toContain('■ Blocked</span>: <a href="#d">');
  expect(html).not.toContain('Job a');
});

test.each([
  ['a soft failure', job('a', 'failed', { soft_failed: true })],
  ['what was retried', job('a', 'failed', { retried: true })],
  ['what passed', job('a', 'passed')],
  ['what never ran', job('a', 'waiting_failed')],
])('%s is not', (_, one) => {
  expect(markup([one])).toBe('');
});

test('a report has a section for what failed', () => {
  expect(markup([job('a', 'failed')], true)).toBe('');
});

test('names the first of very many, with a count of the others', () => {
  const html = markup(Array.from({ length: 30 }, (_, index) => job(`n${index}`, 'failed')));
  expect(html.match(/<a /g)).toHaveLength(9);
  expect(html).toContain('<a href="#jobs">22 more</a>');
});
