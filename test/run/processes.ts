/** Finds processes on this machine, to test that none are left behind. */
import { execa } from 'execa';

/**
 * A `sleep` that is unique to this run of the tests, since another may be running in another
 * checkout. The seconds have a decimal point.
 */
export const ownSleep = (seconds: string): string => `sleep ${seconds}${process.pid}`;

/** IDs of the processes whose command line contains this text. */
export async function processesWith(text: string): Promise<number[]> {
  const { stdout } = await execa('ps', ['-A', '-o', 'pid=,args=']);
  return stdout
    .split('\n')
    .filter((line) => line.includes(text) && !line.includes('ps -A'))
    .map((line) => Number.parseInt(line, 10));
}

/** Resolves when the condition holds; checked every 50 ms. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 50));
}
