import { Pager, type Pages } from './controls.tsx';
import type { Build } from '../../api/resources/build.ts';
import type { Pipeline } from '../../api/resources/pipeline.ts';
import type { PageContext } from '../page-document.tsx';
import { Ago, State, Plain, Prose } from '../elements.tsx';
import { BuildBars } from './build-bars.tsx';
import { titleOf } from './build-words.ts';
import type { Organization } from '../../api/resources/organization.ts';

export interface PipelineListProps {
  readonly cards: readonly Omit<PipelineCardProps, 'context'>[];
  readonly context: PipelineCardProps['context'];
  readonly pages: Pages;
  readonly text: string;
}

export const listId = 'pipelines';

export const PipelineList = ({ cards, context, pages, text }: PipelineListProps) => (
  <section id={listId} data-part>
    {cards.length === 0 && <NoPipelines text={text} isFirst={pages.previous === undefined} />}
    {cards.map((card) => (
      <PipelineCard {...card} context={context} />
    ))}
    <Pager {...pages} />
  </section>
);

const NoPipelines = ({ text, isFirst }: { readonly text: string; readonly isFirst: boolean }) =>
  !isFirst ? (
    <p class="empty">No more pipelines.</p>
  ) : text === '' ? (
    <div class="empty">
      <p>No pipelines yet. To add one, run in a terminal:</p>
      <pre>
        <code>cictl local pipeline add DIR</code>
      </pre>
    </div>
  ) : (
    <p class="empty">No pipeline has “{text}” in its name.</p>
  );

export const PipelineSearch = ({ action, text }: { action: string; text: string }) => (
  <form class="filters" method="get" action={action} role="search">
    <label>
      Name <input type="search" name="q" value={text} />
    </label>
    <button>Search</button>
  </form>
);

interface PipelineCardProps {
  readonly pipeline: Pipeline;
  /** Newest first */
  readonly builds: readonly Build[];
  readonly context: PageContext;
}

export const cardId = (pipelineId: string): string => `pipeline-${pipelineId}`;

export const PipelineCard = ({ pipeline, builds, context }: PipelineCardProps) => (
  <section id={cardId(pipeline.id ?? '')} data-part data-row class="panel pipeline">
    <div class="what">
      <h2>
        <a href={context.link(pipeline.web_url)}>
          <Plain text={pipeline.name ?? pipeline.slug ?? ''} />
        </a>
      </h2>
      <About {...pipeline} />
    </div>
    <Newest build={builds[0]} context={context} />
    <BuildBars builds={builds} context={context} />
  </section>
);

const About = ({ description, repository }: Pipeline) => {
  const text = [description, repository].find((one) => typeof one === 'string' && one !== '');
  return text ? (
    <p class="quiet small">
      <Prose text={text} />
    </p>
  ) : null;
};

const Newest = ({ build, context }: { build: Build | undefined; context: PageContext }) => (
  <div class="newest">
    {build !== undefined && (
      <>
        <p class="one-line">
          <State state={build.state ?? ''} marks={build} />{' '}
          <a href={context.link(build.web_url)}>
            #{build.number} <Prose text={titleOf(build)} />
          </a>
        </p>
        <p class="quiet small one-line">
          <Plain text={build.branch ?? ''} />, <Ago time={build.created_at} context={context} />
        </p>
      </>
    )}
  </div>
);

export const PipelineHead = ({
  pipeline: { name, description, repository, default_branch },
  path,
  context,
}: {
  readonly pipeline: Pipeline;
  readonly path: string;
  readonly context: PageContext;
}) => (
  <header class="head">
    <div class="what">
      <h1>
        <Plain text={name ?? ''} />
      </h1>
      {description && (
        <p>
          <Prose text={description} />
        </p>
      )}
      <p class="quiet small">
        {repository && <Plain text={repository} />}
        {repository && default_branch && ', '}
        {default_branch && (
          <>
            branch <Plain text={default_branch} />
          </>
        )}
      </p>
    </div>
    <nav class="actions" aria-label="Actions">
      <a href={`${path}/stats`}>Statistics</a>
      {context.formToken !== undefined && (
        <a class="button" href={`${path}/builds/new`}>
          New build
        </a>
      )}
    </nav>
  </header>
);

export const OrganizationList = ({
  organizations,
  context,
}: {
  readonly organizations: readonly Organization[];
  readonly context: PageContext;
}) => (
  <>
    <h1>Organizations</h1>
    {organizations.length === 0 && <p class="empty">You do not have access to any organization.</p>}
    <ul class="rows">
      {organizations.map(({ name, slug, web_url }) => (
        <li data-row>
          <a href={context.link(web_url)}>
            <Plain text={name ?? slug ?? ''} />
          </a>
        </li>
      ))}
    </ul>
  </>
);
