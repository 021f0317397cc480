import type { Build } from '../../api/resources/build.ts';
import type { PageContext } from '../page-document.tsx';
import { Ago, State, Plain, Prose } from '../elements.tsx';
import { titleOf } from './build-words.ts';
import { Pager, type Pages } from './controls.tsx';
import { durationOf } from '../../api/resources/duration.ts';
import { duration } from '../../render/time.ts';

export interface BuildListProps {
  readonly builds: readonly Build[];
  readonly context: PageContext;
  readonly pages: Pages;
  readonly branchHref: (branch: string) => string;
  /** Shown if there are no builds. */
  readonly none: string;
}

export const buildListId = 'builds';

export const BuildList = (props: BuildListProps) => (
  <section id={buildListId} data-part aria-label="Builds">
    {props.builds.length === 0 ? (
      <p class="empty">{props.none}</p>
    ) : (
      <ol class="rows builds">
        {props.builds.map((build) => (
          <Row {...props} build={build} />
        ))}
      </ol>
    )}
    <Pager {...props.pages} />
  </section>
);

const Row = ({ build, context, branchHref }: BuildListProps & { readonly build: Build }) => {
  const took = durationOf(build, context.now);
  return (
    <li id={`build-${build.number ?? ''}`} data-row>
      <State state={build.state ?? ''} marks={build} />
      <div class="what">
        <a class="one-line" href={context.link(build.web_url)}>
          #{build.number} <Prose text={titleOf(build)} />
        </a>
        <p class="quiet small about">
          <Branch {...build} href={branchHref} />
          <Commit {...build} />
          <Creator {...build} />
        </p>
      </div>
      <p class="quiet small times">
        <span>{took === null ? '' : duration(took * 1000)}</span>
        <Ago time={build.created_at} context={context} />
      </p>
    </li>
  );
};

const Branch = ({ branch, href }: Build & { readonly href: (branch: string) => string }) =>
  branch ? (
    <a href={href(branch)}>
      <Plain text={branch.trim() === '' ? '(blank)' : branch} />
    </a>
  ) : null;

const Commit = ({ commit }: Build) =>
  commit ? (
    <code>
      <Plain text={/^[0-9a-f]{40}$/.test(commit) ? commit.slice(0, 7) : commit} />
    </code>
  ) : null;

const Creator = ({ creator }: Build) =>
  creator?.name ? (
    <span>
      by <Plain text={creator.name} />
    </span>
  ) : null;
