// `buildkite-agent lock`: local locks, released when their job ends.
import { systemClock } from '../../../../common/clock.ts';
import { refused } from '../../api-error.ts';
import { bodyReader, objectOf } from '../../body-reader.ts';
import { json } from '../../response.ts';
import type { Call, Route } from '../../route.ts';
import type { ServiceContext } from '../../../service-context.ts';
import { jobRoute, type OwnJob } from './job-route.ts';

const path = '/local/v1/job/locks';

const doing = 'doing';

const done = 'done';

/** Milliseconds between two checks of a lock. */
const pause = 25;

/** Milliseconds until a response. */
const longestWait = 1000;

const memories = new WeakMap<ServiceContext, Memory>();

const noMemory = (): Memory => ({ locks: new Map(), uploads: new Map() });

export const lockRoutes: readonly Route[] = [
  lockRoute('get', ({ lock }) => lock?.value ?? ''),
  lockRoute('acquire', ({ lock, put, own, service }) => {
    if (lock !== undefined) return undefined;
    return put(`acquired(job=${own.jobId},id=${service.newId()})`);
  }),
  lockRoute('release', ({ lock, put, key, token }) => {
    if (lock === undefined) throw refused(`the lock "${key}" is not taken`);
    if (lock.value !== token) throw refused(`the lock "${key}" was acquired with another token`);
    return put('');
  }),
  lockRoute('do', ({ lock, put }) => {
    if (lock?.value === done) return done;
    if (lock !== undefined) return undefined;
    put(doing);
    return 'do';
  }),
  lockRoute('done', ({ lock, put, own, key }) => {
    if (lock?.value !== doing || lock.jobId !== own.jobId)
      throw refused(`the lock "${key}" is not being done by this job`);
    return put(done);
  }),
];

interface Attempt {
  readonly service: ServiceContext;
  readonly own: OwnJob;
  readonly key: string;
  readonly token: string;
  readonly lock: Lock | undefined;
  readonly put: (value: string) => string;
}

/** `attempt` returns undefined if the lock is not free; it is repeated then. */
function lockRoute(action: string, attempt: (call: Attempt) => string | undefined): Route {
  return jobRoute('POST', `${path}/${action}`, async (call: Call, service, own) => {
    if (call.caller.token.agentId !== undefined)
      throw refused('The locks of an agent are on its own machine');
    const members = bodyReader(objectOf(await call.body()));
    const key = members.required('key');
    const token = members.text('token') ?? '';
    const wait = Math.min(members.integer('wait') ?? 0, longestWait);
    members.done();
    for (let left = wait; ; left -= pause) {
      const { locks } = memoryOf(service);
      const put = (value: string): string => {
        if (value === '') locks.delete(key);
        else locks.set(key, { value, jobId: value === done ? null : own.jobId });
        return value;
      };
      const value = attempt({ service, own, key, token, lock: locks.get(key), put });
      if (value !== undefined || left <= 0) return json({ value: value ?? null });
      await systemClock.sleep(pause);
      // The job may have ended meanwhile.
      if (own.job().state !== 'running') return json({ value: null });
    }
  });
}

interface Lock {
  readonly value: string;
  /** Null once the work of `do` is done. */
  readonly jobId: string | null;
}

interface Memory {
  readonly locks: Map<string, Lock>;
  /** Uploads in progress, by job and the agent's idempotency ID. */
  readonly uploads: Map<string, Promise<void>>;
}

/** Releases the locks of finished jobs. */
export function memoryOf(service: ServiceContext): Memory {
  const memory = memories.get(service) ?? noMemory();
  memories.set(service, memory);
  const running = new Set(service.engine.slots.map(({ jobId }) => jobId));
  for (const [key, { jobId }] of memory.locks)
    if (jobId !== null && !running.has(jobId)) memory.locks.delete(key);
  return memory;
}
