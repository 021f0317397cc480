import type { Crumb } from '../../pages/page-document.tsx';

/** URL paths of the API and of the pages, built from the parameters of a page's path. */
type Params = Readonly<Record<string, string>>;

const part = (text: string | undefined): string => encodeURIComponent(text ?? '');

export const organizationPath = ({ org }: Params): string => `/v2/organizations/${part(org)}`;

export const pipelinePath = (params: Params): string =>
  `${organizationPath(params)}/pipelines/${part(params['pipeline'])}`;

export const buildPath = (params: Params): string =>
  `${pipelinePath(params)}/builds/${part(params['number'])}`;

export const jobPath = (params: Params): string =>
  `${buildPath(params)}/jobs/${part(params['job'])}`;

export const webOrganization = ({ org }: Params): string => `/${part(org)}`;

export const webPipeline = (params: Params): string =>
  `${webOrganization(params)}/${part(params['pipeline'])}`;

export const webBuild = (params: Params): string =>
  `${webPipeline(params)}/builds/${part(params['number'])}`;

export const webJob = (params: Params): string => `${webBuild(params)}/jobs/${part(params['job'])}`;

export const pipelineCrumbs = (params: Params, ...last: readonly Crumb[]): Crumb[] => [
  { text: params['org'] ?? '', href: webOrganization(params) },
  { text: params['pipeline'] ?? '', href: last.length === 0 ? undefined : webPipeline(params) },
  ...last,
];

/** Converts URLs of this service to paths, because the browser may use another host name. */
export function ownLink(base: string, address: string | null | undefined): string | undefined {
  if (address === null || address === undefined) return undefined;
  const path = address.startsWith(`${base}/`) ? address.slice(base.length) : undefined;
  // A path that starts with two slashes would lead to another host.
  if (path !== undefined && !/^\/[/\\]/.test(path)) return path;
  return /^https?:\/\//i.test(address) ? address : undefined;
}

/** Only allows paths of this service: `//elsewhere` and `/\elsewhere` become `/`. */
export function ownPath(to: string | null): string {
  const own = 'http://own.invalid';
  const url = to?.startsWith('/') && URL.canParse(to, own) ? new URL(to, own) : undefined;
  if (url?.origin !== own || url.pathname.startsWith('//')) return '/';
  return url.pathname + url.search + url.hash;
}
