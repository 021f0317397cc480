/** Measures real agents, which check out the code and start a shell for each job. */
import { setTimeout as sleep } from 'node:timers/promises';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { startBenchService } from './bench-service.js';
import { findAgent, startRealAgents } from './real-agents.js';

const jobs = 200;
const agents = 20;

export const realAgentRows = [
  {
    name: `${jobs} jobs on ${agents} real agents, a second`,
    against: 'one a second',
    run: realAgents,
  },
];

async function realAgents(root) {
  findAgent();
  const service = await startBenchService(root);
  const folder = await mkdtemp(join(root, 'real-'));
  const { endpoint, agentToken: token } = service;
  const real = startRealAgents({ endpoint, token, count: agents, folder });
  try {
    const create = await service.pipeline(jobs, 'true');
    const from = performance.now();
    await service.send(create);
    await untilPassed(service, create.path);
    const rate = (jobs * 1000) / (performance.now() - from);
    return { ours: rate, theirs: 1, ratio: rate, note: `, each once` };
  } finally {
    await real.close();
    await service.close();
  }
}

/** Throws unless the build passes. */
async function untilPassed(service, path) {
  for (;;) {
    const build = await service.read(`${path}/1`);
    if (build.state === 'passed') return;
    if (!['scheduled', 'running'].includes(build.state)) throw new Error(`build ${build.state}`);
    await sleep(200);
  }
}
