import type { Child } from 'hono/jsx';
import type { Job } from '../../api/resources/job.ts';
import { Plain } from '../text.tsx';
import type { BuildView } from './build-view.ts';
import { TriggeredBuild } from './triggered-build.tsx';

/** What else there is to say of a job, in some words each. */
export const JobNotes = ({ view, job }: { readonly view: BuildView; readonly job: Job }) => (
  <>
    {notesOf(view, job).map((note) => (
      <span class="note quiet">{note}</span>
    ))}
  </>
);

function notesOf(view: BuildView, job: Job): readonly Child[] {
  return [
    ...text(job.step_key, '#'),
    ...matrix(job),
    ...exit(job),
    ...text(job.omitted_reason),
    ...waits(job),
    ...agent(view, job),
    ...(job.triggered_build ? [<TriggeredBuild job={job} context={view.context} />] : []),
    ...text(job.unblocked_by?.name, 'unblocked by '),
    ...text(job.retry_type === null ? null : job.retry_type, 'retried: '),
  ];
}

const text = (value: string | null | undefined, before = ''): readonly Child[] =>
  value ? [<Plain text={`${before}${value}`} />] : [];

/** Of a failure that is not in the words of its state. */
function exit({ exit_status: status, signal, signal_reason: reason }: Job): readonly Child[] {
  if (signal) return [<Plain text={`signal ${signal}${reason ? ` (${reason})` : ''}`} />];
  return typeof status === 'number' && status !== 0 ? [`exit ${status}`] : [];
}

const waits = ({ waiting_for_agents: tags }: Job): readonly Child[] =>
  tags === undefined || tags === null || tags.length === 0
    ? []
    : [<Plain text={`no agent has ${tags.join(', ')}`} />];

const agent = ({ context }: BuildView, { agent }: Job): readonly Child[] => {
  if (!agent?.name) return [];
  const name = <Plain text={agent.name} />;
  const href = context.link(agent.web_url);
  return [
    href === undefined ? (
      <>on {name}</>
    ) : (
      <>
        on <a href={href}>{name}</a>
      </>
    ),
  ];
};

function matrix({ matrix }: Job): readonly Child[] {
  if (typeof matrix !== 'object' || matrix === null) return [];
  const values = Object.entries(matrix).map(([name, value]) =>
    name === '' ? String(value) : `${name}: ${String(value)}`,
  );
  return text(values.join(', '));
}
