import type { Build } from '../../../api/resources/build.ts';
import type { Job } from '../../../api/resources/job.ts';
import type { Context } from '../../../context.ts';
import { timelineOf, type TimelineJob } from '../../../pages/timeline.ts';
import { cutText } from '../../../triage/limits.ts';
import type { Report } from '../../../triage/report-resource.ts';
import { makeReport } from '../../../triage/report.ts';
import { jobTitle } from '../../../watch/job-title.ts';
import { findingsOf, limitsWithin, redactText } from './findings.ts';
import { reportLimits, type Gathered } from './gather.ts';
import { buildReport, type BuildReport, type ReportJob } from './resource.ts';

/** Prints one object, or one row per job as a table or TSV. */
export async function printReportData(
  gathered: Gathered,
  maxBytes: number,
  context: Context,
): Promise<void> {
  const { out, clock } = context;
  const findings = await findingsOf(gathered, context);
  const report = makeReport(findings, limitsWithin(maxBytes));
  const data = redacted(withTimes(report, gathered.build, clock.now()), context) as BuildReport;
  if (out.format !== 'table' && out.format !== 'tsv') return out.one(buildReport, data);
  const rows = data.jobs.map((job) => ({ ...data, jobs: job }));
  await out.list(buildReport, rows, { empty: 'no jobs' });
}

function redacted(value: unknown, context: Context): unknown {
  if (typeof value === 'string') return redactText(value, context);
  if (Array.isArray(value)) return value.map((one) => redacted(one, context));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, redacted(member, context)]),
  );
}

function withTimes(report: Report, { jobs }: Build, now: number): BuildReport {
  const { from, to, critical_path, jobs: times } = timelineOf(jobs ?? [], now);
  const timeOf = new Map(times.map((time) => [time.id, time]));
  return {
    ...report,
    from: timestamp(from),
    to: timestamp(to),
    critical_path: [...critical_path],
    jobs: (jobs ?? []).flatMap((job) => {
      const time = timeOf.get(job.id ?? '');
      return time === undefined ? [] : [jobPart(job, time)];
    }),
  };
}

const jobPart = (job: Job, time: TimelineJob): ReportJob => ({
  id: job.id ?? null,
  name: cutText(jobTitle(job), reportLimits.maxLineBytes).text,
  step_key: job.step_key ?? null,
  type: job.type ?? 'script',
  state: job.state ?? 'unknown',
  soft_failed: job.soft_failed === true,
  exit_status: job.exit_status ?? null,
  retried: job.retried === true,
  waited_from: timestamp(time.waited_from),
  started_at: timestamp(time.started),
  finished_at: timestamp(time.finished),
  waited: time.waited,
  ran: time.ran,
  on_critical_path: time.on_critical_path,
  after: time.after,
  web_url: job.web_url ?? null,
});

const timestamp = (time: number | null): string | null =>
  time === null ? null : new Date(time).toISOString();
