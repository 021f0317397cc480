import { spawn } from 'node:child_process';
import { mkdir, open, readFile, rm, symlink } from 'node:fs/promises';
import { basename, delimiter, dirname, join } from 'node:path';
import type { WantedAgents } from './agent-processes.ts';

export interface AgentProcess {
  readonly name: string;
  readonly pid: number | undefined;
  /** ID of its registration token. */
  readonly tokenId: string;
  /** Why it could not be started, or how it ended. */
  readonly ended: Promise<string>;
  readonly hasEnded: () => boolean;
  /** The last line of its log. */
  lastLine(): Promise<string>;
  kill(signal: NodeJS.Signals): void;
}

type Wanted = Pick<WantedAgents, 'binary' | 'args' | 'env'>;

export interface AgentPlace {
  /** Directory for the checkouts, plugins and logs of all agents of the service. */
  readonly folder: string;
  readonly name: string;
  readonly endpoint: string;
  readonly token: string;
  readonly tokenId: string;
}

/** Starts an agent in its own process group, so that it does not get the service's Ctrl-C. */
export async function spawnAgent(wanted: Wanted, place: AgentPlace): Promise<AgentProcess> {
  const { folder, name, tokenId } = place;
  await mkdir(join(folder, 'builds'), { recursive: true, mode: 0o700 });
  const logFile = join(folder, `${name}.log`);
  const log = await open(logFile, 'w', 0o600);
  const child = spawn(wanted.binary, argsOf(wanted, place), {
    cwd: folder,
    env: await envOf(wanted, place),
    stdio: ['ignore', log.fd, log.fd],
    detached: true,
  });
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ?? `code ${code ?? 0}`));
  });
  await log.close();
  return {
    ...{ name, pid: child.pid, tokenId, ended },
    hasEnded: () => child.pid === undefined || child.exitCode !== null || child.signalCode !== null,
    lastLine: () => lastLineOf(logFile),
    kill: (signal) => void child.kill(signal),
  };
}

/** The user's flags come last and take precedence. */
const argsOf = ({ args }: Wanted, { folder, name, endpoint }: AgentPlace): string[] => [
  ...['start', '--name', name, '--endpoint', endpoint],
  ...['--build-path', join(folder, 'builds'), '--plugins-path', join(folder, 'plugins')],
  ...args,
];

/** Passes the token in the environment, because all users can see arguments. */
async function envOf({ env, binary }: Wanted, place: AgentPlace): Promise<Record<string, string>> {
  const path = [await folderOfProgram(binary, place), env['PATH'] ?? ''].join(delimiter);
  return { ...env, PATH: path, BUILDKITE_AGENT_TOKEN: place.token };
}

/**
 * Returns a directory where the program has its usual name: version 3 looks for itself on PATH.
 * Each agent has its own link, because several start at once, and not always the same program.
 */
async function folderOfProgram(binary: string, { folder, name }: AgentPlace): Promise<string> {
  if (/^buildkite-agent(?:\.exe)?$/.test(basename(binary))) return dirname(binary);
  const link = join(folder, 'bin', name, 'buildkite-agent');
  await mkdir(dirname(link), { recursive: true, mode: 0o700 });
  await rm(link, { force: true });
  await symlink(binary, link);
  return dirname(link);
}

async function lastLineOf(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.trimEnd().split('\n').at(-1) ?? '';
}
