/** Each mutation runs the same code as the corresponding REST request. */
import type { Build, Job, Organization, Pipeline } from '../domain/records.ts';
import { ApiError, badRequest, notFound, refused, type FieldError } from '../http/api-error.ts';
import { readNewBuild } from '../http/routes/builds.ts';
import { makeBuild, rebuild } from '../scheduler/make-build.ts';
import { buildNode, annotationNode } from './nodes/build.ts';
import {
  clearCache,
  visibleBuild,
  visibleOrganization,
  visibleOrganizations,
  visiblePipeline,
  type GraphqlContext,
} from './context.ts';
import { cancelBuild } from '../domain/build-lifecycle.ts';
import { putAnnotation } from '../http/routes/annotations.ts';
import { cursorOf } from './connection.ts';
import { unblockJob } from '../domain/unblock.ts';
import { readUnblocking } from '../http/routes/jobs.ts';
import { findJob, uuidOf } from './find.ts';
import { retryJob } from '../domain/retry.ts';
import { changeAgent, findAgent as findSeenAgent, readPause } from '../http/agents.ts';
import type { BuildLocation } from '../http/present/build.ts';
import { findAgent } from './nodes/agents.ts';
import { readNewRule } from '../http/routes/rules.ts';
import { ruleNode } from './nodes/organization.ts';

export function allMutations(context: GraphqlContext): object {
  const mutation =
    <T>(perform: (context: GraphqlContext, input: T) => object | Promise<object>) =>
    async ({ input }: { input: T & { readonly clientMutationId?: string | null } }) => {
      // An earlier mutation in the same request may have changed cached objects.
      clearCache(context);
      try {
        return {
          clientMutationId: input.clientMutationId ?? null,
          ...(await perform(context, input)),
        };
      } catch (error) {
        if (error instanceof ApiError && error.errors.length > 0)
          throw new Error(`${error.message}: ${error.errors.map(textOf).join(', ')}`);
        throw error;
      }
    };
  return {
    agentStop: mutation(stopAgent),
    agentPause: mutation(pauseAgent),
    agentResume: mutation(resumeAgent),
    buildCreate: mutation(createBuild),
    buildCancel: mutation(cancelBuildById),
    buildRebuild: mutation(rebuildBuild),
    buildAnnotate: mutation(annotateBuild),
    jobTypeCommandRetry: mutation(retryJobById),
    jobTypeBlockUnblock: mutation(unblockJobById),
    ruleCreate: mutation(createRule),
    ruleDelete: mutation(deleteRule),
  };
}

const textOf = ({ field, code, message }: FieldError): string => message ?? `${field} is ${code}`;

interface Id {
  readonly id: string;
}

const stopAgent = (
  context: GraphqlContext,
  { id, graceful }: Id & { readonly graceful?: boolean | null },
): object => change(context, id, 'stop', (agents, uuid) => agents.stop(uuid, graceful !== true));

interface PauseInput extends Id {
  readonly note?: string | null;
  readonly timeoutInMinutes?: number | null;
}

function pauseAgent(context: GraphqlContext, input: PauseInput): object {
  const { service, caller } = context;
  const { note, minutes } = readPause({
    ...{ note: input.note, timeout_in_minutes: input.timeoutInMinutes },
  });
  const until = service.clock.now() + minutes * 60_000;
  return change(context, input.id, 'pause', (agents, uuid) =>
    agents.pause(uuid, note, until, caller.user?.id ?? null),
  );
}

const resumeAgent = (context: GraphqlContext, { id }: Id): object =>
  change(context, id, 'resume', (agents, uuid) => agents.resume(uuid));

function change(
  context: GraphqlContext,
  id: string,
  verb: string,
  perform: Parameters<typeof changeAgent>[3],
): object {
  const uuid = uuidOf('Agent', id);
  const agent = visibleOrganizations(context)
    .map((organization) => findSeenAgent(context.service, organization, uuid))
    .find((found) => found !== undefined);
  if (agent === undefined) throw notFound('agent');
  changeAgent(context.service, agent, verb, perform);
  return { agent: () => findAgent(context, uuid) };
}

interface NewBuildInput {
  readonly pipelineID: string;
  readonly commit?: string | null;
  readonly branch?: string | null;
  readonly message?: string | null;
  readonly author?: { readonly name: string; readonly email: string } | null;
  readonly env?: readonly string[] | null;
  readonly metaData?: readonly { readonly key: string; readonly value: string }[] | null;
}

async function createBuild(context: GraphqlContext, input: NewBuildInput): Promise<object> {
  const { service, caller } = context;
  const location = locate(context, uuidOf('Pipeline', input.pipelineID), 'pipeline');
  const wanted = readNewBuild(newBuildBody(input, location.pipeline));
  const build = await makeBuild(service, location, {
    ...wanted,
    creatorId: caller.user?.id ?? null,
  });
  return { build: () => buildNode(context, build.id) };
}

/** Builds the REST body. Generated clients send empty strings for omitted values. */
const newBuildBody = (input: NewBuildInput, { defaultBranch }: Pipeline): object => ({
  commit: input.commit || 'HEAD',
  branch: input.branch || defaultBranch,
  message: input.message,
  author: input.author?.name || input.author?.email ? input.author : null,
  env: Object.fromEntries((input.env ?? []).map(variable)),
  meta_data: Object.fromEntries((input.metaData ?? []).map(({ key, value }) => [key, value])),
});

