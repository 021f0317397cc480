import type { Job } from '../api/resources/job.ts';
import { scopedBuild, scopedCommand, type CommandScope } from '../watch/command-scope.ts';
import { logCommand } from './log-command.ts';
import { quoted } from './quoted.ts';
import type { Report } from './report-resource.ts';

interface NextScope extends CommandScope {
  /** The jobs of the build: a step key leads to one of them only where no other has it. */
  readonly jobs: readonly Job[];
}

/** The commands that a user is likely to want next; they work as they stand. */
export function nextCommands(report: Report, scope: NextScope): string[] {
  const { organization: org, pipeline, number } = report.build;
  const build = scopedBuild({ org, pipeline, number }, scope);
  return [...logCommands(report, build, scope), `cictl ${nextStepCommand(report, build)}`].map(
    (command) => scopedCommand(command, scope),
  );
}

/** A job that no agent took has none. */
function logCommands({ failures }: Report, build: string, { jobs }: NextScope): string[] {
  const first = failures.find(({ state }) => state !== 'expired');
  if (first === undefined || first.type !== 'script') return [];
  const command = logCommand(first, build, jobs);
  return command === null ? [] : [command];
}

/** What is not done again by itself. */
const onceOnly = new Set(['canceled', 'expired']);

function nextStepCommand({ build: { state }, counts, failures }: Report, build: string): string {
  if (counts.failed === 0) return `builds view ${quoted(build)}`;
  const isRetried = failures.some((job) => !job.soft_failed && !onceOnly.has(job.state));
  if (!isRetried || state === 'canceled') return `builds rebuild ${quoted(build)}`;
  return `job retry --failed --build ${quoted(build)}`;
}
