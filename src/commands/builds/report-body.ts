import { buildName } from '../../api/refs.ts';
import type { Context } from '../../context.ts';
import { buildView, type BuildView } from '../../pages/build/build-view.ts';
import { logName } from '../../pages/report/log-name.ts';
import { ReportBody } from '../../pages/report/report-body.tsx';
import { reportLink } from '../../pages/report/report-link.ts';
import type { ReportPage } from '../../pages/report/report-page.tsx';
import { failureName } from '../../triage/failure-name.ts';
import { makeReport } from '../../triage/report.ts';
import type { Failure } from '../../triage/report-resource.ts';
import { endingWords, retryWords } from '../../triage/words.ts';
import { findingsOf } from './report-findings.ts';
import { reportLimits, type Gathered } from './report-gather.ts';

/** The report but for its logs. */
export async function pageOf(gathered: Gathered, context: Context): Promise<ReportPage> {
  const { ref, build, logs, annotations } = gathered;
  const now = context.clock.now();
  // Annotations are on the page as they are.
  const findings = await findingsOf({ ...gathered, annotations: { value: [] } }, context);
  const { failures, omitted } = makeReport(findings, reportLimits);
  const body = ReportBody({
    view: viewOf(gathered, now),
    failures: failures.map((one) => ({
      ...one,
      name: failureName(one, build),
      ending: endingOf(one),
    })),
    more: omitted.failures,
    annotationsError: 'error' in annotations ? annotations.error : undefined,
    withLog: new Set(logs.map(({ job }) => job.id ?? '')),
  });
  const name = buildName(ref);
  const origin = `Written by cictl ${context.version} at ${new Date(now).toISOString()}`;
  return { title: name, crumbs: [{ text: name, href: reportLink(build.web_url) }], origin, body };
}

/** Its state and whether it counts stand before it. */
const endingOf = (failure: Failure): string => {
  const [, ...words] = endingWords(failure).split(', ');
  const own = words.filter((word) => word !== 'soft failure').join(', ');
  return [own, retryWords(failure.retries)].filter((part) => part !== '').join('; ');
};

/** Nothing can be changed; of a job that has its log here the link leads to that. */
function viewOf({ build, annotations, logs }: Gathered, now: number): BuildView {
  const link = (address: string | null | undefined) => reportLink(address, build.web_url);
  const withLog = new Set(logs.map(({ job }) => job.id));
  return buildView(
    build,
    'value' in annotations ? annotations.value : [],
    { now, link, formToken: undefined, isFile: true },
    {
      jobHref: ({ id, web_url: address }) =>
        withLog.has(id) ? `#${logName(id ?? '')}` : link(address),
    },
  );
}
