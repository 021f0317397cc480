/**
 * `node bench/agents/kills.js [KILLS [JOBS [AGENTS]]] [--real]`: kills the service while agents run
 * jobs (by default 100 times, with 300 jobs on 20 agents) and prints what is wrong afterwards.
 * `--real` uses real agents.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { killWhileWorking } from './kill-while-working.js';

const options = { real: { type: 'boolean', default: false } };
const { values, positionals } = parseArgs({ options, allowPositionals: true });
const [kills = 100, jobs = 300, agents = 20] = positionals.map(Number);
const folder = await mkdtemp(join(tmpdir(), 'cictl-kills-'));
try {
  // As long as the kills take.
  const seconds = (kills * 1.6 * agents) / jobs;
  const order = { folder, kills, jobs, agents, seconds, isReal: values.real };
  const result = await killWhileWorking(order);
  const { wrong, ...rest } = result;
  const shown = { ...rest, wrong: wrong.length, first: wrong.slice(0, 20) };
  process.stdout.write(`${JSON.stringify(shown, undefined, 2)}\n`);
  process.exitCode = wrong.length === 0 ? 0 : 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
process.exit();
