/** Who starts the processes of jobs: this process the first, and where there are many a small program. */
import { existsSync } from 'node:fs';
import { platform } from 'node:os';
import { join } from 'node:path';
import { startTimer } from '../../common/clock.ts';
import { startProcess, type StartProcess } from './start-process.ts';
import { openStarter, type StarterLink } from './starter-link.ts';

/** It takes a twentieth of a second to begin, which a few processes do not repay. */
const fewProcesses = 6;
/** Milliseconds without a process after which it is let go. */
const idleTime = 10_000;

/** Stands in the bundle alone, and finds what is open by its number, which Linux has. */
const usualProgram = join(import.meta.dirname, 'job-starter.cjs');

export function createStarter(program = usualProgram): StartProcess {
  const mayLink = platform() === 'linux' && existsSync(program);
  let link: StarterLink | undefined;
  let started = 0;
  let idle: { stop(): void } | undefined;
  const letGo = (): void => {
    if ((link?.count() ?? 0) > 0) {
      watch();
      return;
    }
    link?.close();
    link = undefined;
    started = 0;
  };
  const watch = (): void => {
    idle?.stop();
    idle = startTimer(idleTime, letGo, { keepsProcess: false });
  };
  return (wanted) => {
    if (++started === fewProcesses && mayLink) link = openStarter(program);
    if (link === undefined) return startProcess(wanted);
    watch();
    return link.isReady() ? link.start(wanted) : startProcess(wanted);
  };
}
