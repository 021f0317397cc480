/** Agents that the service itself has started on this machine, and that end with it. */
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { issueToken, type Maker } from '../accounts.ts';
import type { Engine } from '../scheduler/engine.ts';
import type { Organization } from '../domain/records.ts';
import { recordProcesses } from './left-processes.ts';
import { spawnAgent, type AgentProcess } from './spawn-agent.ts';
import { startTimer } from '../../common/clock.ts';
import { isConnected } from '../domain/agents.ts';
import { Refusal } from '../domain/refusal.ts';

export interface WantedAgents {
  readonly organization: Organization;
  /** Absolute path of `buildkite-agent`. */
  readonly binary: string;
  /** Further flags of `buildkite-agent start`. */
  readonly args: readonly string[];
  readonly count: number;
  readonly env: Readonly<Record<string, string>>;
}

export interface AgentProcesses {
  /**
   * The ids of the agents that are connected then. Throws `Refusal` where one of them ends at once
   * or does not connect; all of this call are ended then.
   */
  start(wanted: WantedAgents): Promise<readonly string[]>;
  /** Ends all with their jobs and waits for it; with `kill` they get no time for anything. */
  stop(kill: boolean): Promise<void>;
}

export interface ProcessParts extends Maker {
  readonly dataDir: string;
  /** Base URL of the service. */
  readonly url: string;
  readonly agents: Engine['agents'];
}

export function createAgentProcesses(parts: ProcessParts): AgentProcesses {
  const { dataDir, store } = parts;
  const running = new Set<AgentProcess>();
  const record = (): Promise<void> => recordProcesses(dataDir, running);
  const startOne = async (wanted: WantedAgents, name: string): Promise<AgentProcess> => {
    // Each has a token of its own, by which its agents are known; it is gone with it.
    const { token, secret } = issueToken(parts, {
      ...{ kind: 'agent', userId: null, organizationIds: [wanted.organization.id] },
      ...{ scopes: [], isOnThisMachine: true, description: `cictl local agent start: ${name}` },
    });
    const folder = join(dataDir, 'agents');
    const place = { folder, name, endpoint: `${parts.url}/v3`, token: secret, tokenId: token.id };
    const agent = await spawnAgent(wanted, place);
    running.add(agent);
    void agent.ended.then(() => {
      running.delete(agent);
      store.accounts.removeToken(token.id);
      void record();
    });
    return agent;
  };
  return {
    async start(wanted) {
      const names = freeNames(namesOf(parts.agents, running), wanted.count);
      const started = await Promise.all(names.map((name) => startOne(wanted, name)));
      await record();
      try {
        return (await Promise.all(started.map((one) => untilConnected(one, parts.agents)))).flat();
      } catch (error) {
        await endProcesses(started, parts.agents, true);
        throw error;
      }
    },
    stop: (kill) => endProcesses([...running], parts.agents, kill),
  };
}

const namesOf = (agents: Engine['agents'], running: ReadonlySet<AgentProcess>): string[] => [
  ...agents.present().map(({ agent }) => agent.name),
  ...[...running].map(({ name }) => name),
];

/** `agent-1`, `agent-2` and so on, as far as nobody has them: a checkout goes by the name of its agent. */
function freeNames(taken: readonly string[], count: number): string[] {
  const used = new Set(taken);
  const names: string[] = [];
  for (let number = 1; names.length < count; number++)
    if (!used.has(`agent-${number}`)) names.push(`agent-${number}`);
  return names;
}

/** Milliseconds. */
const longestWait = 30_000;
const pace = 25;

/** The ids of the agents of a process, one where its flags do not say otherwise. Throws `Refusal`. */
async function untilConnected(one: AgentProcess, agents: Engine['agents']): Promise<string[]> {
  const end = performance.now() + longestWait;
  for (;;) {
    const found = agents.present().filter(({ agent }) => agent.registeredWith === one.tokenId);
    if (found.some(({ agent }) => isConnected(agent))) return found.map(({ agent }) => agent.id);
    if (one.hasEnded()) throw await notStarted(one, `has ended (${await one.ended})`);
    if (performance.now() > end) throw await notStarted(one, 'does not connect');
    await new Promise<void>((resolve) => startTimer(pace, resolve));
  }
}

async function notStarted(one: AgentProcess, how: string): Promise<Refusal> {
  const said = stripVTControlCharacters(await one.lastLine()).trim();
  return new Refusal('invalid', `${one.name} ${how}${said === '' ? '' : `: ${said}`}`);
}

/** Milliseconds: jobs get ten seconds of them. */
const longestEnd = 15_000;
/** Milliseconds between two signals that are not to be taken for one. */
const betweenSignals = 250;

/** Ends agents with their jobs: they still say how those ended, but for those that are killed. */
async function endProcesses(
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
