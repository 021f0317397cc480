/**
 * A simulated agent: speaks the protocol of real agents, with measured timing, but starts no
 * processes.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { openConnection } from './connection.js';
import { runJob } from './job.js';
import { constant, retried } from './retries.js';

/**
 * Registers and connects, then takes jobs until it is closed.
 *
 * @param {object} options
 * @param {string} options.endpoint `http://HOST:PORT/v3`
 * @param {string} options.token registration token
 * @param {string} options.name
 * @param {string[]} [options.tags]
 * @param {number} [options.pace] real seconds per second of its intervals
 * @param {number} [options.skew] how far its clock is ahead, in milliseconds
 * @param {(event: string, facts: object) => void} [options.report]
 */
export async function startAgent(options) {
  const {
    endpoint,
    token,
    name,
    tags = [],
    pace = 1,
    skew = 0,
    report = () => undefined,
  } = options;
  const { send, close } = openConnection(endpoint);
  const registered = await retried(
    () => send({ method: 'POST', path: '/register', token, body: introduction(name, tags) }),
    { attempts: 30, wait: constant(10, pace) },
  );
  if (registered?.status !== 200) throw new Error(`register: ${JSON.stringify(registered)}`);
  const { body } = registered;
  const ended = new AbortController();
  const agent = {
    ...{ send, token: body.access_token, pace, report, signal: ended.signal },
    statusInterval: body.job_status_interval * 1000 * pace,
    now: () => new Date(Date.now() + skew).toISOString().replace('Z', '123456Z'),
  };
  const connect = { method: 'POST', path: '/connect', token: agent.token };
  await retried(() => send(connect), { attempts: 10, wait: constant(5, pace) });
  const loops = [
    takeJobs(agent, body.ping_interval * 1000 * pace),
    beat(agent, body.heartbeat_interval * 1000 * pace),
  ];
  return {
    ...{ id: body.id, name: body.name, token: agent.token, send },
    /** Like SIGKILL. */
    kill: async () => {
      ended.abort();
      close();
      await Promise.allSettled(loops);
    },
    /** Like SIGTERM to an idle agent. */
    disconnect: async () => {
      ended.abort();
      await send({ method: 'POST', path: '/disconnect', token: agent.token }).catch(
        () => undefined,
      );
      close();
      await Promise.allSettled(loops);
    },
  };
}

const introduction = (name, tags) => ({
  ...{ name, hostname: 'simulated', os: 'simulated', arch: 'amd64', script_eval_enabled: true },
  ...{ ignore_in_dispatches: false, version: '4.0.0-simulated', build: 'x', meta_data: tags },
  ...{ pid: process.pid, machine_id: 'simulated', features: [] },
});

/** Waits for one to two intervals, then pings; after a job, at most one interval. */
async function takeJobs(agent, interval) {
  const { send, token, signal, report } = agent;
  let wait = Math.random() * interval;
  while (!signal.aborted) {
    await sleep(wait, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    const reply = await send({ method: 'GET', path: '/ping', token }).catch(() => undefined);
    if (reply !== undefined && [401, 404, 410, 422].includes(reply.status))
      return report('gone', { status: reply.status });
    if (reply?.status !== 200) report('unanswered', { status: reply?.status });
    if (reply?.body?.action === 'disconnect') return report('gone', {});
    const id = reply?.body?.job?.id;
    if (id !== undefined) await runJob(id, agent);
    wait = (id === undefined ? interval : 0) + Math.random() * interval;
  }
}

async function beat({ send, token, signal, now }, interval) {
  while (!signal.aborted) {
    await sleep(interval, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    const body = { sent_at: now() };
    await send({ method: 'POST', path: '/heartbeat', token, body }).catch(() => undefined);
  }
}
