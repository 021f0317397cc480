/**
 * Agents run jobs while their service is repeatedly killed and restarted; checks each job
 * afterwards.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startAgent } from './agent.js';
import { checkJobs, commandOf } from './check-jobs.js';
import { startKilledService } from './killed-service.js';
import { createBuild } from './create-build.js';
import { startRealAgents } from './real-agents.js';

/**
 * @param {{ folder: string, kills: number, jobs: number, agents: number, isReal?: boolean, pace?:
 * number, seconds?: number }} options
 * `pace`: real seconds per second of a simulated agent; `seconds`: approximate duration of a job
 * @returns {Promise<{ kills: number, seconds: number, wrong: string[] }>} `wrong`: one line per
 * error
 */
export async function killWhileWorking(options) {
  const { folder, kills, jobs } = options;
  const from = performance.now();
  const service = await startKilledService(join(folder, 'data'));
  const runs = join(folder, 'runs');
  const file = options.isReal ? runs : null;
  const steps = Array.from({ length: jobs }, (_, n) => commandOf(n, file, options.seconds));
  const build = await createBuild(service.access, folder, steps);
  const agents = await (options.isReal ? real : simulated)(options, service.access, runs);
  const killed = await killUntilDone(service, build, kills);
  const wrong = await checkJobs(build, jobs, await agents.runs());
  await agents.close();
  await service.kill();
  return { kills: killed, seconds: Math.round((performance.now() - from) / 1000), wrong };
}

/** Until the build is finished; returns how often the service was killed. */
async function killUntilDone(service, build, kills) {
  for (let killed = 0; ; killed++) {
    if ((await build.read()).finished_at !== null) return killed;
    if (killed >= kills) {
      await sleep(100);
      killed--;
      continue;
    }
    await sleep(50 + Math.random() * 1000);
    await service.kill();
    await service.start();
  }
}

async function simulated({ agents, pace = 0.1 }, { url, agentToken: token }) {
  const runs = [];
  const report = (event, { id }) => event === 'started' && runs.push(id);
  const endpoint = `${url}/v3`;
  const all = await Promise.all(
    Array.from({ length: agents }, (_, n) =>
      startAgent({ endpoint, token, name: `simulated-${n}`, pace, report }),
    ),
  );
  return { runs: () => runs, close: () => Promise.all(all.map((agent) => agent.kill())) };
}

function real({ agents, folder }, { url, agentToken: token }, file) {
  const all = startRealAgents({ endpoint: `${url}/v3`, token, count: agents, folder });
  const runs = async () => (await readFile(file, 'utf8')).trim().split('\n');
  return { runs, close: () => all.close() };
}
