import { execa } from 'execa';
import { bin } from '../support/cli.ts';
import type { Home } from '../support/home.ts';

/** A line of shell with `$NODE` and `$CICTL`; the code is that of the first failing part of a pipe. */
export const shell = (line: string, home: Home) =>
  execa('bash', ['-o', 'pipefail', '-c', line], {
    cwd: home.cwd,
    env: { ...home.env, NODE: process.execPath, CICTL: bin },
    extendEnv: false,
    reject: false,
    timeout: 100_000,
  });
