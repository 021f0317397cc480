/** A service, one of its users, and the real agents that run its jobs. */
import { join } from 'node:path';
import { cictl, type CliOptions, type CliResult } from '../support/cli.ts';
import { createRepository, type GitRepository } from '../support/git-repository.ts';
import type { Home } from '../support/home.ts';
import type { AgentProgram } from '../support/agents.ts';
import { readBuilds, type Builds } from './builds.ts';
import { startAgent, type AgentOptions, type RealAgent } from './start-agent.ts';

export interface Scene extends Builds {
  readonly program: AgentProgram;
  readonly home: Home;
  readonly url: string;
  readonly agents: readonly RealAgent[];
  /** Starts an agent, which is killed with the scene. */
  readonly agent: (options?: AgentOptions) => RealAgent;
  readonly cictl: (args: readonly string[], options?: CliOptions) => Promise<CliResult>;
  /**
   * Creates a pipeline (default `p`) with a new checkout that contains these YAML steps and files.
   */
  readonly pipeline: (
    steps: string,
    files?: Readonly<Record<string, string>>,
    slug?: string,
  ) => Promise<GitRepository>;
  /** Creates a build of the pipeline; returns its number. */
  readonly create: (slug?: string) => Promise<number>;
  readonly close: () => Promise<void>;
}

export interface SceneOptions {
  readonly program: AgentProgram;
  readonly home: Home;
  readonly url: string;
  readonly token: string;
  readonly agentToken: string;
  /** Stops the service and removes its directories. */
  readonly close: () => Promise<void>;
}

export function createScene({ program, home, url, token, agentToken, close }: SceneOptions): Scene {
  const agents: RealAgent[] = [];
  const place = { program, endpoint: `${url}/v3`, token: agentToken, env: home.env };
  const root = join(home.root, 'agents');
  const run = (args: readonly string[], more?: CliOptions): Promise<CliResult> =>
    cictl(args, { home, ...more });
  return {
    ...readBuilds(url, token),
    ...{ program, home, url, agents, cictl: run },
    agent(options = {}) {
      const agent = startAgent({ ...place, root }, options);
      agents.push(agent);
      return agent;
    },
    async pipeline(steps, files = {}, slug = 'p') {
      const checkout = createRepository(join(home.cwd, slug));
      checkout.commit({ '.buildkite/pipeline.yml': `steps:\n${steps}\n`, ...files });
      await succeed(run(['local', 'pipeline', 'add', checkout.folder, '--slug', slug]));
      return checkout;
    },
    async create(slug = 'p') {
      const words = ['builds', 'create', '-p', slug, '-c', 'HEAD', '-b', 'main', '-m', 'test'];
      const { stdout } = await succeed(run([...words, '--jq', '.number']));
      return Number(stdout);
    },
    async close() {
      for (const agent of agents) agent.signal('SIGKILL');
      await Promise.all(agents.map(({ ended }) => ended));
      await close();
    },
  };
}

async function succeed(running: Promise<CliResult>): Promise<CliResult> {
  const result = await running;
  if (result.exitCode !== 0) throw new Error(result.stderr);
  return result;
}
