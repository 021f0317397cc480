import { buildName } from '../../../api/refs.ts';
import type { Context } from '../../../context.ts';
import { buildView, type BuildView } from '../../../pages/build/build-view.ts';
import { logName } from '../../../pages/report/log-name.ts';
import { ReportBody } from '../../../pages/report/report-body.tsx';
import { reportLink } from '../../../pages/report/report-link.ts';
import { utcText } from '../../../pages/utc-text.ts';
import type { ReportPage } from '../../../pages/report/report-page.tsx';
import { failureName } from '../../../triage/failure-name.ts';
import { quoted } from '../../../triage/quoted.ts';
import type { Failure } from '../../../triage/report-resource.ts';
import { endingWords, retryWords } from '../../../triage/words.ts';
import type { Explained } from './findings.ts';
import type { FittedAnnotations } from './fit-annotations.ts';
import type { Gathered } from './gather.ts';
import { omittedNote } from './notes.ts';

/** The report but for its logs. */
export function pageOf(
  gathered: Gathered,
  { failures, more }: Explained,
  { markup, omitted }: FittedAnnotations,
  context: Context,
): ReportPage {
  const { ref, build, logs, annotations } = gathered;
  const now = context.clock.now();
  const name = buildName(ref);
  const body = ReportBody({
    view: viewOf(gathered, now),
    failures: failures.map((one) => ({
      ...one,
      name: failureName(one, build),
      ending: endingOf(one),
    })),
    more,
    annotations: {
      markup,
      note: omittedNote(omitted),
      command: `cictl annotations list ${quoted(name)}`,
    },
    annotationsError: 'error' in annotations ? annotations.error : undefined,
    withLog: new Set(logs.map(({ job }) => job.id ?? '')),
  });
  const origin = `Written by cictl ${context.version} at ${utcText(new Date(now).toISOString())}`;
  return { title: name, crumbs: [{ text: name, href: reportLink(build.web_url) }], origin, body };
}

/** Where addresses of the service lead from the page. */
export const linkOf =
  ({ build }: Gathered) =>
  (address: string | null | undefined): string | undefined =>
    reportLink(address, build.web_url);

/** Its state and whether it counts stand before it. */
const endingOf = (failure: Failure): string => {
  const [, ...words] = endingWords(failure).split(', ');
  const own = words.filter((word) => word !== 'soft failure').join(', ');
  return [own, retryWords(failure.retries)].filter((part) => part !== '').join('; ');
};

/** Nothing can be changed; of a job that has its log here the link leads to that. */
function viewOf(gathered: Gathered, now: number): BuildView {
  const link = linkOf(gathered);
  const withLog = new Set(gathered.logs.map(({ job }) => job.id));
  return buildView(
    gathered.build,
    [],
    { now, link, formToken: undefined, isFile: true },
    {
      jobHref: ({ id, web_url: address }) =>
        withLog.has(id) ? `#${logName(id ?? '')}` : link(address),
    },
  );
}
