import type { Build } from '../../api/resources/build.ts';
import type { Pipeline } from '../../api/resources/pipeline.ts';
import type { PageContext } from '../page-context.ts';
import { Ago } from '../build/ago.tsx';
import { State } from '../state.tsx';
import { Plain, Prose } from '../text.tsx';
import { BuildBars } from './build-bars.tsx';
import { titleOf } from './build-words.ts';

export interface PipelineCardProps {
  readonly pipeline: Pipeline;
  /** The last ones, the newest first. */
  readonly builds: readonly Build[];
  readonly context: PageContext;
}

/** The name by which a pipeline's part of a page is replaced. */
export const cardId = (pipelineId: string): string => `pipeline-${pipelineId}`;

/** A pipeline in the list of all: its name, its newest build, how the last ones went. */
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

const Newest = ({
  build,
  context,
}: {
  readonly build: Build | undefined;
  readonly context: PageContext;
}) =>
  build === undefined ? (
    <div class="newest" />
  ) : (
    <div class="newest">
      <p class="one-line">
        <State state={build.state ?? ''} marks={build} />{' '}
        <a href={context.link(build.web_url)}>
          #{build.number} <Prose text={titleOf(build)} />
        </a>
      </p>
      <p class="quiet small one-line">
        <Plain text={build.branch ?? ''} />, <Ago time={build.created_at} context={context} />
      </p>
    </div>
  );
