import { findAgent } from './nodes/agents.ts';
import { findArtifact, jobNode } from './nodes/job.ts';
import { annotationNode, buildNode } from './nodes/build.ts';
import {
  visibleBuild,
  type GraphqlContext,
  visibleOrganizations,
  visiblePipeline,
  visibleTree,
} from './context.ts';
import { findJob as findJobOf } from '../domain/find-job.ts';
import { memberNode, memberUuid, organizationNode, ruleNode } from './nodes/organization.ts';
import { pipelineNode } from './nodes/pipeline.ts';
import { userNode } from './nodes/user.ts';

/** By the `id` of any object. */
export function findNode(context: GraphqlContext, id: string): object | null {
  const { type, uuid } = readId(id);
  const find = Object.hasOwn(finders, type) ? finders[type] : undefined;
  return find === undefined ? null : find(context, uuid);
}

const finders: Readonly<Record<string, (context: GraphqlContext, uuid: string) => object | null>> =
  {
    User: findUser,
    Organization: (context, uuid) => findOrganization(context, { uuid }),
    OrganizationMember: findMember,
    Pipeline: (context, uuid) => findPipeline(context, { uuid }),
    Build: (context, uuid) => findBuild(context, { uuid }),
    Job: findJob,
    Agent: findAgent,
    Annotation: findAnnotation,
    Artifact: findArtifact,
    Rule: findRule,
  };

function findAnnotation(context: GraphqlContext, uuid: string): object | null {
  const annotation = context.service.store.annotations.byId(uuid);
  const isSeen = annotation && visibleBuild(context, annotation.buildId) !== undefined;
  return isSeen ? annotationNode(annotation) : null;
}

// Objects by what a query calls them; null where there is none, or none that the caller may see.

export interface By {
  readonly slug?: string | null;
  readonly uuid?: string | null;
}

/** Only who shares an organization with the caller. */
export function findUser(context: GraphqlContext, id: string): object | null {
  const { accounts } = context.service.store;
  const shared = visibleOrganizations(context).some(
    (organization) => accounts.role(id, organization.id) !== undefined,
  );
  return shared ? userNode(context, id) : null;
}

export function findOrganization(context: GraphqlContext, { slug, uuid }: By): object | null {
  const found = visibleOrganizations(context).find((one) =>
    uuid ? one.id === uuid : one.slug === slug,
  );
  return found === undefined ? null : organizationNode(context, found);
}

export function findMember(context: GraphqlContext, uuid: string): object | null {
  const { accounts } = context.service.store;
  for (const organization of visibleOrganizations(context)) {
    const members = accounts.members(organization.id);
    const member = members.find(({ user }) => memberUuid(organization, user) === uuid);
    if (member !== undefined) return memberNode(context, organization, member);
  }
  return null;
}

/** `ORGANIZATION/PIPELINE`. */
export function findPipeline(context: GraphqlContext, { slug, uuid }: By): object | null {
  const [org = '', name = ''] = (slug ?? '').split('/');
  const id = uuid ?? pipelineId(context, org, name);
  const pipeline = id === undefined ? undefined : visiblePipeline(context, id);
  return pipeline === undefined ? null : pipelineNode(context, pipeline);
}

function pipelineId(context: GraphqlContext, org: string, slug: string): string | undefined {
  const organization = visibleOrganizations(context).find((one) => one.slug === org);
  return organization && context.service.store.pipelines.find(organization.id, slug)?.id;
}

/** `ORGANIZATION/PIPELINE/NUMBER`. */
export function findBuild(context: GraphqlContext, { slug, uuid }: By): object | null {
  if (uuid) return buildNode(context, uuid);
  const [org = '', name = '', number = ''] = (slug ?? '').split('/');
  const pipeline = pipelineId(context, org, name);
  const build =
    pipeline !== undefined && /^\d{1,15}$/.test(number)
      ? context.service.store.builds.find(pipeline, Number(number))
      : undefined;
  return build ? buildNode(context, build.id) : null;
}

export function findJob(context: GraphqlContext, id: string): object | null {
  const jobOfBuild = context.service.store.builds.job(id);
  const tree = jobOfBuild && visibleTree(context, jobOfBuild.buildId);
  const job = tree && findJobOf(tree, id);
  return tree && job ? jobNode(context, tree, job) : null;
}

export function findRule(context: GraphqlContext, uuid: string): object | null {
  const rule = visibleOrganizations(context)
    .flatMap(({ id }) => context.service.store.rules.list(id))
    .find(({ id }) => id === uuid);
  return rule === undefined ? null : ruleNode(context, rule);
}

// The `id` of objects: base64 of `Type---uuid`.

interface NodeId {
  readonly type: string;
  readonly uuid: string;
}

/** What an id names; clients call a job `Job`, or by its kind: `JobTypeCommand`. */
function readId(text: string): NodeId {
  const [type = '', uuid = ''] = Buffer.from(text, 'base64').toString().split('---');
  return { type: type.startsWith('JobType') ? 'Job' : type, uuid };
}

/** The UUID of an id of that type, empty where it names something else. */
export function uuidOf(type: string, text: string): string {
  const id = readId(text);
  return id.type === type ? id.uuid : '';
}
