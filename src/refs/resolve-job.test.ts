import { expect, test } from 'vitest';
import { surroundings, type Situation } from '../../test/support/references.ts';
import type { Job } from '../api/resources/job.ts';
import { CictlError, toExit } from '../errors.ts';
import { resolveJob, resolveJobRef, type JobOptions } from './resolve.ts';

const uuid = '0193d7c2-5b1e-4c3a-9f00-0123456789ab';
const jobs = [
  { id: uuid, step_key: 'lint', name: 'Lint', state: 'passed' },
  { id: 'b', step_key: 'test', name: 'Test', state: 'failed' },
  { id: 'c', step_key: 'test', name: 'Test more', state: 'passed' },
  { id: 'd', step_key: 'deploy', label: 'Go #1?', state: 'blocked', type: 'manual' },
  { id: 'e', name: 'lint', state: 'passed' },
];
const path = '/v2/organizations/acme/pipelines/web/builds/5';
const build = { path, answer: { json: { number: 5, jobs } } };
const retried = (more: object[]) => ({
  path: `${path}?include_retried_jobs=true`,
  answer: { json: { number: 5, jobs: [...jobs, ...more] } },
});

const reading: JobOptions = { mutates: false };
const failed: JobOptions = {
  mutates: false,
  build: '5',
  candidates: { word: 'failed', test: (job: Job) => job.state === 'failed' },
};
const inJob = {
  BUILDKITE_BUILD_NUMBER: '5',
  BUILDKITE_JOB_ID: 'b',
};

test.each<[string, string | undefined, JobOptions, Situation, string]>([
  ['by id', `5#${uuid}`, reading, {}, uuid],
  ['by step key, before name', '5#lint', reading, {}, uuid],
  ['by name', '5#Test more', reading, {}, 'c'],
  ['by label', '5#Go #1?', reading, {}, 'd'],
  ['with --build', 'deploy', { mutates: true, build: '5' }, {}, 'd'],
  ['with --build, a # in the name', 'Go #1?', { mutates: false, build: '5' }, {}, 'd'],
  ['with CICTL_BUILD', 'deploy', reading, { env: { CICTL_BUILD: '5' } }, 'd'],
  ['in the build around', 'deploy', reading, { env: inJob }, 'd'],
  ['the job around', undefined, reading, { env: inJob }, 'b'],
  ['the only failed job', undefined, failed, {}, 'b'],
  [
    'the job around, whatever has failed',
    undefined,
    { mutates: false, candidates: { word: 'failed', test: () => true } },
    { env: { ...inJob, BUILDKITE_JOB_ID: 'c' } },
    'c',
  ],
  ['an address', `https://ci.example.com/acme/web/builds/5#${uuid}`, reading, {}, uuid],
])('%s', async (_, text, options, scenario, id) => {
  const context = await surroundings({ exchanges: [build], ...scenario });
  const found = await resolveJob(context, text, options);
  expect(found.ref).toEqual({ org: 'acme', pipeline: 'web', number: 5, job: id });
  expect(found.job.id).toBe(id);
  expect(found.build.number).toBe(5);
});

test('searches for a missing job again with retried jobs', async () => {
  const exchanges = [build, retried([{ id: 'old', name: 'Old' }])];
  const { ref } = await resolveJob(await surroundings({ exchanges }), '5#old', reading);
  expect(ref.job).toBe('old');
});

const failure = async (attempt: Promise<unknown>): Promise<CictlError> => {
  const error: unknown = await attempt.catch((reason: unknown) => reason);
  if (error instanceof CictlError) return error;
  throw new Error('it did not fail as it should');
};

test.each<[string, string | undefined, JobOptions, Situation, number, RegExp]>([
  [
    'not there',
    '5#none',
    reading,
    { exchanges: [build, retried([])] },
    7,
    /acme\/web\/5 has no job "none"/,
  ],
  ['ambiguous', '5#test', reading, { exchanges: [build] }, 2, /"test" matches 2 jobs/],
  [
    'ambiguous among retried jobs',
    '5#x',
    reading,
    {
      exchanges: [
        build,
        retried([
          { id: '1', name: 'x' },
          { id: '2', name: 'x' },
        ]),
      ],
    },
    2,
    /"x" matches 2/,
  ],
  ['left out', undefined, reading, {}, 2, /no JOB given/],
  ['left out for a change', undefined, { mutates: true, build: '5' }, {}, 2, /no JOB given/],
  [
    'left out for a change inside a job',
    undefined,
    { mutates: true },
    { env: inJob },
    2,
    /no JOB given/,
  ],
  [
    'a change without --build',
    'lint',
    { mutates: true },
    { env: inJob },
    2,
    /commands that make changes require it/,
  ],
  ['two builds', '5#lint', { mutates: false, build: '6' }, {}, 2, /cannot be used with --build/],
  ['--build that is none', 'lint', { mutates: false, build: 'x' }, {}, 2, /invalid BUILD/],
  [
    'nothing failed',
    undefined,
    { ...failed, candidates: { word: 'failed', test: () => false } },
    { exchanges: [build] },
    2,
    /has no failed job/,
  ],
])('%s', async (_, text, options, scenario, code, message) => {
  const error = await failure(resolveJob(await surroundings(scenario), text, options));
  expect(toExit(error)).toBe(code);
  expect(error.message).toMatch(message);
});

test('an ambiguous name lists the jobs with their ids', async () => {
  const context = await surroundings({ exchanges: [build] });
  const { details } = await failure(resolveJob(context, '5#test', reading));
  expect(details).toEqual(['b Test (failed)', 'c Test more (passed)']);
});

test('lists several failed jobs in a pipe, and prompts on a terminal', async () => {
  const options = {
    ...failed,
    candidates: { word: 'passed', test: (job: Job) => job.state === 'passed' },
  };
  const inPipe = await surroundings({ exchanges: [build] });
  const error = await failure(resolveJob(inPipe, undefined, options));
  expect(error.message).toBe('no JOB given, and build acme/web/5 has 3 passed jobs');
  expect(error.details).toHaveLength(3);
  const onTerminal = await surroundings({ exchanges: [build], chooses: 1 });
  expect((await resolveJob(onTerminal, undefined, options)).ref.job).toBe('c');
  expect(onTerminal.offered).toEqual([
    '✓ passed | Lint | #lint |  | ',
    '✓ passed | Test more | #test |  | ',
    '✓ passed | lint |  |  | ',
  ]);
});

test('a change prompts even if there is only one job', async () => {
  const context = await surroundings({ exchanges: [build], chooses: 0 });
  await resolveJob(context, undefined, { ...failed, mutates: true });
  expect(context.offered).toEqual(['✗ failed | Test | #test |  | ']);
});

test('an id costs no request if it is enough', async () => {
  expect(await resolveJobRef(await surroundings(), `5#${uuid}`, reading)).toMatchObject({
    number: 5,
    job: uuid,
  });
  const context = await surroundings({ exchanges: [build] });
  expect(await resolveJobRef(context, '5#deploy', reading)).toMatchObject({ job: 'd' });
});
