/** Agents that the service itself has started on this machine, and that end with it. */
import { join } from 'node:path';
import { issueToken, type Maker } from '../accounts.ts';
import type { Engine } from '../scheduler/engine.ts';
import type { Organization } from '../domain/records.ts';
import { endProcesses } from './end-processes.ts';
import { freeNames } from './free-names.ts';
import { recordProcesses } from './left-processes.ts';
import { spawnAgent, type AgentProcess } from './spawn-agent.ts';
import { untilConnected } from './until-connected.ts';

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
