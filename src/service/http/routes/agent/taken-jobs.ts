import { readAtMost, bodyReader } from '../../body-reader.ts';
import { promisify } from 'node:util';
import { gunzip, gunzipSync } from 'node:zlib';
import { stateForAgent, NotYetError, type TakenJob } from '../../../scheduler/agents/jobs.ts';
import { findJob } from '../../../domain/find-job.ts';
import type { Job, Tree } from '../../../domain/records.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { checkoutMismatch } from '../../../scheduler/checkout.ts';
import { remoteEnvironment } from '../../../scheduler/environment.ts';
import type { ServiceContext } from '../../../service-context.ts';
import { codeFor, type CodeVariables } from '../../../snapshots/code-for.ts';
import { refuseSkippedHooks } from '../skipped-hooks.ts';
import { ClosingError } from '../../../snapshots/snapshots.ts';
import { ApiError, unauthorized, badRequest, refused } from '../../api-error.ts';
import { iso } from '../../present/scalars.ts';
import { json, type RouteResponse } from '../../response.ts';
import { session, route, type Call, type Route } from '../../route.ts';
import { agentOf, gone } from './presence.ts';
import { signalReasons, type CommandStep } from '../../../pipeline/plan.ts';
import type { Outcome } from '../../../runner-port.ts';
import type { RemoteAgent } from '../../../domain/agents.ts';
import { isWithAgent } from '../../../domain/job-states.ts';

const job = { audience: 'job' } as const;

export const takenJobRoutes: readonly Route[] = [
  route('PUT', '/v3/jobs/:job/accept', session, (call, service) => take(call, service, 'accept')),
  route('PUT', '/v3/jobs/:job/acquire', session, (call, service) => take(call, service, 'acquire')),
  route('PUT', '/v3/jobs/:job/start', job, (call, { engine }) => {
    engine.agents.begin(ownJob(call));
    return json({});
  }),
  route('GET', '/v3/jobs/:job', job, (call, { engine, store }) => {
    const { jobId, buildId, agentId } = ownJob(call);
    engine.agents.seen(agentId, jobId);
    const tree = store.builds.tree(buildId);
    const found = tree && findJob(tree, jobId);
    const version = engine.agents.find(agentId)?.agent.version ?? '';
    // Another agent may have taken the job in the meantime.
    const own = found?.agent?.id === agentId ? found : undefined;
    return json({ id: jobId, state: stateForAgent(own, version) });
  }),
  route('PUT', '/v3/jobs/:job/finish', job, async (call, service) => {
    const { jobId, buildId, agentId } = ownJob(call);
    const { outcome, isLast } = readOutcome(await call.body());
    service.engine.agents.seen(agentId, jobId);
    await service.engine.agents.end({ agentId, buildId, jobId }, outcome, isLast);
    return json({});
  }),
];

function ownJob({ caller, params }: Call<'job'>) {
  const { jobId, buildId, agentId } = caller.token;
  if (jobId === null || buildId === null || agentId === undefined) throw unauthorized('job');
  if (params.job !== jobId) throw new ApiError(401, `This token is only valid for job ${jobId}`);
  return { jobId, buildId, agentId };
}

async function take(
  call: Call<'job'>,
  service: ServiceContext,
  how: 'accept' | 'acquire',
): Promise<RouteResponse> {
  const id = agentOf(call);
  const { agents } = service.engine;
  const found = agents.find(id);
  if (found === undefined) throw gone();
  const secret = (call.header('authorization') ?? '').trim().split(/\s+/)[1] ?? '';
  const taken = orLater(() => agents[how](id, call.params.job, secret));
  try {
    return json(await presentTaken(service, taken, call.origin, id));
  } catch (error) {
    // The agent retries and gets the job after the service has restarted.
    if (error instanceof ClosingError) throw new ApiError(503, error.message);
    agents.refuse(taken.tree.build.id, taken.job.id, error);
    throw new Refusal('invalid', error instanceof Error ? error.message : String(error));
  }
}

/** Throws `ApiError` 423 if the job is not available yet. The agent then retries. */
function orLater<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (!(error instanceof NotYetError)) throw error;
    throw new ApiError(423, error.message, { headers: { 'retry-after': '2' } });
  }
}

async function presentTaken(
  service: ServiceContext,
  { tree, job: taken, token }: TakenJob,
  origin: string,
  agentId: string,
): Promise<object> {
  const agent = service.engine.agents.find(agentId)?.agent;
  if (agent === undefined) throw gone();
  const step = tree.plan.steps[taken.step];
  const command = step?.type === 'command' ? step : undefined;
  const secrets = stepSecrets(agent, command?.secrets ?? []);
  const needsCode = command?.skipCheckout !== true;
  const code: CodeVariables = needsCode ? await codeFor(service, tree, agent, origin) : { env: {} };
  if (code.inPlace !== undefined) await checkPlace(service, code.inPlace, tree, taken);
  return {
    ...{ id: taken.id, state: 'accepted', token },
    ...{ chunks_max_size_bytes: 102_400, chunks_interval_seconds: 1 },
    log_max_size_bytes: service.logs.maxSize,
    env: remoteEnvironment(service, tree, taken, agent, code.env),
    step: { command: command?.command ?? '', secrets },
    runnable_at: taken.runnableAt === null ? null : iso(taken.runnableAt),
    priority: taken.priority,
  };
}

