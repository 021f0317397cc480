import type { PageContext } from '../../pages/page-context.ts';
import { ApiError } from '../http/api-error.ts';
import type { PageCall } from './page-call.ts';

/** Whether who is signed in may start, cancel, and retry builds of an organization, that of the page, as the API has it. */
const mayWrite = (call: PageCall, slug = call.params['org'] ?? ''): boolean =>
  isVisible(call, slug) && call.caller.token.scopes.includes('write_builds');

/** For the parts of the page: without a form's token where nothing may be changed. */
export const contextOf = (call: PageCall, slug?: string): PageContext => ({
  ...call.context,
  formToken: mayWrite(call, slug) ? call.context.formToken : undefined,
});

/** Throws `ApiError` 403. What is not there at all is for the API to say. */
export function assertMayWrite(call: PageCall): void {
  if (isVisible(call, call.params['org'] ?? '') && !mayWrite(call))
    throw new ApiError(403, 'You may look at these builds, not change them');
}

/** Whether an organization is there and open to who is signed in. */
function isVisible({ service, caller }: PageCall, slug: string): boolean {
  const id = service.store.accounts.organization(slug)?.id;
  return id !== undefined && caller.token.organizationIds.includes(id);
}
