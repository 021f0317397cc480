import type { PageContext } from '../../pages/page-context.ts';
import { ApiError } from '../http/api-error.ts';
import type { PageCall } from './page-call.ts';

/** Whether who is signed in may start, cancel, and retry builds of an organization, that of the page, as the API has it. */
const mayWrite = (call: PageCall, slug = call.params['org'] ?? ''): boolean =>
  visibleId(call, slug) !== undefined && call.caller.token.scopes.includes('write_builds');

/** For the parts of the page: without a form's token where nothing may be changed. */
export const contextOf = (call: PageCall, slug?: string): PageContext => ({
  ...call.context,
  formToken: mayWrite(call, slug) ? call.context.formToken : undefined,
});

/** Throws `ApiError` 403. What is not there at all is for the API to say. */
export function assertMayWrite(call: PageCall): void {
  if (visibleId(call, call.params['org'] ?? '') !== undefined && !mayWrite(call))
    throw new ApiError(403, 'You may look at these builds, not change them');
}

/** Id of an organization that is there and open to who is signed in. */
function visibleId({ service, caller }: PageCall, slug: string): string | undefined {
  const id = service.store.accounts.organization(slug)?.id;
  return id !== undefined && caller.token.organizationIds.includes(id) ? id : undefined;
}
