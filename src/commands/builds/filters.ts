import type { BuildFilters } from '../../api/builds.ts';
import type { Input } from '../../command/command.ts';
import { isFromFlag } from '../../config/setting-origins.ts';
import type { Context } from '../../context.ts';
import { usageError, CictlError } from '../../errors.ts';
import { pairs } from '../../parse/flag-values.ts';
import { parseTime } from '../../parse/time.ts';
import { fullCommit } from '../../refs/commit.ts';
import { isUuid } from '../../refs/parse-reference.ts';
import type { ListScope } from '../../refs/resolve.ts';
import type { buildsList } from './index.ts';

type ListInput = Omit<Input<typeof buildsList>, 'numbers'>;

/** The query for a list of builds (API specification, "Builds"): full SHAs, times in UTC. */
export async function listFilters(input: ListInput, context: Context): Promise<BuildFilters> {
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

function defined<T extends object>(members: T): { [K in keyof T]: NonNullable<T[K]> } {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]: NonNullable<T[K]> };
}

/** Exit code 2 if `--all-orgs` is combined with an organization. */
export function listScopeOf(
  input: Pick<ListInput, 'target' | 'allPipelines' | 'allOrgs'>,
  { settings }: Context,
): ListScope {
  if (!input.allOrgs) return input.allPipelines ? 'org' : 'known';
  if (isFromFlag(settings, 'org')) throw usageError('--all-orgs and --org cannot be used together');
  if (isFromFlag(settings, 'pipeline'))
    throw usageError('--all-orgs and --pipeline cannot be used together');
  if (input.target !== undefined) throw usageError('--all-orgs and TARGET cannot be used together');
  return 'all';
}

/** Accepts a UUID or `me`. For any other text, the service would return an empty list. */
async function creatorId(text: string, context: Context): Promise<string> {
  if (isUuid(text)) return text;
  if (!/^@?me$/i.test(text))
    throw usageError(
      `--creator must be a user UUID or me, not ${JSON.stringify(text)}`,
      'cictl builds list --creator me',
    );
  const { accessToken } = await context.client();
  const { user } = await accessToken.get();
  const id = user?.id ?? (await accessToken.user()).id;
  if (id) return id;
  throw new CictlError('invalid_response', 'the service returned a user without an ID');
}
