import { expect, test, describe } from 'vitest';
import fc from 'fast-check';
import type { Job } from '../api/resources/job.ts';
import { timelineOf } from './timeline.ts';

const start = Date.parse('2026-11-20T12:00:00Z');
const at = (seconds: number): string => new Date(start + seconds * 1000).toISOString();

describe('timeline', () => {
  /** A job that was runnable, started and finished at these seconds. */
  const ran = (
    id: string,
    runnable: number,
    started: number,
    finished: number,
    more: Partial<Job> = {},
  ): Job => ({
    ...{ id, type: 'script', state: 'passed', step: { id: `step-${id}` }, created_at: at(0) },
    ...{ runnable_at: at(runnable), started_at: at(started), finished_at: at(finished) },
    ...more,
  });

  const needs = (...ids: string[]) => ({ depends_on: ids.map((id) => `step-${id}`) });

  test('a job waits until its dependencies finish, and runs from its start', () => {
    const jobs = [
      ran('a', 0, 2, 10, needs()),
      ran('b', 0, 1, 4, needs()),
      ran('c', 10, 13, 20, needs('a', 'b')),
    ];
    const { from, to, jobs: lines, critical_path } = timelineOf(jobs, start + 99_000);
    expect(critical_path).toEqual(['a', 'c']);
    expect([from, to]).toEqual([start, start + 20_000]);
    expect(lines).toMatchObject([
      { id: 'a', waited: 2, ran: 8, after: null, on_critical_path: true },
      { id: 'b', waited: 1, ran: 3, after: null, on_critical_path: false },
      {
        id: 'c',
        waited: 3,
        ran: 7,
        after: 'a',
        on_critical_path: true,
        waited_from: start + 10_000,
      },
    ]);
  });

  test('a wait only passes on dependencies, and has no row', () => {
    const wait = ran('w', 8, 8, 8, { type: 'waiter', ...needs('a', 'b'), started_at: null });
    const jobs = [
      ran('a', 0, 0, 8, needs()),
      ran('b', 0, 0, 5, needs()),
      wait,
      ran('c', 8, 8, 9, needs('w')),
    ];
    const { rows, critical_path } = timelineOf(jobs, start);
    expect(critical_path).toEqual(['a', 'c']);
    expect(rows.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  });

  test('attempts of a job share a row, each starting after the one it replaces', () => {
    const first = ran('a', 0, 0, 5, {
      ...needs(),
      state: 'failed',
      retried: true,
      retried_in_job_id: 'b',
    });
    const second = ran('b', 7, 8, 12, { ...needs(), step: { id: 'step-a' }, created_at: at(7) });
    const { rows, critical_path } = timelineOf([first, second], start);
    expect(rows.map(({ id, jobs }) => [id, jobs.map((job) => job.id)])).toEqual([
      ['b', ['a', 'b']],
    ]);
    expect(rows[0]?.jobs[1]).toMatchObject({ waited: 1, ran: 4, after: 'a' });
    expect(critical_path).toEqual(['a', 'b']);
  });

  test('without dependencies from the service, a job follows the one that finished last', () => {
    const jobs = [ran('a', 0, 0, 6), ran('b', 0, 0, 9), ran('c', 6, 7, 11), ran('d', 9, 9, 10)];
    expect(timelineOf(jobs, start).jobs.map(({ after }) => after)).toEqual([null, null, 'a', 'b']);
    expect(timelineOf(jobs, start).critical_path).toEqual(['a', 'c']);
  });

  test('an uploaded job follows the job that ran when it was created', () => {
    const jobs = [
      ran('upload', 0, 1, 6, needs()),
      ran('a', 5, 7, 9, { ...needs(), created_at: at(5) }),
    ];
    expect(timelineOf(jobs, start).jobs[1]).toMatchObject({ after: 'upload', waited: 2 });
  });

  test('a running job counts until now, and a waiting one has no time', () => {
    const jobs: Job[] = [
      { ...ran('a', 0, 3, 0, needs()), state: 'running', finished_at: null },
      { ...ran('b', 1, 0, 0, needs()), state: 'scheduled', started_at: null, finished_at: null },
      {
        ...ran('c', 0, 0, 0, needs('a')),
        state: 'waiting',
        ...{ runnable_at: null, started_at: null, finished_at: null },
      },
    ];
    const { jobs: lines, critical_path } = timelineOf(jobs, start + 10_000);
    expect(lines).toMatchObject([
      { waited: 3, ran: 7, finished: null },
      { waited: 10, ran: null, waited_from: start },
      { waited: null, ran: null, waited_from: null, finished: null },
    ]);
    expect(critical_path).toEqual(['a']);
  });

  test('a block step waits until it is unblocked, and is on the path', () => {
    const block: Job = {
      ...{
        id: 'ok',
        type: 'manual',
        state: 'unblocked',
        step: { id: 'step-ok' },
        created_at: at(0),
      },
      ...{ runnable_at: at(4), unblocked_at: at(30), ...needs('a') },
    };
    const jobs = [ran('a', 0, 0, 4, needs()), block, ran('b', 30, 31, 33, needs('ok'))];
    const { jobs: lines, critical_path } = timelineOf(jobs, start);
    expect(critical_path).toEqual(['a', 'ok', 'b']);
    expect(lines[1]).toMatchObject({ waited: 26, ran: null, finished: start + 30_000 });
  });

  test('on a public service, a block step has only its unblocked time', () => {
    const gate = (id: string, more: Partial<Job>): Job => ({ id, type: 'manual', ...more });
    const jobs = [
      ran('a', 0, 0, 4),
      ran('b', 0, 0, 7),
      { id: 'w', type: 'waiter' },
      gate('ok', { state: 'unblocked', unblocked_at: at(30) }),
      ran('c', 30, 31, 33),
      gate('now', { state: 'blocked' }),
      gate('later', { state: 'waiting' }),
    ];
    const { jobs: lines, critical_path } = timelineOf(jobs, start + 50_000);
    expect(critical_path).toEqual(['b', 'ok', 'c', 'now']);
    expect(lines.slice(2)).toMatchObject([
      { id: 'ok', waited_from: start + 7000, waited: 23, finished: start + 30_000, after: 'b' },
      { id: 'c', waited: 1, after: 'ok' },
      { id: 'now', waited_from: start + 33_000, waited: 17, finished: null, after: 'c' },
      { id: 'later', waited: null, waited_from: null },
    ]);
  });

  test('a job runs as long as the build it triggered', () => {
    const trigger = (id: string, more: Partial<Job>): Job => ({
      ...ran(id, 1, 1, 9),
      ...{ type: 'trigger', started_at: null, triggered_build: { number: 5 }, ...more },
    });
    const jobs = [trigger('a', {}), trigger('b', { state: 'running', finished_at: null })];
    expect(timelineOf(jobs, start + 20_000).jobs).toMatchObject([
      { waited: 0, ran: 8, finished: start + 9000 },
      { waited: 0, ran: 19, finished: null },
    ]);
  });

  test('handles a build that has not started', () => {
    expect(timelineOf([], start)).toEqual({
      from: null,
      to: null,
      jobs: [],
      rows: [],
      critical_path: [],
    });
  });
});

interface Planned {
  readonly takes: number;
  /** Seconds until an agent accepts it. */
  readonly waits: number;
  /** The indexes of earlier jobs that it depends on. */
  readonly needs: readonly number[];
  readonly isWait: boolean;
}

const plan: fc.Arbitrary<Planned[]> = fc
  .array(
    fc.record({
      takes: fc.integer({ min: 1, max: 100 }),
      waits: fc.nat(20),
      picks: fc.array(fc.nat(1000), { maxLength: 4 }),
      isWait: fc.boolean(),
    }),
    { minLength: 1, maxLength: 25 },
  )
  .map((steps) =>
    steps.map(({ picks, ...step }, index) => ({
      ...step,
      needs: index === 0 ? [] : [...new Set(picks.map((pick) => pick % index))],
    })),
  );

/**
 * When each is finished if nothing else delays it: the length of the longest path to its end, in
 * seconds.
 */
function endsOf(steps: readonly Planned[]): number[] {
  const over: number[] = [];
  for (const { takes, waits, needs, isWait } of steps) {
    const ready = Math.max(0, ...needs.map((need) => over[need] ?? 0));
    over.push(isWait ? ready : ready + waits + takes);
  }
  return over;
}

/** The jobs from a service that reports dependencies, or from one that does not. */
function jobsOf(steps: readonly Planned[], isSaid: boolean): Job[] {
  const over = endsOf(steps);
  return steps.map(({ waits, needs, isWait }, index) => {
    const ready = Math.max(0, ...needs.map((need) => over[need] ?? 0));
    return {
      ...{ id: `job-${index}`, step: { id: `step-${index}` }, state: 'passed' },
      type: isWait ? 'waiter' : 'script',
      ...(isSaid && { depends_on: needs.map((need) => `step-${need}`) }),
      ...{ created_at: at(0), runnable_at: at(ready), finished_at: at(over[index] ?? 0) },
      started_at: isWait ? null : at(ready + waits),
    };
  });
}

const sum = (values: readonly (number | null)[]): number =>
  values.reduce((total: number, value) => total + (value ?? 0), 0);

test.each([true, false])(
  'the critical path has the length of the longest one (with dependencies: %s)',
  (isSaid) => {
    fc.assert(
      fc.property(plan, (steps) => {
        fc.pre(steps.some(({ isWait }) => !isWait));
        const { jobs, critical_path: path, from, to } = timelineOf(jobsOf(steps, isSaid), start);
        const byId = new Map(jobs.map((job) => [job.id, job]));
        const longest = Math.max(...endsOf(steps));
        expect(sum(path.flatMap((id) => [byId.get(id)?.waited ?? 0, byId.get(id)?.ran ?? 0]))).toBe(
          longest,
        );
        expect([from, to]).toEqual([start, start + longest * 1000]);
      }),
    );
  },
);

test('a job runnable a second after its creation depended on what finished then', () => {
  const steps = [[], [0], []].map((needs) => ({ takes: 1, waits: 0, isWait: false, needs }));
  const { jobs, critical_path: path } = timelineOf(jobsOf(steps, false), start);
  expect(path).toHaveLength(2);
  expect([path.at(-1), jobs[1]?.waited, jobs[1]?.ran]).toEqual(['job-1', 0, 1]);
});

test('each job on the path starts to wait when the one before finished', () => {
  fc.assert(
    fc.property(plan, (steps) => {
      const { jobs, critical_path: path } = timelineOf(jobsOf(steps, true), start);
      const lines = path.map((id) => jobs.find((job) => job.id === id));
      for (const [index, line] of lines.entries()) {
        expect(line?.on_critical_path).toBe(true);
        expect(line?.waited_from).toBe(index === 0 ? start : lines[index - 1]?.finished);
        expect(line?.after).toBe(index === 0 ? null : path[index - 1]);
      }
      expect(jobs.filter((job) => job.on_critical_path)).toHaveLength(path.length);
    }),
  );
});

test('shortening a job on the path never lengthens the build; elsewhere it changes nothing', () => {
  fc.assert(
    fc.property(plan, fc.nat(1000), (steps, pick) => {
      const index = pick % steps.length;
      const { critical_path: path } = timelineOf(jobsOf(steps, true), start);
      const shorter = steps.map((step, at) =>
        at === index ? { ...step, takes: step.takes / 2 } : step,
      );
      const [before, after] = [Math.max(...endsOf(steps)), Math.max(...endsOf(shorter))];
      if (path.includes(`job-${index}`)) expect(after).toBeLessThanOrEqual(before);
      else expect(after).toBe(before);
    }),
  );
});

const instant = fc.option(fc.nat(1000).map(at), { nil: null });

test('times are in order and cycles are broken, whatever a service sends', () => {
  const ids = Array.from({ length: 8 }, (_, index) => `job-${index}`);
  const id = fc.constantFrom(...ids);
  const wild: fc.Arbitrary<Job> = fc.record({
    ...{ id, type: fc.constantFrom('script', 'waiter', 'manual', 'trigger') },
    state: fc.constantFrom(
      'waiting',
      'scheduled',
      'running',
      'passed',
      'failed',
      'canceled',
      'blocked',
      'unblocked',
      'new',
    ),
    step: id.map((id) => ({ id })),
    ...{ step_key: id, group_key: id, depends_on: fc.array(id) },
    ...{ retried_in_job_id: fc.option(id, { nil: null }) },
    ...{ created_at: instant, scheduled_at: instant, runnable_at: instant },
    ...{ started_at: instant, finished_at: instant, unblocked_at: instant },
  });
  fc.assert(
    fc.property(fc.uniqueArray(wild, { maxLength: 12, selector: (job) => job.id }), (jobs) => {
      const { jobs: lines, rows, critical_path: path } = timelineOf(jobs, start + 500_000);
      expect(new Set(path).size).toBe(path.length);
      for (const { waited, ran, waited_from: from, started, finished } of lines) {
        for (const seconds of [waited, ran]) expect(seconds ?? 0).toBeGreaterThanOrEqual(0);
        const times = [from, started, finished].filter((time) => time !== null);
        expect(times).toEqual([...times].sort((one, other) => one - other));
      }
      for (const row of rows) expect(row.jobs.length).toBeGreaterThan(0);
    }),
  );
});

test('ten thousand jobs take linear work: each dependency is read once', () => {
  let reads = 0;
  const count = 5000;
  const job = (id: string, needs: readonly string[], ready: number): Job => ({
    ...{ id, type: 'script', state: 'passed', step: { id: `step-${id}` }, created_at: at(0) },
    ...{ runnable_at: at(ready), started_at: at(ready), finished_at: at(ready + 5) },
    get depends_on() {
      reads++;
      return needs.map((need) => `step-${need}`);
    },
  });
  const first = Array.from({ length: count }, (_, index) => job(`a${index}`, [], 0));
  const wait = {
    ...job(
      'w',
      first.map(({ id }) => id ?? ''),
      5,
    ),
    type: 'waiter',
    finished_at: at(5),
  };
  const second = Array.from({ length: count }, (_, index) => job(`b${index}`, ['w'], 5));
  const { critical_path: path } = timelineOf([...first, wait, ...second], start);
  expect(path).toHaveLength(2);
  expect(reads).toBeLessThan(3 * count);
});
