// `buildkite-agent lock`: locks on this machine. A lock is released when its job ends.
import { systemClock } from '../../../../common/clock.ts';
import { refused } from '../../api-error.ts';
import { bodyReader } from '../../body-reader.ts';
import { json } from '../../response.ts';
import type { Call, Route } from '../../route.ts';
import type { ServiceContext } from '../../../service-context.ts';
import { jobRoute } from './job-route.ts';

/** Milliseconds between checks of a lock. */
const pause = 25;

/** Milliseconds after which the service responds, even if the lock is still held. */
const longestWait = 1000;

const [doing, done] = ['doing', 'done'];

export const lockRoutes: readonly Route[] = [
  lockRoute('get', ({ lock }) => lock?.value ?? ''),
  lockRoute('acquire', ({ lock, put, jobId, service }) => {
    if (lock !== undefined) return undefined;
    return put(`acquired(job=${jobId},id=${service.newId()})`);
  }),
  lockRoute('release', ({ lock, put, key, token }) => {
    if (lock === undefined) throw refused(`the lock "${key}" is not held`);
    if (lock.value !== token) throw refused(`the lock "${key}" was acquired with another token`);
    return put('');
  }),
  lockRoute('do', ({ lock, put }) => {
    if (lock?.value === done) return done;
    if (lock !== undefined) return undefined;
    put(doing);
    return 'do';
  }),
  lockRoute('done', ({ lock, put, jobId, key }) => {
    if (lock?.value !== doing || lock.jobId !== jobId)
      throw refused(`the lock "${key}" is not held by this job`);
    return put(done);
  }),
];

interface Attempt {
  readonly service: ServiceContext;
  readonly jobId: string;
  readonly key: string;
  readonly token: string;
  readonly lock: Lock | undefined;
  readonly put: (value: string) => string;
}

/** Repeats `attempt` until it returns a value. It returns undefined while the lock is held. */
function lockRoute(action: string, attempt: (call: Attempt) => string | undefined): Route {
  return jobRoute('POST', `/local/v1/job/locks/${action}`, async (call: Call, service, own) => {
    if (call.caller.token.agentId !== undefined)
      throw refused('Agents keep their locks on their own machines');
    const members = bodyReader(await call.body());
    const key = members.required('key');
    const token = members.text('token') ?? '';
    const wait = Math.min(members.integer('wait') ?? 0, longestWait);
    members.done();
    const { jobId } = own;
    for (let left = wait; ; left -= pause) {
      const locks = locksOf(service);
      const put = (value: string): string => {
        if (value === '') locks.delete(key);
        else locks.set(key, { value, jobId: value === done ? null : jobId });
        return value;
      };
      const value = attempt({ service, jobId, key, token, lock: locks.get(key), put });
      if (value !== undefined || left <= 0) return json({ value: value ?? null });
      await systemClock.sleep(pause);
      // The job may have ended in the meantime.
      if (own.job().state !== 'running') return json({ value: null });
    }
  });
}

interface Lock {
  readonly value: string;
  /** The job that holds the lock. Null once a job has called `done`. */
  readonly jobId: string | null;
}

const locksOfServices = new WeakMap<ServiceContext, Map<string, Lock>>();

function locksOf(service: ServiceContext): Map<string, Lock> {
  const locks = locksOfServices.get(service) ?? new Map<string, Lock>();
  locksOfServices.set(service, locks);
  const running = new Set(service.engine.slots.map(({ jobId }) => jobId));
  for (const [key, { jobId }] of locks)
    if (jobId !== null && !running.has(jobId)) locks.delete(key);
  return locks;
}
