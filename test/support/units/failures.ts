/** Creates reports for tests. */
import type { Build } from '../../../src/api/resources/build.ts';
import type { Annotation } from '../../../src/api/resources/annotation.ts';
import type { Job } from '../../../src/api/resources/job.ts';
import type { Excerpt } from '../../../src/triage/excerpt.ts';
import { rankLines } from '../../../src/triage/rank-lines.ts';
import { defaultLimits, type Limits } from '../../../src/triage/limits.ts';
import { makeReport, type ReadResult, sortJobs } from '../../../src/triage/report.ts';
import type { Report } from '../../../src/triage/report-resource.ts';

export interface Sample {
  readonly build?: Build;
  readonly jobs?: readonly Job[];
  /** Log lines of each failure, or why its log cannot be read. */
  readonly logs?: readonly (readonly string[] | string)[];
  readonly notes?: readonly Annotation[] | string;
  readonly limits?: Partial<Limits>;
}

export function sampleReport({ build, jobs = [], logs, notes = [], limits }: Sample): Report {
  const whole: Build = { state: 'failed', branch: 'main', ...build, jobs: [...jobs] };
  const sorted = sortJobs(whole);
  const given = logs ?? sorted.failures.map(() => []);
  return makeReport(
    {
      ref: { org: 'acme', pipeline: 'web', number: 42 },
      build: whole,
      sorted,
      logs: given.map((log) => (typeof log === 'string' ? { error: log } : logOf(log))),
      annotations: typeof notes === 'string' ? { error: notes } : { value: notes },
      toText: (html) => html,
    },
    { ...defaultLimits, ...limits },
  );
}

/** Keeps all lines unchanged, without cleaning them. */
function logOf(texts: readonly string[]): ReadResult<Excerpt> {
  const lines = texts.map((text, place) => ({ at: place + 1, place, text }));
  const ranks = rankLines(
    lines.map((line) => ({ ...line, isRed: false, section: null, isOpen: false })),
  );
  return {
    value: {
      section: null,
      lines: lines.map((line) => ({ ...line, rank: ranks.indexOf(line.place) })),
      total: lines.length,
      end: lines.length,
      isWhole: true,
      readOfMore: undefined,
    },
  };
}

export const failed = (name: string, more: Job = {}): Job => ({
  id: `id-of-${name}`,
  type: 'script',
  name,
  step_key: name,
  state: 'failed',
  exit_status: 1,
  ...more,
});
