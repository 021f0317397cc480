import type { Pipeline } from '../domain/records.ts';
import { refused, notFound } from '../http/api-error.ts';
import { readNewBuild } from '../http/routes/builds.ts';
import { makeBuild, rebuild } from '../scheduler/make-build.ts';
import { buildNode, annotationNode } from './nodes/build.ts';
import type { GraphqlContext } from './context.ts';
import {
  pipelineAt,
  buildAt,
  readJsonInput,
  jobAt,
  agentAt,
  organizationAt,
} from './mutation-input.ts';
import { cancelBuild } from '../domain/build-lifecycle.ts';
import { putAnnotation } from '../http/routes/annotations.ts';
import { cursorOf } from './connection.ts';
import { unblockJob } from '../domain/unblock.ts';
import { readUnblocking } from '../http/routes/jobs.ts';
import { findJob, uuidOf } from './find.ts';
import { retryJob } from '../domain/retry.ts';
import { changeAgent, readPause } from '../http/agents.ts';
import { findAgent } from './nodes/agents.ts';
import { readNewRule } from '../http/routes/rules.ts';
import { ruleNode } from './nodes/organization.ts';

interface NewBuildInput {
  readonly pipelineID: string;
  readonly commit?: string | null;
  readonly branch?: string | null;
  readonly message?: string | null;
  readonly author?: { readonly name: string; readonly email: string } | null;
  readonly env?: readonly string[] | null;
  readonly metaData?: readonly { readonly key: string; readonly value: string }[] | null;
}

/** `buildCreate`. */
export async function createBuild(context: GraphqlContext, input: NewBuildInput): Promise<object> {
  const { service, caller } = context;
  const location = pipelineAt(context, input.pipelineID);
  const wanted = readNewBuild(newBuildBody(input, location.pipeline));
  const build = await makeBuild(service, location, {
    ...wanted,
    creatorId: caller.user?.id ?? null,
  });
  return { build: () => buildNode(context, build.id) };
}

/** As REST takes it. Generated clients send empty texts for what they leave out. */
const newBuildBody = (input: NewBuildInput, { defaultBranch }: Pipeline): object => ({
  commit: input.commit || 'HEAD',
  branch: input.branch || defaultBranch,
  message: input.message,
  author: input.author?.name || input.author?.email ? input.author : null,
  env: Object.fromEntries((input.env ?? []).map(variable)),
  meta_data: Object.fromEntries((input.metaData ?? []).map(({ key, value }) => [key, value])),
});

/** `NAME=VALUE`. The value may be a secret: messages leave the entry out. */
function variable(entry: string, index: number): [name: string, value: string] {
  const equals = entry.indexOf('=');
  if (equals < 0) throw refused(`env[${index}] must be NAME=VALUE`);
  return [entry.slice(0, equals), entry.slice(equals + 1)];
}

/** `buildRebuild`. */
export async function rebuildBuild(
  context: GraphqlContext,
  { id }: { readonly id: string },
): Promise<object> {
  const { service, caller } = context;
  const location = buildAt(context, id);
  const made = await rebuild(service, location, location.build, caller.user?.id);
  return {
    build: () => buildNode(context, location.build.id),
    rebuild: () => buildNode(context, made.id),
  };
}

/** `buildCancel`. */
export function cancelBuildById(context: GraphqlContext, { id }: { readonly id: string }): object {
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

/** `buildAnnotate`. */
export async function annotateBuild(
  context: GraphqlContext,
  input: AnnotateInput,
): Promise<object> {
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
 * As REST takes it, which knows the default style by no name. The schema fills in the defaults: with
 * `append` they count as left out, so that the annotation keeps what it has.
 */
const annotationBody = ({ body, style, context, append, priority }: AnnotateInput): object => ({
  body,
  style: style === 'DEFAULT' ? null : style?.toLowerCase(),
  context,
  append,
  priority: append === true && priority === 3 ? null : priority,
});

interface UnblockInput {
  readonly id: string;
  readonly fields?: unknown;
}

/** `jobTypeBlockUnblock`. */
export function unblockJobById(context: GraphqlContext, { id, fields }: UnblockInput): object {
  const { service, caller } = context;
  const { organization, build, job } = jobAt(context, id);
  const body = { fields: readJsonInput('fields', fields) };
  const unblocking = readUnblocking(service, organization, caller, body);
  service.engine.change(build.id, (tree) =>
    unblockJob(tree, job.id, unblocking, service.clock.now()),
  );
  return { jobTypeBlock: () => findJob(context, job.id) };
}

/** `jobTypeCommandRetry`. */
export function retryJobById(context: GraphqlContext, { id }: { readonly id: string }): object {
  const { engine, clock, newId } = context.service;
  const { build, job } = jobAt(context, id);
  const { jobs } = engine.change(build.id, (tree) => retryJob(tree, job.id, clock.now(), newId));
  const next = jobs.find((one) => one.id === job.id)?.retriedInJobId ?? '';
  return {
    jobTypeCommand: () => findJob(context, job.id),
    retriedInJobTypeCommand: () => findJob(context, next),
  };
}

// `agentStop`, `agentPause` and `agentResume`.

interface Input {
  readonly id: string;
}

/** Its job is canceled, unless it is to end gracefully. */
export const stopAgent = (
  context: GraphqlContext,
  { id, graceful }: Input & { readonly graceful?: boolean | null },
): object => change(context, id, 'stop', (agents, uuid) => agents.stop(uuid, graceful !== true));

interface PauseInput extends Input {
  readonly note?: string | null;
  readonly timeoutInMinutes?: number | null;
}

export function pauseAgent(context: GraphqlContext, input: PauseInput): object {
  const { service, caller } = context;
  const { note, minutes } = readPause({
    ...{ note: input.note, timeout_in_minutes: input.timeoutInMinutes },
  });
  const until = service.clock.now() + minutes * 60_000;
  const byId = caller.user?.id ?? null;
  return change(context, input.id, 'pause', (agents, uuid) =>
    agents.pause(uuid, note, until, byId),
  );
}

export const resumeAgent = (context: GraphqlContext, { id }: Input): object =>
  change(context, id, 'resume', (agents, uuid) => agents.resume(uuid));

function change(
  context: GraphqlContext,
  id: string,
  verb: string,
  perform: Parameters<typeof changeAgent>[3],
): object {
  changeAgent(context.service, agentAt(context, id), verb, perform);
  return { agent: () => findAgent(context, uuidOf('Agent', id)) };
}

interface NewRuleInput {
  readonly organizationId: string;
  readonly type: string;
  readonly value: unknown;
  readonly description?: string | null;
}

/** `ruleCreate`. */
export function createRule(context: GraphqlContext, input: NewRuleInput): object {
  const { service, caller } = context;
  const organization = organizationAt(context, input.organizationId);
  const { type, description } = input;
  const body = { type, description, value: readJsonInput('value', input.value) };
  const rule = readNewRule(service, organization, body, caller.user?.id ?? null);
  service.store.rules.add(rule);
  return { rule: ruleNode(context, rule) };
}

interface RuleInput {
  readonly organizationId: string;
  readonly id: string;
}

/** `ruleDelete`. */
export function deleteRule(context: GraphqlContext, { organizationId, id }: RuleInput): object {
  const { rules } = context.service.store;
  const organization = organizationAt(context, organizationId);
  const uuid = uuidOf('Rule', id);
  if (!rules.list(organization.id).some((rule) => rule.id === uuid)) throw notFound('rule');
  rules.remove(uuid);
  return { deletedRuleId: id };
}
