/** Finds objects by ID or slug. Returns undefined if an object does not exist or is not visible. */
import { findAgent } from './nodes/agents.ts';
import { annotationNode, buildNode } from './nodes/build.ts';
import {
  visibleBuild,
  visibleJobNode,
  visibleOrganizationNode,
  visibleOrganizations,
  visiblePipelineNode,
  type GraphqlContext,
} from './context.ts';
import { findArtifact } from './nodes/job.ts';
import { memberNode, memberUuid, organizationNode, ruleNode } from './nodes/organization.ts';
import { userNode } from './nodes/user.ts';

type Node = object | null | undefined;

/** Finds any object by its global ID. */
export function findNode(context: GraphqlContext, id: string): Node {
  const { type, uuid } = readId(id);
  return Object.hasOwn(finders, type) ? finders[type]?.(context, uuid) : undefined;
}

const finders: Readonly<Record<string, (context: GraphqlContext, uuid: string) => Node>> = {
  User: findUser,
  Organization: visibleOrganizationNode,
  OrganizationMember: findMember,
  Pipeline: visiblePipelineNode,
  Build: buildNode,
  Job: findJob,
  Agent: findAgent,
  Annotation: findAnnotation,
  Artifact: findArtifact,
  Rule: findRule,
};

function findAnnotation(context: GraphqlContext, uuid: string): Node {
  const annotation = context.service.store.annotations.byId(uuid);
  return annotation && visibleBuild(context, annotation.buildId) && annotationNode(annotation);
}

export interface By {
  readonly slug?: string | null;
  readonly uuid?: string | null;
}

/** Only finds users who share an organization with the caller. */
export function findUser(context: GraphqlContext, id: string): Node {
  const { accounts } = context.service.store;
  const isShared = visibleOrganizations(context).some(
    (organization) => accounts.role(id, organization.id) !== undefined,
  );
  return isShared ? userNode(context, id) : undefined;
}

export function findOrganization(context: GraphqlContext, { slug, uuid }: By): Node {
  if (uuid) return visibleOrganizationNode(context, uuid);
  const found = visibleOrganizations(context).find((one) => one.slug === slug);
  return found && organizationNode(context, found);
}

export function findMember(context: GraphqlContext, uuid: string): Node {
  const { accounts } = context.service.store;
  for (const organization of visibleOrganizations(context)) {
    const members = accounts.members(organization.id);
    const member = members.find(({ user }) => memberUuid(organization, user) === uuid);
    if (member !== undefined) return memberNode(context, organization, member);
  }
  return undefined;
}

/** The slug is `ORGANIZATION/PIPELINE`. */
export function findPipeline(context: GraphqlContext, { slug, uuid }: By): Node {
  const [org = '', name = ''] = (slug ?? '').split('/');
  const id = uuid ?? pipelineId(context, org, name);
  return id === undefined ? undefined : visiblePipelineNode(context, id);
}

function pipelineId(context: GraphqlContext, org: string, slug: string): string | undefined {
  const organization = visibleOrganizations(context).find((one) => one.slug === org);
  return organization && context.service.store.pipelines.find(organization.id, slug)?.id;
}

/** The slug is `ORGANIZATION/PIPELINE/NUMBER`. */
export function findBuild(context: GraphqlContext, { slug, uuid }: By): Node {
  if (uuid) return buildNode(context, uuid);
  const [org = '', name = '', number = ''] = (slug ?? '').split('/');
  const pipeline = pipelineId(context, org, name);
  if (pipeline === undefined || !/^\d{1,15}$/.test(number)) return undefined;
  const build = context.service.store.builds.find(pipeline, Number(number));
  return build && buildNode(context, build.id);
}

export function findJob(context: GraphqlContext, id: string): Node {
  const found = context.service.store.builds.job(id);
  return found && visibleJobNode(context, found.buildId, id);
}

export function findRule(context: GraphqlContext, uuid: string): Node {
  const rule = visibleOrganizations(context)
    .flatMap(({ id }) => context.service.store.rules.list(id))
    .find(({ id }) => id === uuid);
  return rule && ruleNode(context, rule);
}

/** Parses a global ID, base64 of `Type---uuid`. Treats types such as `JobTypeCommand` as `Job`. */
function readId(text: string): { readonly type: string; readonly uuid: string } {
  const [type = '', uuid = ''] = Buffer.from(text, 'base64').toString().split('---');
  return { type: type.startsWith('JobType') ? 'Job' : type, uuid };
}

/** Returns an empty string if the ID has a different type. */
export function uuidOf(type: string, text: string): string {
  const id = readId(text);
  return id.type === type ? id.uuid : '';
}
