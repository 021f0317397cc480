import { type RestClient, asItCame } from './rest-client.ts';
import type { Pages } from './pages.ts';
import { pipelineName, type PipelineRef } from './refs.ts';
import type { Pipeline } from './resources/pipeline.ts';

export interface PipelineFilters {
  /** Part of the repository's URL, in any case. */
  readonly repository?: string;
  /** Ends the requests of the list; its reason is thrown. */
  readonly signal?: AbortSignal;
}

/** Beyond the specification: pipelines by themselves, as the public API documents them. */
export interface Pipelines {
  list(org: string, filters?: PipelineFilters): Pages<Pipeline>;
  get(ref: PipelineRef): Promise<Pipeline>;
}

export const pipelines = (rest: RestClient): Pipelines => ({
  list: (org, { repository, signal } = {}) =>
    rest.pages<Pipeline>({
      method: 'GET',
      path: ['v2', 'organizations', org, 'pipelines'],
      query: { per_page: 100, repository },
      action: `list the pipelines of ${org}`,
      scope: 'read_pipelines',
      subject: { org },
      ...(signal && { signal }),
    }),
  get: (ref) =>
    rest.one<Pipeline>(
      {
        method: 'GET',
        path: ['v2', 'organizations', ref.org, 'pipelines', ref.pipeline],
        action: `view pipeline ${pipelineName(ref)}`,
        scope: 'read_pipelines',
        subject: ref,
      },
      asItCame,
    ),
});
