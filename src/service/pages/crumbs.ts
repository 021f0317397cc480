import type { Crumb } from '../../pages/page-document.tsx';
import { webOrganization, webPipeline } from './api-paths.ts';

type Params = Readonly<Record<string, string>>;

/** The way to a pipeline; with `last`, on to a page below it. */
export const pipelineCrumbs = (params: Params, ...last: readonly Crumb[]): Crumb[] => [
  { text: params['org'] ?? '', href: webOrganization(params) },
  { text: params['pipeline'] ?? '', href: last.length === 0 ? undefined : webPipeline(params) },
  ...last,
];
