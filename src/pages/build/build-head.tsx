import {
  Took,
  State,
  Prose,
  Facts,
  textFact,
  type Fact,
  Plain,
  FormToken,
  Ago,
} from '../elements.tsx';
import { type Build, creatorOf, memberText, pullRequestOf } from '../../api/resources/build.ts';
import { duration } from '../../render/time.ts';
import type { BuildView } from './build-view.ts';
import type { Job } from '../../api/resources/job.ts';
import { stateColor } from '../../render/state.ts';
import { grouped, JobLabel } from './job-row.tsx';

export const BuildHead = ({ view }: { readonly view: BuildView }) => {
  const { build, context } = view;
  const [title = '', ...rest] = (build.message ?? '').trim().split('\n');
  return (
    <header>
      <div class="build-title">
        <h1>{title === '' ? `Build ${build.number ?? ''}` : <Prose text={title} />}</h1>
        <BuildButtons view={view} />
      </div>
      <Message text={rest.join('\n').trim()} />
      <p class="build-standing line">
        <State state={build.state ?? ''} marks={build} />
        <Took of={build} now={context.now} text={duration} />
        <span class="quiet">
          <Ago time={build.created_at} context={context} />
        </span>
      </p>
      <Facts facts={factsOf(view)} />
      <ForAttention view={view} />
    </header>
  );
};

const Message = ({ text }: { readonly text: string }) =>
  text === '' ? null : (
    <details>
      <summary>Full message</summary>
      {text.split('\n').map((line) => (
        <p>
          <Prose text={line} />
        </p>
      ))}
    </details>
  );

const factsOf = (view: BuildView): readonly Fact[] => [
  ...textFact('Branch', view.build.branch),
  ...textFact('Tag', view.build.tag),
  ...commitFact(view.build),
  ...textFact('By', creatorOf(view.build)),
  ...textFact('Source', view.build.source),
  ...textFact('Pull request', pullRequestOf(view.build)),
  ...rebuiltFact(view),
  ...triggerFact(view),
  ...textFact('Canceled', view.build.cancel_reason),
];

function commitFact({ commit }: Build): readonly Fact[] {
  if (!commit) return [];
  const isHash = /^[0-9a-f]{40,}$/.test(commit);
  const shown = isHash ? (
    <span title={commit}>{commit.slice(0, 10)}</span>
  ) : (
    <Plain text={commit} />
  );
  return [['Commit', <code>{shown}</code>]];
}

function rebuiltFact({ build, context }: BuildView): readonly Fact[] {
  const number = memberText(build.rebuilt_from, 'number');
  if (number === undefined) return [];
  const href = context.link(build.web_url)?.replace(/\d+$/, number);
  return [['Rebuilt from', <a href={href}>#{number}</a>]];
}

/** The other build's URL differs from this build's URL only in the pipeline and the number. */
function triggerFact({ build, context }: BuildView): readonly Fact[] {
  const number = memberText(build.triggered_from, 'build_number');
  if (number === undefined) return [];
  const slug = memberText(build.triggered_from, 'build_pipeline_slug') ?? '';
  const href = context
    .link(build.web_url)
    ?.replace(/[^/]+\/builds\/\d+$/, `${encodeURIComponent(slug)}/builds/${number}`);
  const link = (
    <a href={href}>
      <Plain text={slug} /> #{number}
    </a>
  );
  return [['Triggered by', link]];
}

const BuildButtons = ({ view: { build, context, path } }: { readonly view: BuildView }) => {
  if (context.formToken === undefined || path === undefined) return null;
  const token = <FormToken context={context} />;
  return (
    <div class="buttons">
      {isOpen(build) && (
        <form method="post" action={`${path}/cancel`}>
          {token}
          <button>Cancel</button>
        </form>
      )}
      <form method="post" action={`${path}/rebuild`}>
        {token}
        <button>Rebuild</button>
      </form>
    </div>
  );
};

/** A blocked build keeps its previous state, so `blocked` is checked as well. */
const isOpen = ({ blocked, state }: Build): boolean =>
  blocked === true || ['scheduled', 'running', 'failing'].includes(state ?? '');

/** Links to the failed jobs and to the jobs that wait for manual approval. */
export const ForAttention = ({ view }: { readonly view: BuildView }) => {
  const { build, context, jobHref } = view;
  if (context.isFile) return null;
  const jobs = build.jobs ?? [];
  return (
    <>
      <Jobs tone="bad" words="✗ Failed" jobs={jobs.filter(hasFailed)} href={jobHref} />
      <Jobs
        tone="busy"
        words="■ Blocked"
        jobs={jobs.filter(({ state, type }) => state === 'blocked' && type === 'manual')}
        href={({ id }) => `#${id ?? ''}`}
      />
    </>
  );
};

/** Whether the job failed for good. If the job was retried, the retry may have passed. */
const hasFailed = (job: Job): boolean =>
  job.retried !== true && stateColor(job.state ?? '', job) === 'red';

const Jobs = ({
  tone,
  words,
  jobs,
  href,
}: {
  readonly tone: string;
  readonly words: string;
  readonly jobs: readonly Job[];
  readonly href: (job: Job) => string | undefined;
}) =>
  jobs.length === 0 ? null : (
    <p>
      <span class={tone}>{words}</span>:{' '}
      {jobs.slice(0, mostNamed).map((job, index) => (
        <>
          {index > 0 && ', '}
          <a href={href(job)}>
            <JobLabel job={job} />
          </a>
        </>
      ))}
      {jobs.length > mostNamed && (
        <>
          {' '}
          and <a href="#jobs">{grouped(jobs.length - mostNamed)} more</a>
        </>
      )}
    </p>
  );

const mostNamed = 8;
