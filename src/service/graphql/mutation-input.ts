/** What a mutation acts on, by its GraphQL id. Throws what REST says where it is not to be seen. */
import type { Build, Job, Organization } from '../domain/records.ts';
import { findAgent, type SeenAgent } from '../http/agents.ts';
import { notFound, badRequest } from '../http/api-error.ts';
import type { BuildLocation } from '../http/present/build.ts';
import { uuidOf } from './find.ts';
import {
  visibleBuild,
  visibleOrganization,
  visibleOrganizations,
  visiblePipeline,
  type GraphqlContext,
} from './context.ts';

export function organizationAt(context: GraphqlContext, id: string): Organization {
  const organization = visibleOrganization(context, uuidOf('Organization', id));
  if (organization === undefined) throw notFound('organization');
  return organization;
}

export const pipelineAt = (context: GraphqlContext, id: string): BuildLocation =>
  placeOf(context, uuidOf('Pipeline', id), 'pipeline');

export function agentAt(context: GraphqlContext, id: string): SeenAgent {
  const uuid = uuidOf('Agent', id);
  for (const organization of visibleOrganizations(context)) {
    const found = findAgent(context.service, organization, uuid);
    if (found !== undefined) return found;
  }
  throw notFound('agent');
}

interface LocatedBuild extends BuildLocation {
  readonly build: Build;
}

export function buildAt(context: GraphqlContext, id: string): LocatedBuild {
  const build = visibleBuild(context, uuidOf('Build', id));
  if (build === undefined) throw notFound('build');
  return { ...placeOf(context, build.pipelineId, 'build'), build };
}

interface LocatedJob extends LocatedBuild {
  readonly job: Job;
}

export function jobAt(context: GraphqlContext, id: string): LocatedJob {
  const jobOfBuild = context.service.store.builds.job(uuidOf('Job', id));
  if (jobOfBuild === undefined) throw notFound('job');
  const build = visibleBuild(context, jobOfBuild.buildId);
  if (build === undefined) throw notFound('job');
  return { ...placeOf(context, build.pipelineId, 'job'), build, job: jobOfBuild.job };
}

function placeOf(context: GraphqlContext, pipelineId: string, what: string): BuildLocation {
  const pipeline = visiblePipeline(context, pipelineId);
  const organization = pipeline && visibleOrganization(context, pipeline.organizationId);
  if (pipeline === undefined || organization === undefined) throw notFound(what);
  return { organization, pipeline };
}

/** A value of the scalar `JSON`: as it is, or as a text, which is how typed clients send it. */
export function readJsonInput(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (value.trim() === '') return undefined;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    throw badRequest(`${name} is not valid JSON`);
  }
}
