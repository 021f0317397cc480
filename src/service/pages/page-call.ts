/** What the handler of a page works with, and what it makes. */
import type { Child } from 'hono/jsx';
import type { PageContext } from '../../pages/page-context.ts';
import type { Crumb } from '../../pages/page-document.tsx';
import type { Caller } from '../http/route.ts';
import type { RouteResponse } from '../http/response.ts';
import type { ServiceContext } from '../service-context.ts';
import type { SessionApi } from './session-api.ts';

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
