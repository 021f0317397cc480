import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CictlError } from '../../errors.ts';

/**
 * Deletes what the service keeps in its data folder, and nothing else that may lie there. The
 * service must not run. Code 10 when something cannot be deleted.
 */
export async function removeData(dataDir: string): Promise<void> {
  try {
    const names = await readdir(dataDir).catch(noneThere);
    for (const name of names.filter(isOurs)) {
      await rm(join(dataDir, name), { recursive: true, force: true, maxRetries: 3 });
    }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CictlError('machine', `cannot empty ${dataDir}: ${reason}`, { cause });
  }
}

/** `service.db` with its companions, `service.json`, `service.lock`, `service.log`. */
const isOurs = (name: string): boolean => name.startsWith('service.') || others.has(name);

const others = new Set([
  ...['bin', 'credentials.json', 'logs', 'log-pieces', 'artifacts', 'snapshots', 'workspaces'],
  'agents',
]);

function noneThere(error: unknown): string[] {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
  throw error;
}
