import { buildName } from '../../api/refs.ts';
import type { Job } from '../../api/resources/job.ts';
import type { Context } from '../../context.ts';
import type { PageContext } from '../../pages/page-context.ts';
import { logName } from '../../pages/report/log-name.ts';
import { ReportBody } from '../../pages/report/report-body.tsx';
import type { ReportPage } from '../../pages/report/report-page.tsx';
import { failureName } from '../../triage/failure-name.ts';
import { makeReport } from '../../triage/report.ts';
import { endingWords } from '../../triage/words.ts';
import { findingsOf } from './report-findings.ts';
import { reportLimits, type Gathered } from './report-gather.ts';
import { reportLink } from '../../pages/report/report-link.ts';

/** The report but for its logs. */
export async function pageOf(gathered: Gathered, context: Context): Promise<ReportPage> {
  const { ref, build, logs } = gathered;
  const now = context.clock.now();
  // Annotations are on the page as they are.
  const findings = await findingsOf({ ...gathered, annotations: { value: [] } }, context);
  const { failures, omitted } = makeReport(findings, reportLimits);
  const withLog = new Set(logs.map(({ job }) => job.id ?? ''));
  const body = ReportBody({
    build,
    failures: failures.map((one) => ({
      ...one,
      name: failureName(one, build),
      ending: endingWords(one),
    })),
    more: omitted.failures,
    withLog,
    context: pageContext(
      logs.map(({ job }) => job),
      now,
    ),
  });
  const name = buildName(ref);
  const origin = `Written by cictl ${context.version} at ${new Date(now).toISOString()}`;
  return { title: name, crumbs: [{ text: name, href: reportLink(build.web_url) }], origin, body };
}

/** Of a job that has its log here the link leads to that. */
function pageContext(jobs: readonly Job[], now: number): PageContext {
  const logs = new Map(jobs.map(({ id, web_url: address }) => [address, `#${logName(id ?? '')}`]));
  return { now, link: (address) => logs.get(address) ?? reportLink(address), formToken: undefined };
}
