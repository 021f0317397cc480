/** Runs the bundled `buildkite-agent` in its own process. */
import { join } from 'node:path';
import { execa } from 'execa';
import { useHome, type Home } from '../support/home.ts';
import { timeLimit } from '../support/time-limit.ts';

export interface AgentResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number | undefined;
  readonly home: Home;
}

export interface AgentOptions {
  readonly home?: Home;
  readonly stdin?: string;
  /** Undefined removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

const program = join(import.meta.dirname, '../../dist/buildkite-agent.cjs');

/** Runs as the job `J` of the build `B` of a service. */
export async function agent(
  url: string,
  args: readonly string[],
  { home, stdin = '', env = {} }: AgentOptions = {},
): Promise<AgentResult> {
  const used = home ?? (await useHome());
  const { stdout, stderr, exitCode } = await execa(process.execPath, [program, ...args], {
    cwd: used.cwd,
    input: stdin,
    reject: false,
    stripFinalNewline: false,
    timeout: timeLimit,
    extendEnv: false,
    env: {
      ...{ BUILDKITE_AGENT_ENDPOINT: `${url}/v3`, BUILDKITE_AGENT_ACCESS_TOKEN: 'tok' },
      ...{ BUILDKITE_JOB_ID: 'J', BUILDKITE_BUILD_ID: 'B', BUILDKITE_STEP_ID: 'S' },
      ...env,
    },
  });
  return { stdout, stderr, exitCode, home: used };
}
