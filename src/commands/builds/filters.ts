import type { BuildFilters } from '../../api/builds.ts';
import type { Input } from '../../command/command.ts';
import type { Context } from '../../context.ts';
import { fullCommit } from '../../refs/commit.ts';
import { pairs } from '../../parse/pair.ts';
import { parseTime } from '../../parse/time.ts';
import type { buildsList } from './index.ts';

/** The query of a build list (API specification, "Builds"): full SHAs, times in UTC. */
export async function listFilters(
  input: Input<typeof buildsList>,
  { clock, cwd }: Context,
): Promise<BuildFilters> {
  const now = new Date(clock.now());
  const time = (text: string | undefined) =>
    text === undefined ? undefined : parseTime(text, now);
  return defined({
    state: input.state,
    branch: input.branch,
    commit: await Promise.all(input.commit.map((text) => fullCommit(text, cwd))),
    creator: input.creator,
    createdFrom: time(input.createdFrom),
    createdTo: time(input.createdTo),
    finishedFrom: time(input.finishedFrom),
    metaData: pairs(input.metaData, '--meta-data'),
    includeRetriedJobs: input.includeRetriedJobs || undefined,
  });
}

/** The members that have a value: an optional member may be absent, not undefined. */
function defined<T extends object>(members: T): { [K in keyof T]: NonNullable<T[K]> } {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]: NonNullable<T[K]> };
}
