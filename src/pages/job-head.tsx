import {
  Took,
  Facts,
  textFact,
  timeFact,
  type Fact,
  FormToken,
  State,
  Plain,
  Prose,
  PlainLink,
} from './elements.tsx';
import { type Job, jobTitle, partOfParallel } from '../api/resources/job.ts';
import { spanText } from '../log/format-time.ts';
import { TriggeredBuild } from './build/job-row.tsx';
import { UnblockForm } from './build/unblock.tsx';
import type { Artifact } from '../api/resources/artifact.ts';
import type { PageContext } from './page-document.tsx';

export const JobHead = ({ view }: { readonly view: JobView }) => {
  const { job, context, path } = view;
  return (
    <section id="job" data-part>
      <div class="line">
        <h1>
          <Prose text={jobTitle(job) ?? ''} /> <span class="quiet">{partOfParallel(job)}</span>
        </h1>
        <span class="end">
          <RetryButton view={view} />
        </span>
      </div>
      <p class="line" data-running={job.finished_at || !job.started_at ? undefined : ''}>
        <State state={job.state ?? ''} marks={job} />
        <Took of={job} now={context.now} text={spanText} />
      </p>
      <Command job={job} />
      <Facts facts={factsOf(view)} />
      <UnblockForm view={{ context, path: buildOf(path) }} job={job} />
      <JobExecutions view={view} />
      <JobArtifacts view={view} />
    </section>
  );
};

const buildOf = (path: string): string => path.slice(0, path.lastIndexOf('/jobs/'));

const RetryButton = ({ view: { job, context, path } }: { readonly view: JobView }) =>
  context.formToken !== undefined && job.retryable === true ? (
    <form method="post" action={`${path}/retry`}>
      <FormToken context={context} />
      <input type="hidden" name="from" value="job" />
      <button>Retry</button>
    </form>
  ) : null;

const Command = ({ job: { command } }: { readonly job: Job }) =>
  command ? (
    <pre class="command" tabindex={0} aria-label="Command">
      <code>
        {command.split('\n').map((line, index) => (
          <>
            {index === 0 ? '' : '\n'}
            <Plain text={line} />
          </>
        ))}
      </code>
    </pre>
  ) : null;

const factsOf = ({ job, context }: JobView): Fact[] => [
  ...textFact('Exit status', job.exit_status === -1 && job.signal ? null : job.exit_status),
  ...textFact('Signal', job.signal),
  ...textFact('Reason', job.signal_reason ?? job.omitted_reason),
  ...textFact('Step', job.step_key),
  ...agentFact(job, context),
  ...textFact('Waiting for agents with', job.waiting_for_agents?.join(', ')),
  ...textFact('Unblocked by', job.unblocked_by?.name),
  ...(job.triggered_build
    ? [['Triggered', <TriggeredBuild job={job} context={context} />] as const]
    : []),
  ...timeFact('Created', job.created_at),
  ...timeFact('Started', job.started_at),
  ...timeFact('Finished', job.finished_at),
];

const agentFact = ({ agent }: Job, { link }: JobView['context']): Fact[] =>
  agent?.name ? [['Agent', <PlainLink href={link(agent.web_url)} text={agent.name} />]] : [];

const JobExecutions = ({ view: { executions, job, path } }: { readonly view: JobView }) => {
  if (executions.length < 2) return null;
  const others = path.slice(0, path.lastIndexOf('/') + 1);
  return (
    <nav aria-label="Executions">
      <ol class="line executions">
        {executions.map(({ id, state, soft_failed }, index) => (
          <li>
            {id === job.id ? (
              <span aria-current="page">Execution {index + 1}</span>
            ) : (
              <a href={others + (id ?? '')}>Execution {index + 1}</a>
            )}{' '}
            <State state={state ?? ''} marks={{ soft_failed }} />
          </li>
        ))}
      </ol>
    </nav>
  );
};

const JobArtifacts = ({ view: { artifacts, path } }: { readonly view: JobView }) =>
  artifacts.length === 0 ? null : (
    <details>
      <summary>{artifacts.length === 1 ? '1 artifact' : `${artifacts.length} artifacts`}</summary>
      <ul class="rows">
        {artifacts.map((artifact) => (
          <li data-row class="line">
            <a href={`${path}/artifacts/${artifact.id ?? ''}`}>
              <Plain text={artifact.path ?? ''} />
            </a>
            <span class="quiet end">{bytesText(artifact.file_size ?? 0)}</span>
          </li>
        ))}
      </ul>
    </details>
  );

/** Formats a size as `512 B` or `3.4 kB`. */
export function bytesText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const step = Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3) - 1);
  return `${(bytes / 1000 ** (step + 1)).toFixed(1)} ${units[step] ?? ''}`;
}

const units = ['kB', 'MB', 'GB'];

export interface JobView {
  readonly job: Job;
  readonly executions: readonly Job[];
  readonly artifacts: readonly Artifact[];
  readonly path: string;
  readonly context: PageContext;
}