/** Throws if hooks would be skipped. Logs a notice if the directory is at another commit. */
async function checkPlace(
  service: ServiceContext,
  folder: string,
  { build, plan }: Tree,
  { id, step, logStart }: Job,
): Promise<void> {
  const { engine, logs } = service;
  await refuseSkippedHooks(service, { folder }, build, plan.steps.slice(step, step + 1));
  const notice = await checkoutMismatch(folder, build.commit);
  if (notice === undefined || logStart !== undefined || !logs.isEmpty(id)) return;
  const line = `${notice}\n`;
  const start = (job: Job): Job =>
    job.id === id ? { ...job, logStart: Buffer.byteLength(line) } : job;
  engine.change(build.id, (tree) => ({ ...tree, jobs: tree.jobs.map(start) }));
  logs.appendNow(id, line);
}

function readOutcome(body: unknown): { readonly outcome: Outcome; readonly isLast: boolean } {
  const members = bodyReader(body);
  const status = members.required('exit_status');
  const signal = members.text('signal') ?? '';
  const reason = members.text('signal_reason') ?? '';
  const isLast = members.flag('ignore_agent_in_dispatches');
  if (!/^-?\d{1,10}$/.test(status)) members.reject('exit_status', 'exit_status must be a number');
  if (signal.length > 20)
    members.reject('signal', 'signal must be the name of a signal', 'too_long');
  members.done();
  const signalReason = signalReasons.find((one) => one === reason) ?? null;
  return {
    outcome: { exitStatus: Number(status), signal: signal || null, signalReason, timedOut: false },
    isLast,
  };
}

/** Throws if the agent cannot fetch secrets, because the job would otherwise run without them. */
function stepSecrets(
  { version }: Pick<RemoteAgent, 'version'>,
  secrets: CommandStep['secrets'],
): object[] {
  if (secrets.length > 0 && !fetchesSecrets(version))
    throw new Error(
      `agent version ${version} does not support secrets of steps (${secrets.map(({ key }) => key).join(', ')}): upgrade the agent, or call buildkite-agent secret get in the command`,
    );
  return secrets.map(({ key, variable }) => ({ key, environment_variable: variable }));
}

/** Agents can fetch secrets since version 3.106. A version without a number is a custom build. */
function fetchesSecrets(version: string): boolean {
  const [, major, minor] = /^v?(\d+)\.(\d+)/.exec(version) ?? [];
  return major === undefined || Number(major) > 3 || (Number(major) === 3 && Number(minor) >= 106);
}

// Chunks of a job's log, in any order and possibly repeated.

/** In bytes. Exceeds the chunk size that agents are told to use, because some ignore it. */
const maxPiece = 4 * 1024 * 1024;

const unzip = promisify(gunzip);

/** In bytes. */
const small = 16 * 1024;

export const chunkRoute: Route = route(
  'POST',
  '/v3/jobs/:job/chunks',
  { audience: 'job' },
  async (call, { engine, store, logPieces }) => {
    const { jobId, agentId } = ownJob(call);
    const { offset, size } = readPlace(call);
    engine.agents.seen(agentId, jobId);
    const bytes = await readPiece(call, size);
    const job = store.builds.job(jobId)?.job;
    // If the job's agent was lost, later chunks of its log are ignored.
    const isOwn = job?.agent?.id === agentId && job.signalReason !== 'agent_lost';
    if (isOwn) await logPieces.write(jobId, offset + (job.logStart ?? 0), bytes);
    if (isOwn && !isWithAgent(job)) await logPieces.finish(jobId);
    return json({});
  },
);

function readPlace({ query }: Call): { offset: number; size: number } {
  const [sequence, offset, size] = ['sequence', 'offset', 'size'].map((name) => {
    const text = query.get(name) ?? '';
    return /^\d{1,15}$/.test(text) ? Number(text) : NaN;
  });
  if (!sequence) throw badRequest('sequence must be a number greater than 0');
  if (offset === undefined || Number.isNaN(offset)) throw badRequest('offset must be a number');
  if (size === undefined || Number.isNaN(size)) throw badRequest('size must be a number');
  if (size > maxPiece) throw refused(`A chunk can have at most ${maxPiece} bytes`);
  return { offset, size };
}

async function readPiece(call: Call, size: number): Promise<Buffer> {
  const isPacked = call.header('content-encoding')?.toLowerCase() === 'gzip';
  // Reads the entire body, because a client that is still sending would not read the response.
  const sent = await readAtMost(call.content(), size + 1024 + Math.ceil(size / 100), Infinity);
  if (sent === undefined) throw refused('The chunk is larger than its declared size');
  const bytes = isPacked ? await unpack(sent, size) : sent;
  if (bytes.byteLength === size) return bytes;
  throw badRequest(`The chunk has ${bytes.byteLength} bytes instead of the declared ${size}`);
}

async function unpack(sent: Buffer, size: number): Promise<Buffer> {
  try {
    const options = { maxOutputLength: Math.max(1, size) };
    // For small chunks, decompressing in this thread is faster than starting another thread.
    return size <= small ? gunzipSync(sent, options) : await unzip(sent, options);
  } catch {
    throw badRequest('The chunk is not valid gzip data of the declared size');
  }
}
