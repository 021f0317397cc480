import type { Child } from 'hono/jsx';
import type { PageContext, Crumb } from '../../pages/page-document.tsx';
import type { Caller } from '../http/route.ts';
import type { RouteResponse } from '../http/response.ts';
import type { ServiceContext } from '../service-context.ts';
import type { SessionApi } from './signed-in.ts';
import { ApiError } from '../http/api-error.ts';

export interface PageCall {
  readonly service: ServiceContext;
  readonly caller: Caller;
  readonly api: SessionApi;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly header: (name: string) => string | undefined;
  /** The submitted form, whose token has been checked. Empty for GET. */
  readonly form: URLSearchParams;
  readonly context: PageContext;
  /** Aborted when the browser disconnects. */
  readonly signal: AbortSignal;
}

export interface PageContent {
  readonly status?: number;
  readonly title: string;
  /** Breadcrumb links after the link to the start page. */
  readonly crumbs: readonly Crumb[];
  /** URL of the event stream. */
  readonly live?: string;
  readonly body: Child;
}

export type PageResult = PageContent | { readonly location: string } | RouteResponse;

export type PageHandler = (call: PageCall) => PageResult | Promise<PageResult>;

/** Omits the form token if the user may not start, cancel and retry builds in the organization. */
export const contextOf = (call: PageCall, slug?: string): PageContext => ({
  ...call.context,
  formToken: mayWrite(call, slug) ? call.context.formToken : undefined,
});

const mayWrite = (call: PageCall, slug = call.params['org'] ?? ''): boolean =>
  isVisible(call, slug) && call.caller.token.scopes.includes('write_builds');

/** Throws `ApiError` 403. If the organization does not exist, the API will return 404 instead. */
export function assertMayWrite(call: PageCall): void {
  if (isVisible(call, call.params['org'] ?? '') && !mayWrite(call))
    throw new ApiError(403, 'You do not have permission to change these builds');
}

function isVisible({ service, caller }: PageCall, slug: string): boolean {
  const id = service.store.accounts.organization(slug)?.id;
  return id !== undefined && caller.token.organizationIds.includes(id);
}
