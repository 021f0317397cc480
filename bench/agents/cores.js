import { spawnSync } from 'node:child_process';

/**
 * Prefix that restricts a command to these cores; empty if that is not possible.
 * @param {string} list
 */
export const onCores = (list) =>
  spawnSync('taskset', ['-c', list, 'true']).status === 0 ? ['taskset', '-c', list] : [];
