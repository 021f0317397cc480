/** What the handler of a page works with, and what it makes. */
import type { Child } from 'hono/jsx';
import type { PageContext, Crumb } from '../../pages/page-document.tsx';
import type { Caller } from '../http/route.ts';
import type { RouteResponse } from '../http/response.ts';
import type { ServiceContext } from '../service-context.ts';
import type { SessionApi } from './signed-in.ts';
import { ApiError } from '../http/api-error.ts';

export interface PageCall {
  readonly service: ServiceContext;
  /** In whose name all is done. */
  readonly caller: Caller;
  readonly api: SessionApi;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly header: (name: string) => string | undefined;
  /** What the form sent; empty for GET. Its token has been checked. */
  readonly form: URLSearchParams;
  /** For the parts of the page. */
  readonly context: PageContext;
  /** Aborted when the browser has gone. */
  readonly signal: AbortSignal;
}

/** A page to be framed. */
export interface PageContent {
  readonly status?: number;
  readonly title: string;
  /** Behind the way to the start. */
  readonly crumbs: readonly Crumb[];
  /** Where it hears what is new. */
  readonly live?: string;
  readonly body: Child;
}

/** A page, another address to go to (303), or a response of another kind. */
export type PageResult = PageContent | { readonly location: string } | RouteResponse;

export type PageHandler = (call: PageCall) => PageResult | Promise<PageResult>;

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
