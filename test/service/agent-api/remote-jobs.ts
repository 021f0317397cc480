/** Jobs of a remote agent, which the test plays over HTTP. */
import type { ServiceOptions } from '../../../src/service/start-service.ts';
import { useCounterpart, type Counterpart, type Reply, type Wire } from '../counterpart.ts';
import { callerOf, type RunningJob } from './running-jobs.ts';

export interface RawAgent {
  readonly id: string;
  readonly call: (method: string, path: string, body?: unknown) => Promise<Reply>;
  /** Pings once for work. */
  readonly ping: () => Promise<{ action?: string; message?: string; job?: { id: string } }>;
  /** Accepts the assigned job, and starts it unless told otherwise. */
  readonly take: (how?: 'begin' | 'accept') => Promise<RunningJob>;
}

/** A service without slots that has a build of this file. */
export async function useRemoteBuild(file: string, options: Partial<ServiceOptions> = {}) {
  const service = await useCounterpart({ slots: 0, ...options });
  const pipeline = await service.pipeline('demo', file);
  const made = await service.post(`${pipeline}/builds`, { commit: 'HEAD', branch: 'main' });
  if (made.status !== 201) throw new Error(`the build: ${made.text}`);
  return { service, build: `${pipeline}/builds/1` };
}

export async function registerAgent(service: Counterpart, name = 'raw'): Promise<RawAgent> {
  const body = { name, version: '4.0.0', meta_data: [] };
  const reply = await send(service, service.agentToken, 'POST', '/v3/register', body);
  const { id, access_token: token } = reply.json as Wire & { access_token: string };
  const call = (method: string, path: string, sent?: unknown): Promise<Reply> =>
    send(service, token, method, path, sent);
  await call('POST', '/v3/connect');
  const ping: RawAgent['ping'] = async () => (await call('GET', '/v3/ping')).json;
  const take = async (how = 'begin'): Promise<RunningJob> => {
    const jobId = await offered(ping);
    const accepted = await call('PUT', `/v3/jobs/${jobId}/accept`);
    if (accepted.status !== 200) throw new Error(`accept: ${accepted.text}`);
    const { env, token: ofJob } = accepted.json;
    const job = remoteJob(service, env, ofJob);
    if (how === 'begin') await job.call('PUT', '/v3/jobs/J/start', {});
    return job;
  };
  return { id, call, ping, take };
}

async function offered(ping: RawAgent['ping']): Promise<string> {
  for (;;) {
    const { job } = await ping();
    if (job !== undefined) return job.id;
  }
}

function remoteJob(service: Counterpart, env: Record<string, string>, token: string): RunningJob {
  const [id = '', buildId = '', stepId = ''] = ['JOB', 'BUILD', 'STEP'].map(
    (name) => env[`BUILDKITE_${name}_ID`] ?? '',
  );
  return { id, buildId, stepId, token, call: callerOf(service, { id, buildId, stepId, token }) };
}

const send = (service: Counterpart, token: string, method: string, path: string, body?: unknown) =>
  service.send(path, { method, body, token: null, headers: { authorization: `Token ${token}` } });
