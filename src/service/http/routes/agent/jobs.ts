import { setJobPriority } from '../../../domain/step-changes.ts';
import { keyOf } from '../../../scheduler/known-secrets.ts';
import { ApiError, notFound, refused, badRequest } from '../../api-error.ts';
import { objectOf, bodyReader, isObject } from '../../body-reader.ts';
import { json, empty } from '../../response.ts';
import type { Route, Call } from '../../route.ts';
import { jobRoute, type OwnJob } from './job-route.ts';
import { promiseFailure } from '../../../domain/job-lifecycle.ts';
import type { ServiceContext } from '../../../service-context.ts';
import type { HeaderTime } from '../../../store/tables/header-times.ts';
import { readPause } from '../../agents.ts';

export const agentJobRoutes: readonly Route[] = [
  jobRoute('PUT', '/v3/jobs/:job', async (call, { engine, clock }, { buildId, jobId }) => {
    const members = Object.entries(objectOf(await call.body()));
    const other = members.find(([name]) => name !== 'priority')?.[0];
    if (other !== undefined)
      throw refused(`The job attribute "${other}" cannot be changed; only priority can`);
    const [, value] = members[0] ?? [];
    if (typeof value !== 'string') throw refused('priority must be a string');
    engine.change(buildId, (tree) => setJobPriority(tree, jobId, value, clock.now()));
    return json({ id: jobId });
  }),
  jobRoute('GET', '/v3/jobs/:job/secrets', ({ query }, { engine, store }, own) => {
    const secrets = own.secrets();
    const wanted = query.get('key') ?? '';
    const key = keyOf(secrets, wanted);
    const value = key === undefined ? undefined : secrets[key];
    if (key === undefined || value === undefined) throw notFound(`secret "${wanted}"`);
    store.givenSecrets.add(own.buildId, key);
    // Redaction starts before the job can print the value.
    engine.slots.find(({ jobId }) => jobId === own.jobId)?.running?.redact([value]);
    return json({ key, value, uuid: own.jobId });
  }),
  jobRoute('POST', '/v3/jobs/:job/oidc/tokens', () => {
    throw new ApiError(
      422,
      'This service issues no OIDC tokens, because it has no public URL for verifying them',
    );
  }),
  // As soon as a job promises to fail, the state of its build becomes `failing`.
  jobRoute('PUT', '/v3/jobs/:job/promise_failure', async (call, { engine, clock }, own) => {
    const promise = readPromise(await call.body());
    const { exitStatus = promise.exitStatus } = own.job().promised ?? {};
    if (exitStatus !== promise.exitStatus)
      throw new ApiError(409, `This job has already promised the exit status ${exitStatus}`);
    engine.change(own.buildId, (tree) => promiseFailure(tree, own.jobId, promise, clock.now()));
    return empty();
  }),
  // The public agent provides the job's environment through a local socket.
  jobRoute('GET', '/local/v1/job/env', (_, service, own) =>
    json({ env: runningOf(service, own).environment.get() }),
  ),
  jobRoute('PATCH', '/local/v1/job/env', async (call, service, own) => {
    const { environment } = runningOf(service, own);
    const members = bodyReader(await call.body());
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
    const members = bodyReader(await call.body());
    const values = members.texts('values') ?? [];
    members.done();
    runningOf(service, own).redact(values.filter((value) => value !== ''));
    return empty();
  }),
  // Start times of log sections, sent by agents that do not write them to the log.
  jobRoute('POST', '/v3/jobs/:job/header_times', async (call, { store }, own) => {
    const times = readTimes(objectOf(await call.body())['header_times']);
    store.transaction(() => store.headerTimes.put(own, times));
    return empty();
  }),
  // `buildkite-agent stop`, `pause` and `resume`, called by the agent's own job.
  controlRoute('stop', async (call) => {
    const members = bodyReader(await call.body());
    const atOnce = members.flag('force');
    members.done();
    return (agents, id) => agents.stop(id, atOnce);
  }),
  controlRoute('pause', async (call, { clock }) => {
    const { note, minutes } = readPause(await call.body());
    const until = clock.now() + minutes * 60_000;
    return (agents, id) => agents.pause(id, note, until, call.caller.token.userId);
  }),
  controlRoute('resume', () => Promise.resolve((agents, id) => agents.resume(id))),
];

function readPromise(body: unknown): { exitStatus: number; reason: string | null } {
  const members = bodyReader(body);
  const exitStatus = members.integer('exit_status');
  const reason = members.text('reason') ?? null;
  if (exitStatus === undefined || exitStatus < 1 || exitStatus > 255)
    members.reject('exit_status', 'exit_status must be a number between 1 and 255');
  members.done();
  return { exitStatus: exitStatus ?? 1, reason };
}

const readOnly =
  /^(CICTL_(BASE_URL|TOKEN)|BUILDKITE_(AGENT_(ACCESS_TOKEN|ENDPOINT|NAME|ID)|BUILD_(ID|NUMBER|PATH|CHECKOUT_PATH)|JOB_ID|STEP_ID|COMMAND_EVAL|PLUGINS_ENABLED))$/;

/** Throws `ApiError` 422 if no process of the job runs on this machine. */
function runningOf({ engine }: ServiceContext, { jobId }: OwnJob) {
  const running = engine.slots.find((slot) => slot.jobId === jobId)?.running;
  if (running === undefined || running === null) throw refused('The job is not running here');
  return running;
}

function checkName(name: string): void {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
    throw refused(`"${name}" is not a valid environment variable name`);
  if (readOnly.test(name)) throw refused(`${name} is read-only`);
}

const form = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)$/;

function readTimes(given: unknown): HeaderTime[] {
  if (!isObject(given)) throw badRequest('header_times must be an object');
  return Object.entries(given).map(([position, text]) => {
    const time = typeof text === 'string' ? nanoseconds(text) : undefined;
    if (!/^\d{1,5}$/.test(position) || time === undefined)
      throw badRequest('header_times must contain times, such as {"0":"2026-11-21T20:30:31.095Z"}');
    return { position: Number(position), time };
  });
}

/** Converts an RFC 3339 time to nanoseconds, which `Date` cannot represent. */
function nanoseconds(text: string): string | undefined {
  const [, second = '', fraction = '', zone = ''] = form.exec(text) ?? [];
  const at = Date.parse(`${second}${zone}`);
  if (Number.isNaN(at) || at < 0) return undefined;
  return `${at / 1000}${fraction.slice(0, 9).padEnd(9, '0')}`;
}

/** `read` returns an action. The action returns false if the agent is disconnected. */
function controlRoute(
  name: 'stop' | 'pause' | 'resume',
  read: (
    call: Call,
    service: ServiceContext,
  ) => Promise<(agents: ServiceContext['engine']['agents'], id: string) => boolean>,
): Route {
  return jobRoute('POST', `/v3/${name}`, async (call, service) => {
    const { agentId } = call.caller.token;
    if (agentId === undefined)
      throw refused(`Jobs cannot ${name} the service's own slots (see cictl local status)`);
    const act = await read(call, service);
    if (!act(service.engine.agents, agentId)) throw notFound('agent');
    return empty();
  });
}
