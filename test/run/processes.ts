/** What runs on this machine: for tests that nothing is left behind. */
import { execa } from 'execa';

/**
 * A `sleep` that only this run of the tests has: another may be under way in another checkout. The
 * seconds have a decimal point.
 */
export const ownSleep = (seconds: string): string => `sleep ${seconds}${process.pid}`;

/** Ids of the processes whose command line holds this text. */
export async function processesWith(text: string): Promise<number[]> {
  const { stdout } = await execa('ps', ['-A', '-o', 'pid=,args=']);
  return stdout
    .split('\n')
    .filter((line) => line.includes(text) && !line.includes('ps -A'))
    .map((line) => Number.parseInt(line, 10));
}

/** Resolves when a condition holds; looked at every 50 ms. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 50));
}
