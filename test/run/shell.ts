import { execa } from 'execa';
import type { Home } from '../support/home.ts';
import { launcher, toolProgram } from '../support/tool.ts';
import { timeLimit } from '../support/time-limit.ts';

/**
 * Runs a shell command with `$NODE` and `$CICTL`; a pipe exits with the code of its first failing
 * command.
 */
export const shell = (line: string, home: Home) =>
  execa('bash', ['-o', 'pipefail', '-c', line], {
    cwd: home.cwd,
    env: { ...home.env, NODE: toolProgram, CICTL: launcher },
    extendEnv: false,
    reject: false,
    timeout: timeLimit,
  });
