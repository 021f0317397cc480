/** The life of one job on a simulated agent: accept, start, poll for cancellation, log, finish. */
import { setTimeout as sleep } from 'node:timers/promises';
import { perform } from './commands.js';
import { openLog } from './log-upload.js';
import { constant, doubled, growing, retried } from './retries.js';

/**
 * @param {string} id
 * @param {object} agent `{ send, token, pace, statusInterval, now, signal, report }`
 */
export async function runJob(id, agent) {
  const { send, pace, report, signal } = agent;
  const path = `/jobs/${id}`;
  const accept = { method: 'PUT', path: `${path}/accept`, token: agent.token };
  const accepted = await retried(() => send(accept), {
    ...{ attempts: 30, wait: constant(5, pace), signal },
  });
  if (accepted?.status !== 200) return report('refused', { id, status: accepted?.status });
  report('accepted', { id, runnableAt: Date.parse(accepted.body.runnable_at), at: Date.now() });
  const token = accepted.body.token || agent.token;
  const start = { method: 'PUT', path: `${path}/start`, token, body: { started_at: agent.now() } };
  const started = await retried(() => send(start), { attempts: 7, wait: doubled(pace), signal });
  if (started === undefined || started.status >= 300)
    return report('dropped', { id, status: started?.status });
  report('started', { id });
  await work(accepted.body, { ...agent, path, token });
}

async function work(job, agent) {
  const { send, path, token, pace, report } = agent;
  const log = openLog({ send, path, token, size: job.chunks_max_size_bytes, pace });
  const canceled = new AbortController();
  const done = new AbortController();
  const watched = watch(agent, canceled, done.signal);
  const command = job.env.BUILDKITE_COMMAND ?? '';
  const status = await perform(command, log, AbortSignal.any([canceled.signal, agent.signal]));
  done.abort();
  await watched;
  if (agent.signal.aborted) return;
  const finish = {
    ...{ method: 'PUT', path: `${path}/finish`, token },
    body: {
      ...{ exit_status: canceled.signal.aborted ? '-1' : String(status) },
      ...(canceled.signal.aborted && { signal: 'SIGTERM', signal_reason: 'cancel' }),
      ...{ finished_at: agent.now(), chunks_failed_count: await log.close() },
    },
  };
  const finished = await retried(() => send(finish), { attempts: 12, wait: growing(pace) });
  report('finished', { id: job.id, status: finished?.status, exitStatus: finish.body.exit_status });
}

/** Like real agents: first at a random time within the interval, then once per interval. */
async function watch({ send, path, token, statusInterval }, canceled, signal) {
  let wait = Math.random() * statusInterval;
  for (;;) {
    await sleep(wait, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    const reply = await send({ method: 'GET', path, token }).catch(() => undefined);
    if (reply?.status === 401 || stopped.has(reply?.body?.state)) return canceled.abort();
    wait = statusInterval;
  }
}

const stopped = new Set(['canceling', 'canceled', 'timing_out', 'timed_out']);
