import type { BuildFilters } from '../../api/builds.ts';
import type { Input } from '../../command/command.ts';
import type { Context } from '../../context.ts';
import { fullCommit } from '../../refs/commit.ts';
import { creatorId } from './creator.ts';
import { pairs } from '../../parse/pair.ts';
import { parseTime } from '../../parse/time.ts';
import type { buildsList } from './index.ts';

type FilterInput = Pick<
  Input<typeof buildsList>,
  | 'state'
  | 'branch'
  | 'commit'
  | 'creator'
  | 'createdFrom'
  | 'createdTo'
  | 'finishedFrom'
  | 'metaData'
> & { readonly includeRetriedJobs?: boolean };

/** The query of a build list (API specification, "Builds"): full SHAs, times in UTC. */
export async function listFilters(input: FilterInput, context: Context): Promise<BuildFilters> {
  const now = new Date(context.clock.now());
  const time = (text: string | undefined) =>
    text === undefined ? undefined : parseTime(text, now);
  const metaData = pairs(input.metaData, '--meta-data');
  const times = {
    createdFrom: time(input.createdFrom),
    createdTo: time(input.createdTo),
    finishedFrom: time(input.finishedFrom),
  };
  const commit = await Promise.all(input.commit.map((text) => fullCommit(text, context.cwd)));
  const creator = input.creator === undefined ? undefined : await creatorId(input.creator, context);
  return defined({
    state: input.state,
    branch: input.branch,
    ...{ commit, creator, ...times, metaData },
    includeRetriedJobs: input.includeRetriedJobs || undefined,
  });
}

/** The members that have a value: an optional member may be absent, not undefined. */
function defined<T extends object>(members: T): { [K in keyof T]: NonNullable<T[K]> } {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]: NonNullable<T[K]> };
}
