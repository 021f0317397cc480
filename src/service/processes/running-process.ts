import { readFileSync } from 'node:fs';
import { kill } from 'node:process';
import { attempt } from '../../common/attempt.ts';

/** Includes processes of other users; excludes zombies. */
export function isRunning(pid: number): boolean {
  try {
    kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return !/^[ZX]/.test(statOf(pid)?.[0] ?? '');
}

/** When the process started: unique per ID, even across reboots. Undefined except on Linux. */
export function startOf(pid: number): string | undefined {
  const boot = attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim());
  const ticks = statOf(pid)?.[19];
  return boot === undefined || ticks === undefined ? undefined : `${boot} ${ticks}`;
}

/** The fields of `/proc/PID/stat` from the state on. */
function statOf(pid: number): string[] | undefined {
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, 'latin1'));
  // The name in parentheses may contain anything, even parentheses.
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
}
