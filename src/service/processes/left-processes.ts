/** Which agents run, on disk: of a service that was killed they are ended by the next. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { kill } from 'node:process';
import { replaceFile } from '../../common/write-files.ts';
import { startOf } from './running-process.ts';
import { listProcesses, withDescendants } from '../runner/processes.ts';
import type { AgentProcess } from './spawn-agent.ts';

interface Left {
  readonly pid: number;
  readonly start: string;
}

const fileOf = (dataDir: string): string => join(dataDir, 'agents', 'processes.json');

/** A system that does not say when a process began gives nothing to be sure of: none is noted. */
export async function recordProcesses(
  dataDir: string,
  running: Iterable<Pick<AgentProcess, 'pid'>>,
): Promise<void> {
  const left = [...running].flatMap(({ pid }): Left[] => {
    const start = pid === undefined ? undefined : startOf(pid);
    return pid === undefined || start === undefined ? [] : [{ pid, start }];
  });
  // The folder may be gone with all else.
  await replaceFile(fileOf(dataDir), JSON.stringify(left), 0o600).catch(() => undefined);
}

/** Kills those that a killed service has left, with their jobs. The folder must be ours. */
export function killLeftAgents(dataDir: string): void {
  const left = read(dataDir).filter(({ pid, start }) => startOf(pid) === start);
  if (left.length === 0) return;
  const ids = new Set(left.map(({ pid }) => pid));
  for (const id of withDescendants(listProcesses() ?? [], (one) => ids.has(one.id))) killOne(id);
}

function read(dataDir: string): Left[] {
  try {
    return JSON.parse(readFileSync(fileOf(dataDir), 'utf8')) as Left[];
  } catch {
    return [];
  }
}

function killOne(id: number): void {
  try {
    kill(id, 'SIGKILL');
  } catch {
    // Gone meanwhile.
  }
}
