import { type RestClient, asItCame } from './rest-client.ts';
import { pipelineName, type PipelineRef } from './refs.ts';
import type { Pipeline } from './resources/pipeline.ts';

interface PipelineFilters {
  /** Substring of the repository URL, ignoring case */
  readonly repository?: string;
  readonly signal?: AbortSignal;
}

/** Not in spec.md; see the public API reference. */
export const pipelines = (rest: RestClient) => ({
  list: (org: string, { repository, signal }: PipelineFilters = {}) =>
    rest.pages<Pipeline>({
      ...{ method: 'GET', path: ['v2', 'organizations', org, 'pipelines'] },
      query: { per_page: 100, repository },
      ...{ action: `list the pipelines in ${org}`, scope: 'read_pipelines' },
      ...{ subject: { org }, signal },
    }),
  get: (ref: PipelineRef) =>
    rest.one<Pipeline>(
      {
        ...{ method: 'GET', path: ['v2', 'organizations', ref.org, 'pipelines', ref.pipeline] },
        ...{ action: `view pipeline ${pipelineName(ref)}`, scope: 'read_pipelines', subject: ref },
      },
      asItCame,
    ),
});
