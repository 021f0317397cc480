import type { PageContext } from '../../pages/page-context.ts';
import { ApiError } from '../http/api-error.ts';
import { mayEdit } from '../http/lookups.ts';
import type { PageCall } from './page-call.ts';

/** Whether who is signed in may start, cancel, and retry in the organization of the page. */
export function mayWrite({ service, caller, params }: PageCall): boolean {
  const organization = service.store.accounts.organization(params['org'] ?? '');
  return (
    organization !== undefined &&
    caller.token.organizationIds.includes(organization.id) &&
    caller.token.scopes.includes('write_builds') &&
    mayEdit(service, caller, organization.id)
  );
}

/** For the parts of the page: without a form's token where nothing may be changed. */
export const contextOf = (call: PageCall): PageContext => ({
  ...call.context,
  formToken: mayWrite(call) ? call.context.formToken : undefined,
});

/** Throws `ApiError` 403. What is not there is for the API to say. */
export function assertMayWrite(call: PageCall): void {
  if (!mayWrite(call)) throw new ApiError(403, 'You may look at these builds, not change them');
}
