/** One job from its start to its outcome. */
import type { JobSpec, Outcome, Running } from '../runner-port.ts';
import { openJobLog, type JobLog } from './job-log.ts';
import { failed, failureLine } from './job-outcome.ts';
import type { World } from './job-run.ts';
import { createVariables } from './job-variables.ts';
import { createProcessGroup } from './process-group.ts';
import { runWithOutput, type JobParts } from './run-with-output.ts';
import { secretsOf } from './secrets.ts';
import { createStopper } from './stopper.ts';

/** A job while it runs, as this file sees it. */
interface Parts extends JobParts {
  /** Those that came before the log was open. */
  readonly redacted: string[];
  log?: JobLog;
}

export function startJob(spec: JobSpec, world: World): Running {
  const stopper = createStopper(createProcessGroup(spec), world.timers);
  const variables = createVariables(spec, world.host);
  const parts: Parts = { spec, world, stopper, variables, redacted: [] };
  return {
    done: runWithLog(parts).catch(() => failed),
    redact(values) {
      parts.redacted.push(...values);
      parts.log?.redact(values);
    },
    environment: variables,
    cancel: () => stopper.terminate('cancel'),
    kill: () => stopper.kill('agent_stop'),
  };
}

async function runWithLog(parts: Parts): Promise<Outcome> {
  const { spec, world } = parts;
  const log = openJobLog(spec, secretsOf(spec), world.timers.now);
  log.redact(parts.redacted);
  parts.log = log;
  try {
    for (const line of spec.preamble) await log.line(line);
    const outcome = await runWithOutput(parts, log);
    await log.close();
    return outcome;
  } catch (error) {
    // Written to the log where that is possible; it is not when the disk is full.
    await log.line(failureLine(error)).catch(() => undefined);
    await log.close().catch(() => undefined);
    return failed;
  }
}
