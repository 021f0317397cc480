import { spawnSync } from 'node:child_process';

/** Words before a command that let it run on those cores alone; none where that is not possible. @param {string} list */
export const onCores = (list) =>
  spawnSync('taskset', ['-c', list, 'true']).status === 0 ? ['taskset', '-c', list] : [];
