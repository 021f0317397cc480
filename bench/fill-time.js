/**
 * Time to fill a store: the limit for 100,000 builds is two minutes, so a tenth may take twelve
 * seconds.
 */
import { join } from 'node:path';
import { fill } from './fill.js';

const builds = 10_000;
const goal = 12_000;

/** @param {string} folder for the data */
export function fillRows(folder) {
  return {
    unit: 'ms of CPU',
    rows: [
      {
        name: `fill.js, ${builds} builds`,
        against: 'a tenth of two minutes',
        goal: 'at most 1',
        run: async () => {
          const from = process.cpuUsage();
          await fill(join(folder, 'fill-time'), builds);
          const { user, system } = process.cpuUsage(from);
          const ours = (user + system) / 1000;
          return { ours, theirs: goal, ratio: ours / goal };
        },
      },
    ],
    close: () => undefined,
  };
}
