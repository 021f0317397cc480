/** A service in its own process that is killed with unfinished builds. */
import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleProgram } from '../support/program.ts';

export interface Left {
  /** The numbers of the acknowledged builds. */
  readonly builds: readonly number[];
  /** The ID of the acknowledged annotation. */
  readonly annotation: string;
  readonly token: string;
}

const root = join(import.meta.dirname, '../..');

/** Runs the program until it has printed what it did, then kills it. */
export async function killedService(dataDir: string): Promise<Left> {
  // Inside the package, so that its dependencies and launcher are found.
  const cache = join(root, 'node_modules/.cache');
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'killed-service-'));
  try {
    const script = join(folder, 'program.mjs');
    await bundleProgram(join(import.meta.dirname, 'killed-service.program.ts'), script);
    const stdio: StdioOptions = ['ignore', 'pipe', 'inherit'];
    const child = spawn(process.execPath, [script, dataDir], { stdio });
    const left = await firstLine(child);
    child.kill('SIGKILL');
    await once(child, 'exit');
    return left;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function firstLine({ stdout }: ChildProcess): Promise<Left> {
  let text = '';
  for await (const chunk of stdout ?? []) {
    text += String(chunk);
    if (text.includes('\n')) return JSON.parse(text) as Left;
  }
  throw new Error('the service exited unexpectedly');
}
