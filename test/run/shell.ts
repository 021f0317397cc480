import { execa } from 'execa';
import type { Home } from '../support/home.ts';
import { launcher, toolProgram } from '../support/tool.ts';
import { timeLimit } from '../support/time-limit.ts';

/** A line of shell with `$NODE` and `$CICTL`; the code is that of the first failing part of a pipe. */
export const shell = (line: string, home: Home) =>
  execa('bash', ['-o', 'pipefail', '-c', line], {
    cwd: home.cwd,
    env: { ...home.env, NODE: toolProgram, CICTL: launcher },
    extendEnv: false,
    reject: false,
    timeout: timeLimit,
  });