/** Parses `NAME=VALUE`. Error messages omit the entry, because the value may be a secret. */
function variable(entry: string, index: number): [name: string, value: string] {
  const equals = entry.indexOf('=');
  if (equals < 0) throw refused(`env[${index}] must be NAME=VALUE`);
  return [entry.slice(0, equals), entry.slice(equals + 1)];
}

async function rebuildBuild(context: GraphqlContext, { id }: Id): Promise<object> {
  const { service, caller } = context;
  const location = buildAt(context, id);
  const made = await rebuild(service, location, location.build, caller.user?.id);
  return {
    build: () => buildNode(context, location.build.id),
    rebuild: () => buildNode(context, made.id),
  };
}

function cancelBuildById(context: GraphqlContext, { id }: Id): object {
  const { service, caller } = context;
  const { build } = buildAt(context, id);
  service.engine.change(build.id, (tree) =>
    cancelBuild(tree, null, service.clock.now(), caller.user?.id),
  );
  return { build: () => buildNode(context, build.id) };
}

interface AnnotateInput {
  readonly buildID: string;
  readonly body?: string | null;
  readonly style?: string | null;
  readonly context?: string | null;
  readonly append?: boolean | null;
  readonly priority?: number | null;
}

async function annotateBuild(context: GraphqlContext, input: AnnotateInput): Promise<object> {
  const { build } = buildAt(context, input.buildID);
  const annotation = await putAnnotation(context.service, { buildId: build.id, jobId: null }, () =>
    annotationBody(input),
  );
  const node = annotationNode(annotation);
  return {
    annotation: node,
    annotationEdge: { cursor: cursorOf(annotation.id), node },
    build: () => buildNode(context, build.id),
  };
}

/**
 * Builds the REST body. REST has no name for the default style. If `priority` is omitted, the
 * schema fills in 3, so with `append` the value 3 counts as omitted and the annotation keeps its
 * priority.
 */
const annotationBody = ({ body, style, context, append, priority }: AnnotateInput): object => ({
  body,
  style: style === 'DEFAULT' ? null : style?.toLowerCase(),
  context,
  append,
  priority: append === true && priority === 3 ? null : priority,
});

function unblockJobById(
  context: GraphqlContext,
  { id, fields }: Id & { readonly fields?: unknown },
): object {
  const { service, caller } = context;
  const { organization, build, job } = jobAt(context, id);
  const body = { fields: readJsonInput('fields', fields) };
  const unblocking = readUnblocking(service, organization, caller, body);
  service.engine.change(build.id, (tree) =>
    unblockJob(tree, job.id, unblocking, service.clock.now()),
  );
  return { jobTypeBlock: () => findJob(context, job.id) };
}

function retryJobById(context: GraphqlContext, { id }: Id): object {
  const { engine, clock, newId } = context.service;
  const { build, job } = jobAt(context, id);
  const { jobs } = engine.change(build.id, (tree) => retryJob(tree, job.id, clock.now(), newId));
  const next = jobs.find((one) => one.id === job.id)?.retriedInJobId ?? '';
  return {
    jobTypeCommand: () => findJob(context, job.id),
    retriedInJobTypeCommand: () => findJob(context, next),
  };
}

interface NewRuleInput {
  readonly organizationId: string;
  readonly type: string;
  readonly value: unknown;
  readonly description?: string | null;
}

function createRule(context: GraphqlContext, input: NewRuleInput): object {
  const { service, caller } = context;
  const organization = organizationAt(context, input.organizationId);
  const { type, description } = input;
  const body = { type, description, value: readJsonInput('value', input.value) };
  const rule = readNewRule(service, organization, body, caller.user?.id ?? null);
  service.store.rules.add(rule);
  return { rule: ruleNode(context, rule) };
}

function deleteRule(
  context: GraphqlContext,
  { organizationId, id }: Id & { readonly organizationId: string },
): object {
  const { rules } = context.service.store;
  const organization = organizationAt(context, organizationId);
  const uuid = uuidOf('Rule', id);
  if (!rules.list(organization.id).some((rule) => rule.id === uuid)) throw notFound('rule');
  rules.remove(uuid);
  return { deletedRuleId: id };
}

// These functions find objects by global ID. If an object is missing, they throw the REST error.

function organizationAt(context: GraphqlContext, id: string): Organization {
  const organization = visibleOrganization(context, uuidOf('Organization', id));
  if (organization === undefined) throw notFound('organization');
  return organization;
}

function buildAt(context: GraphqlContext, id: string): BuildLocation & { readonly build: Build } {
  const build = visibleBuild(context, uuidOf('Build', id));
  if (build === undefined) throw notFound('build');
  return { ...locate(context, build.pipelineId, 'build'), build };
}

function jobAt(
  context: GraphqlContext,
  id: string,
): BuildLocation & { readonly build: Build; readonly job: Job } {
  const found = context.service.store.builds.job(uuidOf('Job', id));
  const build = found && visibleBuild(context, found.buildId);
  if (found === undefined || build === undefined) throw notFound('job');
  return { ...locate(context, build.pipelineId, 'job'), build, job: found.job };
}

function locate(context: GraphqlContext, pipelineId: string, what: string): BuildLocation {
  const pipeline = visiblePipeline(context, pipelineId);
  const organization = pipeline && visibleOrganization(context, pipeline.organizationId);
  if (pipeline === undefined || organization === undefined) throw notFound(what);
  return { organization, pipeline };
}

/** Parses a value of the `JSON` scalar, which typed clients send as a string. */
function readJsonInput(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (value.trim() === '') return undefined;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    throw badRequest(`${name} is not valid JSON`);
  }
}
