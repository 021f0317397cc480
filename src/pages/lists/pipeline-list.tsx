import { Pager, type Pages } from './pager.tsx';
import { PipelineCard, type PipelineCardProps } from './pipeline-card.tsx';

export interface PipelineListProps {
  readonly cards: readonly Omit<PipelineCardProps, 'context'>[];
  readonly context: PipelineCardProps['context'];
  readonly pages: Pages;
  /** What was looked for in the names. */
  readonly text: string;
}

export const listId = 'pipelines';

/** The pipelines of an organization. */
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
    <p class="empty">There are no more pipelines.</p>
  ) : text === '' ? (
    <div class="empty">
      <p>There are no pipelines yet. In a terminal, type:</p>
      <pre>
        <code>cictl local pipeline add FOLDER</code>
      </pre>
    </div>
  ) : (
    <p class="empty">No pipeline has “{text}” in its name.</p>
  );

/** Looks for pipelines by a part of their name. `action`: the page of the organization. */
export const PipelineSearch = ({
  action,
  text,
}: {
  readonly action: string;
  readonly text: string;
}) => (
  <form class="filters" method="get" action={action} role="search">
    <label>
      Name <input type="search" name="q" value={text} />
    </label>
    <button>Search</button>
  </form>
);
