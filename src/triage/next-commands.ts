import type { Job } from '../api/resources/job.ts';
import { logCommand } from './log-command.ts';
import { quoted } from './quoted.ts';
import type { Report } from './report-resource.ts';

/** What the user named to select the build, and a suggested command must repeat. */
export interface CommandScope {
  /** The organization that is known without being named. */
  readonly org: string | undefined;
  /** Named by a flag. */
  readonly profile: string | undefined;
  /** The jobs of the build: a step key leads to one of them only where no other has it. */
  readonly jobs: readonly Job[];
}

/** The commands that a user is likely to want next; they work as they stand. */
export function nextCommands(report: Report, scope: CommandScope): string[] {
  const { organization, pipeline, number } = report.build;
  const short = `${pipeline}/${number}`;
  const build = organization === scope.org ? short : `${organization}/${short}`;
  const profile = scope.profile === undefined ? '' : ` --profile ${quoted(scope.profile)}`;
  return [...logCommands(report, build, scope), `cictl ${nextStepCommand(report, build)}`].map(
    (command) => `${command}${profile}`,
  );
}

function logCommands(
  { failures: [first] }: Report,
  build: string,
  { jobs }: CommandScope,
): string[] {
  if (first === undefined || first.type !== 'script') return [];
  const command = logCommand(first, build, jobs);
  return command === null ? [] : [command];
}

function nextStepCommand({ build: { state }, counts, failures }: Report, build: string): string {
  if (counts.failed === 0) return `builds view ${quoted(build)}`;
  const isRetried = failures.some((job) => !job.soft_failed && job.state !== 'canceled');
  if (!isRetried || state === 'canceled') return `builds rebuild ${quoted(build)}`;
  return `job retry --failed --build ${quoted(build)}`;
}
