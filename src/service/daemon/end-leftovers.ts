import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Ends what the jobs of a service that was killed have left running. Nothing happens where another
 * service has the folder by now: what runs is its own, or was ended by it.
 */
export async function endLeftovers(dataDir: string): Promise<void> {
  if (!existsSync(dataDir)) return;
  const { lockFolder } = await import('../store/lock.ts');
  const { endControlGroup } = await import('../control-group.ts');
  const { killLeftovers } = await import('../runner/leftovers.ts');
  const { killLeftAgents } = await import('../agent-processes/left-processes.ts');
  try {
    const unlock = lockFolder(dataDir);
    await endControlGroup(dataDir);
    killLeftovers({ jobIds: [], logs: join(dataDir, 'logs') });
    killLeftAgents(dataDir);
    unlock();
  } catch {
    // Locked by another, or not to be written: the next service sees to it.
  }
}
