/** Whether a process is there, and whether it is still the one that once had its id. */
import { readFileSync } from 'node:fs';
import { kill } from 'node:process';

/** Also where it is another user's; one that only waits to be reaped has ended. */
export function isRunning(pid: number): boolean {
  try {
    kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return !/^[ZX]/.test(statOf(pid)?.[0] ?? '');
}

/**
 * When it began, in a form to be compared: no other process has the same with the same id, not even
 * after the machine was started anew. Undefined where the system does not say (only Linux does).
 */
export function startOf(pid: number): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
    const ticks = statOf(pid)?.[19];
    return ticks === undefined ? undefined : `${boot} ${ticks}`;
  } catch {
    return undefined;
  }
}

/** What the system says of it, from its state on. */
function statOf(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name in brackets may hold anything, brackets included.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}
