/** How many connections a listener lets in. */
import { readFileSync } from 'node:fs';

/** 10,000 agents that wait for work, each with one that waits and one for what it says meanwhile. */
const most = 20_000;

/** Files that the service needs for itself: logs, artifacts, the database, the pipes of jobs. */
const reserve = 1000;

/** `share` of what this process may open beside what it needs itself. */
export function connectionLimit(share: number, openFiles = openFileLimit()): number {
  const left = Math.max(openFiles - reserve, openFiles / 2);
  return Math.min(most, Math.floor(left * share));
}

/** Where the system does not say it, what the usual ones allow. */
function openFileLimit(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? usual);
  } catch {
    return usual;
  }
}

const usual = 10_000;
