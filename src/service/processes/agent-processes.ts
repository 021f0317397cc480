/** Agents that the service starts on this machine. They stop when the service stops. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, open, readFile, rm, symlink } from 'node:fs/promises';
import { basename, delimiter, dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { attempt } from '../../common/attempt.ts';
import { startTimer } from '../../common/clock.ts';
import { replaceFile } from '../../common/write-files.ts';
import { issueToken, type Maker } from '../accounts.ts';
import { isConnected } from '../domain/agents.ts';
import type { Organization } from '../domain/records.ts';
import { Refusal } from '../domain/refusal.ts';
import { listProcesses, sendSignal, startOf, withDescendants } from '../runner/processes.ts';
import type { Engine } from '../scheduler/engine.ts';

interface WantedAgents {
  readonly organization: Organization;
  readonly binary: string;
  /** Additional flags for `buildkite-agent start`. */
  readonly args: readonly string[];
  readonly count: number;
  readonly env: Readonly<Record<string, string>>;
}

export interface AgentProcesses {
  /** Returns the IDs of the agents once all are connected. If one fails, stops all of them. */
  start(wanted: WantedAgents): Promise<readonly string[]>;
  /** Stops all agents and their jobs, and waits for them. With `kill`, they are killed at once. */
  stop(kill: boolean): Promise<void>;
}

export interface ProcessParts extends Maker {
  readonly dataDir: string;
  readonly url: string;
  readonly agents: Engine['agents'];
}

export function createAgentProcesses(parts: ProcessParts): AgentProcesses {
  const { agents, dataDir, store } = parts;
  const running = new Set<AgentProcess>();
  const record = (): Promise<void> => recordProcesses(dataDir, running);
  const startOne = async (wanted: WantedAgents, name: string): Promise<AgentProcess> => {
    // The token identifies the agents of this process. It is deleted when the process exits.
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
      // Checkouts are named after their agents, so the names must be unique.
      const names = new Set([
        ...agents.present().map(({ agent }) => agent.name),
        ...[...running].map(({ name }) => name),
      ]);
      const free: string[] = [];
      for (let number = 1; free.length < wanted.count; number++)
        if (!names.has(`agent-${number}`)) free.push(`agent-${number}`);
      const started = await Promise.all(free.map((name) => startOne(wanted, name)));
      await record();
      try {
        return (await Promise.all(started.map((one) => untilConnected(one, agents)))).flat();
      } catch (error) {
        await stopProcesses(started, agents, true);
        throw error;
      }
    },
    stop: (kill) => stopProcesses([...running], agents, kill),
  };
}

/** Milliseconds. */
const connectTimeout = 30_000;
const pollInterval = 25;

/** Returns the IDs of a process's agents. The user's flags may request more than one agent. */
async function untilConnected(one: AgentProcess, agents: Engine['agents']): Promise<string[]> {
  const end = performance.now() + connectTimeout;
  for (;;) {
    const found = agents.present().filter(({ agent }) => agent.registeredWith === one.tokenId);
    if (found.some(({ agent }) => isConnected(agent))) return found.map(({ agent }) => agent.id);
    if (one.hasEnded()) throw await notStarted(one, `exited (${await one.ended})`);
    if (performance.now() > end) throw await notStarted(one, 'did not connect within 30 s');
    await new Promise<void>((resolve) => startTimer(pollInterval, resolve));
  }
}

async function notStarted(one: AgentProcess, how: string): Promise<Refusal> {
  const said = stripVTControlCharacters(await one.lastLine()).trim();
  return new Refusal('invalid', `${one.name} ${how}${said === '' ? '' : `: ${said}`}`);
}

/** Milliseconds that agents have to stop. Their jobs get ten seconds of this time. */
const stopTimeout = 15_000;
/** Milliseconds between two signals, because signals sent too quickly may be merged into one. */
const signalInterval = 250;

/** Stops agents and their jobs. Without `kill`, agents can still report how their jobs ended. */
async function stopProcesses(
  all: readonly AgentProcess[],
  agents: Engine['agents'],
  kill: boolean,
): Promise<void> {
  if (all.length === 0) return;
  const ended = Promise.all(all.map((one) => one.ended));
  const signal = (name: NodeJS.Signals): void => {
    for (const one of all) if (!one.hasEnded()) one.kill(name);
  };
  if (!kill) {
    const tokens = new Set(all.map(({ tokenId }) => tokenId));
    // Immediately stops the agents that are waiting for a job.
    for (const { agent } of agents.present())
      if (tokens.has(agent.registeredWith)) agents.stop(agent.id, false);
    // After the first TERM an agent finishes its job; the second one cancels the job.
    signal('SIGTERM');
    await within(signalInterval, ended);
    signal('SIGTERM');
    await within(stopTimeout, ended);
  }
  signal('SIGKILL');
  await ended;
}

const within = (ms: number, done: Promise<unknown>): Promise<unknown> => {
  const late = new Promise<void>((resolve) => {
    const timer = startTimer(ms, resolve);
    void done.finally(() => timer.stop());
  });
  return Promise.race([done, late]);
};

interface Recorded {
  readonly pid: number;
  readonly start: string;
}

const recordOf = (dataDir: string): string => join(dataDir, 'agents', 'processes.json');

/** Omits processes with an unknown start time, because reuse of their IDs would go unnoticed. */
async function recordProcesses(dataDir: string, running: Iterable<AgentProcess>): Promise<void> {
  const recorded = [...running].flatMap(({ pid }): Recorded[] => {
    const start = pid === undefined ? undefined : startOf(pid);
    return pid === undefined || start === undefined ? [] : [{ pid, start }];
  });
  // The data directory may have been removed.
  await replaceFile(recordOf(dataDir), JSON.stringify(recorded), 0o600).catch(() => undefined);
}

export function killLeftAgents(dataDir: string): void {
  const recorded = attempt(() => JSON.parse(readFileSync(recordOf(dataDir), 'utf8')) as Recorded[]);
  const left = recorded?.filter(({ pid, start }) => startOf(pid) === start) ?? [];
  if (left.length === 0) return;
  const ids = new Set(left.map(({ pid }) => pid));
  for (const id of withDescendants(listProcesses() ?? [], (one) => ids.has(one.id)))
    sendSignal(id, 'SIGKILL');
}

interface AgentProcess {
  readonly name: string;
  readonly pid: number | undefined;
  readonly tokenId: string;
  /** Resolves to the error if the process did not start, or to its exit code or signal. */
  readonly ended: Promise<string>;
  readonly hasEnded: () => boolean;
  lastLine(): Promise<string>;
  kill(signal: NodeJS.Signals): void;
}

type Wanted = Pick<WantedAgents, 'binary' | 'args' | 'env'>;

interface AgentPlace {
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
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code ?? 0}`));
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

/** Passes the token in the environment, because command-line arguments are visible to all users. */
async function envOf({ env, binary }: Wanted, place: AgentPlace): Promise<Record<string, string>> {
  const path = [await folderOfProgram(binary, place), env['PATH'] ?? ''].join(delimiter);
  return { ...env, PATH: path, BUILDKITE_AGENT_TOKEN: place.token };
}

/**
 * Returns a directory that contains the program as `buildkite-agent`, the name that version 3 looks
 * up on PATH. Each agent has its own link: agents that start together may use different programs.
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
