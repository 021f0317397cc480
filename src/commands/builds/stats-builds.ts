import type { BuildFilters, Builds, BuildScope } from '../../api/builds.ts';
import { build, type Build } from '../../api/resources/build.ts';
import { assertResource } from '../../api/resources/check.ts';
import { isFinished } from '../../stats/outcome.ts';
import type { Branches } from './stats-branches.ts';

export interface BuildChoice {
  readonly filters: BuildFilters;
  readonly branches: Branches;
  /** How many; `Infinity` for all. */
  readonly limit: number;
  /** Fewer may have been found than there are: `read` builds were looked at. */
  readonly onGivenUp: (read: number) => void;
}

/**
 * The newest finished builds, or those in the states that were asked for. A long list is read without
 * a filter of the state: builds leave such a list and join it while it is read, so that its pages
 * could only be fetched one after another.
 */
export async function* readBuilds(
  builds: Builds,
  scope: BuildScope,
  { filters, branches, limit, onGivenUp }: BuildChoice,
): AsyncGenerator<Build> {
  const { state = [], ...others } = filters;
  const isOne = limit <= perPage && scope.pipeline !== undefined;
  const states = state.length > 0 ? state : isOne || isSelective(others) ? ['finished'] : [];
  const query = { ...others, state: states, branch: branches.asked };
  const isWanted = (one: Build): boolean =>
    (state.length > 0 || isFinished(one)) && branches.includes(one);
  const pages = builds.list(scope, {
    ...query,
    perPage: isOne ? limit : perPage,
    whole: !isOne,
  });
  let [read, left] = [0, limit];
  for await (const { items } of pages.pages()) {
    for (const one of items) assertResource(build, one);
    const wanted = items.filter(isWanted).slice(0, left);
    yield* wanted;
    left -= wanted.length;
    read += items.length;
    if (left <= 0) return;
    if (read >= mostRead(limit)) {
      onGivenUp(read);
      return;
    }
  }
}

const perPage = 100;

/** What the service finds few of is not searched for here. */
const isSelective = ({ commit = [], finishedFrom, metaData = {} }: BuildFilters): boolean =>
  commit.length > 0 || finishedFrom !== undefined || Object.keys(metaData).length > 0;

/** Of an organization whose builds are nearly all of other branches, not every one is read. */
const mostRead = (limit: number): number => Math.max(1000, limit * 10);
