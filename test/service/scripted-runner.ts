/** A runner whose jobs finish when and how the test specifies. */
import { writeFileSync } from 'node:fs';
import type { Outcome, Runner, JobSpec } from '../../src/service/runner-port.ts';

export interface ScriptedRunner extends Runner {
  /** The started jobs, oldest first. */
  readonly works: readonly JobSpec[];
  /** Jobs that were told to stop: `JOB cancel`, `JOB kill`. */
  readonly asked: readonly string[];
  /** Finishes a running job, given its ID or command. */
  finish(job: string, outcome?: Partial<Outcome>): void;
}

const passed: Outcome = { exitStatus: 0, signal: null, signalReason: null, timedOut: false };
const ended: Outcome = { ...passed, exitStatus: -1, signal: 'SIGTERM', signalReason: 'cancel' };

/** With `auto`, a job finishes at once: `exit N` with that status, anything else with 0. */
export function scriptedRunner({ auto = false, obedient = true } = {}): ScriptedRunner {
  const works: JobSpec[] = [];
  const asked: string[] = [];
  const open = new Map<string, (outcome: Outcome) => void>();
  const finish = (job: string, outcome: Partial<Outcome> = {}): void => {
    const spec = works.findLast(({ jobId, command }) => jobId === job || command === job);
    if (spec === undefined) throw new Error(`no job ${job} was started`);
    open.get(spec.jobId)?.({ ...passed, ...outcome });
  };
  return {
    works,
    asked,
    finish,
    start: (spec) => {
      works.push(spec);
      writeFileSync(spec.logFile, '');
      const done = new Promise<Outcome>((resolve) => open.set(spec.jobId, resolve));
      if (auto) finish(spec.jobId, { exitStatus: statusOf(spec.command) });
      const end = (how: string) => () => {
        asked.push(`${spec.command} ${how}`);
        if (obedient || how === 'kill') finish(spec.jobId, ended);
      };
      const environment = { get: () => spec.env, set: () => undefined, unset: () => undefined };
      return {
        done,
        environment,
        redact: () => undefined,
        cancel: end('cancel'),
        kill: end('kill'),
      };
    },
  };
}

const statusOf = (command: string): number => Number(/^exit (\d+)$/.exec(command)?.[1] ?? 0);
