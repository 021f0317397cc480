import { isFromFlag } from '../../config/is-from-flag.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import type { ListScope } from '../../refs/resolve.ts';

/** How far a list of builds reaches. Code 2 for `--all-orgs` beside what names one of them. */
export function listScopeOf(
  input: { readonly target: string | undefined; allPipelines: boolean; allOrgs: boolean },
  { settings }: Context,
): ListScope {
  if (!input.allOrgs) return input.allPipelines ? 'org' : 'known';
  if (isFromFlag(settings, 'org')) throw usageError('--all-orgs and --org cannot be used together');
  if (isFromFlag(settings, 'pipeline'))
    throw usageError('--all-orgs and --pipeline cannot be used together');
  if (input.target !== undefined) throw usageError('--all-orgs and TARGET cannot be used together');
  return 'all';
}
