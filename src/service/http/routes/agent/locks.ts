/** `buildkite-agent lock`: locks of this machine, which end with the job that has them. */
import { refused } from '../../api-error.ts';
import { bodyReader, objectOf } from '../../body-reader.ts';
import { empty, json, type RouteResponse } from '../../response.ts';
import type { Call, Route } from '../../route.ts';
import type { ServiceContext } from '../../../service-context.ts';
import { jobRoute, type OwnJob } from './job-route.ts';
import { memoryOf, type Lock } from './memory.ts';

const path = '/local/v1/job/locks';
const doing = 'doing';
const done = 'done';

/** Where a lock has to be waited for, `value` is null: whoever wants it asks again. */
export const lockRoutes: readonly Route[] = [
  lockRoute('get', (lock) => json({ value: lock?.value ?? '' })),
  lockRoute('acquire', (lock, put, { service, own }) => {
    if (lock !== undefined) return json({ value: null });
    const value = `acquired(job=${own.jobId},id=${service.newId()})`;
    put({ value, jobId: own.jobId });
    return json({ value });
  }),
  lockRoute('release', (lock, put, { key, token }) => {
    if (lock === undefined) throw refused(`the lock "${key}" is not taken`);
    if (lock.value !== token) throw refused(`the lock "${key}" was acquired with another token`);
    put(undefined);
    return empty();
  }),
  lockRoute('do', (lock, put, { own }) => {
    if (lock === undefined) {
      put({ value: doing, jobId: own.jobId });
      return json({ value: 'do' });
    }
    return json({ value: lock.value === done ? done : null });
  }),
  lockRoute('done', (lock, put, { own, key }) => {
    if (lock?.value !== doing || lock.jobId !== own.jobId)
      throw refused(`the lock "${key}" is not being done by this job`);
    put({ value: done, jobId: null });
    return empty();
  }),
];

interface LockCall {
  readonly service: ServiceContext;
  readonly own: OwnJob;
  readonly key: string;
  readonly token: string;
}

function lockRoute(
  action: string,
  handle: (
    lock: Lock | undefined,
    put: (lock: Lock | undefined) => void,
    call: LockCall,
  ) => RouteResponse,
): Route {
  return jobRoute('POST', `${path}/${action}`, async (call: Call, service, own) => {
    const members = bodyReader(objectOf(await call.body()));
    const key = members.required('key');
    const token = members.text('token') ?? '';
    members.done();
    const { locks } = memoryOf(service);
    const put = (lock: Lock | undefined): void =>
      lock === undefined ? void locks.delete(key) : void locks.set(key, lock);
    return handle(locks.get(key), put, { service, own, key, token });
  });
}
