import { durationOf } from '../../api/resources/duration.ts';
import { type Job, jobTitle, partOfParallel } from '../../api/resources/job.ts';
import { spanText } from '../../log/format-time.ts';
import { TriggeredBuild } from '../build/triggered-build.tsx';
import { UnblockForm } from '../build/unblock-form.tsx';
import { Facts, textFact, timeFact, type Fact } from '../facts.tsx';
import { FormToken } from '../form-token.tsx';
import { State } from '../state.tsx';
import { Plain, Prose } from '../text.tsx';
import { JobArtifacts } from './job-artifacts.tsx';
import { JobExecutions } from './job-executions.tsx';
import type { JobView } from './job-view.ts';

/** What there is to say of a job before its log: state, command, times, other executions, artifacts. */
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
        <Took view={view} />
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

const Took = ({ view: { job, context } }: { readonly view: JobView }) => {
  const seconds = durationOf(job, context.now);
  if (seconds === null) return null;
  return (
    <span>
      {job.finished_at ? 'in' : 'for'} {spanText(seconds * 1000)}
    </span>
  );
};

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

const factsOf = ({ job, context }: Pick<JobView, 'job' | 'context'>): Fact[] => [
  ...textFact('Exit status', job.exit_status === -1 && job.signal ? null : job.exit_status),
  ...textFact('Signal', job.signal),
  ...textFact('Reason', job.signal_reason ?? job.omitted_reason),
  ...textFact('Step', job.step_key),
  ...agentFact(job, context),
  ...textFact('Waits for agents with', job.waiting_for_agents?.join(', ')),
  ...textFact('Unblocked by', job.unblocked_by?.name),
  ...(job.triggered_build
    ? [['Triggered', <TriggeredBuild job={job} context={context} />] as const]
    : []),
  ...timeFact('Created', job.created_at),
  ...timeFact('Started', job.started_at),
  ...timeFact('Finished', job.finished_at),
];

const agentFact = ({ agent }: Job, { link }: JobView['context']): Fact[] => {
  const href = link(agent?.web_url);
  if (href === undefined || !agent?.name) return textFact('Agent', agent?.name);
  return [
    [
      'Agent',
      <a href={href}>
        <Plain text={agent.name} />
      </a>,
    ],
  ];
};
