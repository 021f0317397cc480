import { startTimer } from '../../common/clock.ts';
import type { Engine } from '../scheduler/engine.ts';
import type { AgentProcess } from './spawn-agent.ts';

/** Milliseconds: jobs get ten seconds of them. */
const longestEnd = 15_000;
/** Milliseconds between two signals that are not to be taken for one. */
const betweenSignals = 250;

/** Ends agents with their jobs: they still say how those ended, but for those that are killed. */
export async function endProcesses(
  all: readonly AgentProcess[],
  agents: Engine['agents'],
  kill: boolean,
): Promise<void> {
  if (all.length === 0) return;
  const gone = Promise.all(all.map(({ ended }) => ended));
  if (!kill) await endInOrder(all, agents, gone);
  for (const one of all) if (!one.hasEnded()) one.kill('SIGKILL');
  await gone;
}

/** The first TERM lets a job go on, the second ends it. */
async function endInOrder(
  all: readonly AgentProcess[],
  agents: Engine['agents'],
  gone: Promise<unknown>,
): Promise<void> {
  const tokens = new Set(all.map(({ tokenId }) => tokenId));
  for (const { agent } of agents.present())
    // One that waits for work hears it at once.
    if (tokens.has(agent.registeredWith)) agents.stop(agent.id, false);
  for (const one of all) one.kill('SIGTERM');
  await within(betweenSignals, gone);
  for (const one of all) if (!one.hasEnded()) one.kill('SIGTERM');
  await within(longestEnd, gone);
}

const within = (ms: number, done: Promise<unknown>): Promise<unknown> => {
  const late = new Promise<void>((resolve) => {
    const timer = startTimer(ms, resolve);
    void done.finally(() => timer.stop());
  });
  return Promise.race([done, late]);
};
