import type { Child } from 'hono/jsx';
import { type Execution, type Job, partOfParallel, jobTitle } from '../../api/resources/job.ts';
import { duration } from '../../render/time.ts';
import { htmlOf, State, Plain, FormToken, Prose, PlainLink } from '../elements.tsx';
import type { TimelineJob } from '../timeline.ts';
import type { BuildView } from './build-view.ts';
import { UnblockForm } from './unblock.tsx';
import type { PageContext } from '../page-document.tsx';
import { cleanLine } from '../../common/untrusted-text.ts';

/** The rows as HTML, by the ID of the newest execution of each job. */
export function jobRows(view: BuildView, list: readonly Execution[]): ReadonlyMap<string, string> {
  const lines = new Map(view.timeline.jobs.map((line) => [line.id, line]));
  return new Map(
    list
      .filter(({ job }) => job.type !== 'waiter')
      .map(({ job, earlier }) => [
        job.id ?? '',
        htmlOf(<Row view={view} job={job} earlier={earlier} lines={lines} />),
      ]),
  );
}

interface RowProps extends Execution {
  readonly view: BuildView;
  readonly lines: ReadonlyMap<string, TimelineJob>;
}

const Row = ({ view, job, earlier, lines }: RowProps) => (
  <li class="job" id={job.id ?? undefined} data-row>
    <JobLine view={view} job={job} lines={lines} />
    {earlier.length > 0 && (
      <ol class="earlier" aria-label="Retried">
        {earlier.map((one) => (
          <li id={one.id ?? undefined}>
            <JobLine view={view} job={one} lines={lines} />
          </li>
        ))}
      </ol>
    )}
    <UnblockForm view={view} job={job} />
  </li>
);

const JobLine = ({ view, job, lines }: Omit<RowProps, 'earlier'>) => {
  const href = view.jobHref(job);
  const name = <JobLabel job={job} />;
  return (
    <div class="job-line">
      <State state={job.state ?? ''} marks={job} />
      <span class="job-name">
        {href === undefined ? <span>{name}</span> : <a href={href}>{name}</a>}
        {notesOf(view, job).map((note) => (
          <span class="note quiet">{note}</span>
        ))}
      </span>
      <span class="job-times number">
        <Times line={lines.get(job.id ?? '')} />
        <RetryButton view={view} job={job} />
      </span>
    </div>
  );
};

const Times = ({ line }: { readonly line: TimelineJob | undefined }) => {
  const { waited = null, ran = null, on_critical_path: isCritical = false } = line ?? {};
  return (
    <>
      {isCritical && (
        <span class="critical" title="On the critical path">
          ◆<span class="unseen"> on the critical path</span>
        </span>
      )}
      {waited !== null && waited >= 1 && (
        <span class="quiet">waited {duration(waited * 1000)}</span>
      )}
      {ran !== null && <span>{duration(ran * 1000)}</span>}
    </>
  );
};

const notesOf = (view: BuildView, job: Job): readonly Child[] => [
  ...text(job.step_key, '#'),
  ...matrix(job),
  ...exit(job),
  ...text(job.omitted_reason),
  ...text(job.waiting_for_agents?.join(', '), 'no agent has '),
  ...agent(view, job),
  ...(job.triggered_build ? [<TriggeredBuild job={job} context={view.context} />] : []),
  ...text(job.unblocked_by?.name, 'unblocked by '),
  ...text(job.retry_type, 'retried: '),
];

const text = (value: string | null | undefined, before = ''): readonly Child[] =>
  value ? [<Plain text={`${before}${value}`} />] : [];

/** Omits the exit status if the state implies it. */
function exit({ exit_status: status, signal, signal_reason: reason }: Job): readonly Child[] {
  if (signal) return [<Plain text={`signal ${signal}${reason ? ` (${reason})` : ''}`} />];
  return typeof status === 'number' && status !== 0 ? [`exit ${status}`] : [];
}

const agent = ({ context }: BuildView, { agent }: Job): readonly Child[] =>
  agent?.name
    ? [
        <>
          on <PlainLink href={context.link(agent.web_url)} text={agent.name} />
        </>,
      ]
    : [];

function matrix({ matrix }: Job): readonly Child[] {
  if (typeof matrix !== 'object' || matrix === null) return [];
  const values = Object.entries(matrix).map(([name, value]) =>
    name === '' ? String(value) : `${name}: ${String(value)}`,
  );
  return text(values.join(', '));
}

export const TriggeredBuild = ({
  job: { triggered_build: build },
  context,
}: {
  readonly job: Job;
  readonly context: PageContext;
}) => {
  if (typeof build !== 'object' || build === null || !('web_url' in build)) return null;
  const { web_url: address } = build;
  const number = 'number' in build ? String(build.number) : '';
  if (typeof address !== 'string') return null;
  return <a href={context.link(address)}>triggered build #{number}</a>;
};

const RetryButton = ({ view, job }: { readonly view: BuildView; readonly job: Job }) => {
  const { context, path } = view;
  if (context.formToken === undefined || path === undefined || job.retryable !== true) return null;
  const name = [nameOf(job), partOfParallel(job)].filter(Boolean).join(' ');
  return (
    <button
      form={formId}
      formaction={`${path}/jobs/${job.id ?? ''}/retry`}
      aria-label={`Retry ${cleanLine(name)}`}
    >
      Retry
    </button>
  );
};

/** The retry buttons of all rows use one form. Each button has its own `formaction`. */
export const RetryForm = ({ view: { context, path } }: { readonly view: BuildView }) =>
  context.formToken !== undefined && path !== undefined ? (
    <form id={formId} method="post">
      <FormToken context={context} />
    </form>
  ) : null;

const formId = 'retry';

export const JobLabel = ({ job }: { readonly job: Job }) => {
  const part = partOfParallel(job);
  return (
    <>
      <Prose text={nameOf(job)} />
      {part !== undefined && ` ${part}`}
    </>
  );
};

export const nameOf = (job: Job): string => jobTitle(job) ?? 'job';

/** Formats a number like `10,000`. */
export const grouped = (count: number): string => count.toLocaleString('en');
