/** What the public agent does over a socket of its own: environment and log of the running job. */
import type { ServiceContext } from '../../../service-context.ts';
import { refused } from '../../api-error.ts';
import { bodyReader, objectOf } from '../../body-reader.ts';
import { empty, json } from '../../response.ts';
import type { Route } from '../../route.ts';
import { jobRoute, type OwnJob } from './job-route.ts';

export const localJobRoutes: readonly Route[] = [
  jobRoute('GET', '/local/v1/job/env', (_, service, own) =>
    json({ env: runningOf(service, own).environment.get() }),
  ),
  jobRoute('PATCH', '/local/v1/job/env', async (call, service, own) => {
    const { environment } = runningOf(service, own);
    const members = bodyReader(objectOf(await call.body()));
    const set = members.map('set');
    const unset = members.texts('unset') ?? [];
    for (const name of [...Object.keys(set), ...unset]) checkName(name);
    members.done();
    const before = environment.get();
    if (Object.keys(set).length > 0) environment.set(set);
    if (unset.length > 0) environment.unset(unset);
    const names = Object.keys(set).sort();
    const isNew = (name: string): boolean => !Object.hasOwn(before, name);
    return json({
      added: names.filter(isNew),
      updated: names.filter((name) => !isNew(name)),
      unset: unset.filter((name) => !isNew(name)).sort(),
    });
  }),
  jobRoute('POST', '/local/v1/job/redactions', async (call, service, own) => {
    const members = bodyReader(objectOf(await call.body()));
    const values = members.texts('values') ?? [];
    members.done();
    runningOf(service, own).redact(values.filter((value) => value !== ''));
    return empty();
  }),
];

type Running = NonNullable<ServiceContext['engine']['slots'][number]['running']>;

/** The process of the job. Throws `ApiError` 422 where it has none yet. */
function runningOf({ engine }: ServiceContext, { jobId }: OwnJob): Running {
  const running = engine.slots.find((slot) => slot.jobId === jobId)?.running;
  if (running === undefined || running === null) throw refused('The job is not running here');
  return running;
}

function checkName(name: string): void {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
    throw refused(`"${name}" is no name of an environment variable`);
  if (readOnly.test(name)) throw refused(`${name} is read-only`);
}

/** What the service itself sets, and a job cannot change. */
const readOnly =
  /^(CICTL_(BASE_URL|TOKEN)|BUILDKITE_(AGENT_(ACCESS_TOKEN|ENDPOINT|NAME|ID)|BUILD_(ID|NUMBER|PATH|CHECKOUT_PATH)|JOB_ID|STEP_ID|COMMAND_EVAL|PLUGINS_ENABLED))$/;
