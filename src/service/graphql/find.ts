/** Objects by what a query calls them; null where there is none, or none that the caller may see. */
import { findJob as findJobOf } from '../domain/find-job.ts';
import { buildNode } from './nodes/build.ts';
import { jobNode } from './nodes/job.ts';
import { memberNode, memberUuid } from './nodes/member.ts';
import { organizationNode } from './nodes/organization.ts';
import { pipelineNode } from './nodes/pipeline.ts';
import { ruleNode } from './nodes/rule.ts';
import { userNode } from './nodes/user.ts';
import {
  visibleOrganizations,
  visiblePipeline,
  visibleTree,
  type GraphqlContext,
} from './context.ts';

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
