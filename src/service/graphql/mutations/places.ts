/** What a mutation acts on, by its GraphQL id. Throws what REST says where it is not to be seen. */
import type { Build, Job, Organization } from '../../domain/records.ts';
import { notFound } from '../../http/api-error.ts';
import type { BuildLocation } from '../../http/present/build.ts';
import { uuidOf } from '../ids.ts';
import { buildSeen, organizationSeen, pipelineSeen, type GraphqlContext } from '../context.ts';

export function organizationAt(context: GraphqlContext, id: string): Organization {
  const organization = organizationSeen(context, uuidOf('Organization', id));
  if (organization === undefined) throw notFound('organization');
  return organization;
}

export const pipelineAt = (context: GraphqlContext, id: string): BuildLocation =>
  placeOf(context, uuidOf('Pipeline', id), 'pipeline');

export interface BuildPlace extends BuildLocation {
  readonly build: Build;
}

export function buildAt(context: GraphqlContext, id: string): BuildPlace {
  const build = buildSeen(context, uuidOf('Build', id));
  if (build === undefined) throw notFound('build');
  return { ...placeOf(context, build.pipelineId, 'build'), build };
}

export interface JobPlace extends BuildPlace {
  readonly job: Job;
}

export function jobAt(context: GraphqlContext, id: string): JobPlace {
  const placed = context.service.store.builds.job(uuidOf('Job', id));
  if (placed === undefined) throw notFound('job');
  const build = buildSeen(context, placed.buildId);
  if (build === undefined) throw notFound('job');
  return { ...placeOf(context, build.pipelineId, 'job'), build, job: placed.job };
}

function placeOf(context: GraphqlContext, pipelineId: string, what: string): BuildLocation {
  const pipeline = pipelineSeen(context, pipelineId);
  const organization = pipeline && organizationSeen(context, pipeline.organizationId);
  if (pipeline === undefined || organization === undefined) throw notFound(what);
  return { organization, pipeline };
}
