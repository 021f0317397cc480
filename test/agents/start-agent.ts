/** Starts a real agent as its operator would: a process with its own directories. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import type { AgentProgram } from '../support/agents.ts';

export interface AgentOptions {
  readonly name?: string;
  /** Additional arguments of `buildkite-agent start`. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Defaults to a directory of the scene. The user must own its files. */
  readonly root?: string;
  /** Defaults to the current user. */
  readonly uid?: number;
  /** Another path of the binary, which that user can read. */
  readonly path?: string;
  /** Defaults to the endpoint of the scene. */
  readonly endpoint?: string;
  readonly token?: string;
}

export interface AgentPlace {
  readonly program: AgentProgram;
  readonly endpoint: string;
  readonly token: string;
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface RealAgent {
  readonly name: string;
  /** The directory with `hooks`, `builds`, `plugins` and the user's home. */
  readonly root: string;
  readonly output: () => string;
  readonly signal: (name: NodeJS.Signals) => void;
  /** The exit code, or null if it was killed by a signal. */
  readonly ended: Promise<number | null>;
}

export function startAgent(usual: AgentPlace, options: AgentOptions): RealAgent {
  const { endpoint = usual.endpoint, token = usual.token } = options;
  const place = { ...usual, endpoint, token };
  const { name = 'agent', root = join(place.root, name), args = [] } = options;
  mkdirSync(join(root, 'home'), { recursive: true });
  const path = options.path ?? place.program.path;
  const child = spawn(path, [...startWords(place, root, name), ...args], {
    cwd: root,
    env: { ...place.env, ...environment(place, root, path), ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (bytes: Buffer) => (text += bytes.toString()));
  }
  const output = (): string => text;
  return { name, root, output, signal: (sent) => child.kill(sent), ended: endOf(child) };
}

const startWords = ({ endpoint }: AgentPlace, root: string, name: string): string[] => [
  'start',
  ...['--endpoint', endpoint, '--name', name, '--no-color', '--no-ssh-keyscan'],
  ...['build', 'hooks', 'plugins'].flatMap((kind) => [`--${kind}-path`, join(root, kind)]),
];

/** Version 3 looks itself up on the PATH. */
const environment = ({ token, env }: AgentPlace, root: string, program: string) => ({
  HOME: join(root, 'home'),
  PATH: [dirname(program), env['PATH']].join(delimiter),
  BUILDKITE_AGENT_TOKEN: token,
  PAGER: 'cat',
});

async function endOf(child: ChildProcess): Promise<number | null> {
  await once(child, 'exit');
  return child.exitCode;
}
