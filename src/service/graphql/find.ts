/** Objects by what a query calls them; null where there is none, or none that the caller may see. */
import { buildNode } from './nodes/build.ts';
import { jobNode } from './nodes/job.ts';
import { memberNode, memberUuid } from './nodes/member.ts';
import { organizationNode } from './nodes/organization.ts';
import { pipelineNode } from './nodes/pipeline.ts';
import { ruleNode } from './nodes/rule.ts';
import { userNode } from './nodes/user.ts';
import { organizationsSeen, pipelineSeen, treeSeen, type GraphqlContext } from './context.ts';

export interface By {
  readonly slug?: string | null;
  readonly uuid?: string | null;
}

/** Only who shares an organization with the caller. */
export function findUser(viewpoint: GraphqlContext, id: string): object | null {
  const { accounts } = viewpoint.core.store;
  const shared = organizationsSeen(viewpoint).some(
    (organization) => accounts.role(id, organization.id) !== undefined,
  );
  return shared ? userNode(viewpoint, id) : null;
}

export function findOrganization(viewpoint: GraphqlContext, { slug, uuid }: By): object | null {
  const found = organizationsSeen(viewpoint).find((one) =>
    uuid ? one.id === uuid : one.slug === slug,
  );
  return found === undefined ? null : organizationNode(viewpoint, found);
}

export function findMember(viewpoint: GraphqlContext, uuid: string): object | null {
  const { accounts } = viewpoint.core.store;
  for (const organization of organizationsSeen(viewpoint)) {
    const members = accounts.members(organization.id);
    const member = members.find(({ user }) => memberUuid(organization, user) === uuid);
    if (member !== undefined) return memberNode(viewpoint, organization, member);
  }
  return null;
}

/** `ORGANIZATION/PIPELINE`. */
export function findPipeline(viewpoint: GraphqlContext, { slug, uuid }: By): object | null {
  const [org = '', name = ''] = (slug ?? '').split('/');
  const id = uuid ?? pipelineId(viewpoint, org, name);
  const pipeline = id === undefined ? undefined : pipelineSeen(viewpoint, id);
  return pipeline === undefined ? null : pipelineNode(viewpoint, pipeline);
}

function pipelineId(viewpoint: GraphqlContext, org: string, slug: string): string | undefined {
  const organization = organizationsSeen(viewpoint).find((one) => one.slug === org);
  return organization && viewpoint.core.store.pipelines.find(organization.id, slug)?.id;
}

/** `ORGANIZATION/PIPELINE/NUMBER`. */
export function findBuild(viewpoint: GraphqlContext, { slug, uuid }: By): object | null {
  if (uuid) return buildNode(viewpoint, uuid);
  const [org = '', name = '', number = ''] = (slug ?? '').split('/');
  const pipeline = pipelineId(viewpoint, org, name);
  const build =
    pipeline !== undefined && /^\d{1,15}$/.test(number)
      ? viewpoint.core.store.builds.find(pipeline, Number(number))
      : undefined;
  return build ? buildNode(viewpoint, build.id) : null;
}

export function findJob(viewpoint: GraphqlContext, id: string): object | null {
  const placed = viewpoint.core.store.builds.job(id);
  const tree = placed && treeSeen(viewpoint, placed.buildId);
  const job = tree?.jobs.find((one) => one.id === id);
  return tree && job ? jobNode(viewpoint, tree, job) : null;
}

export function findRule(viewpoint: GraphqlContext, uuid: string): object | null {
  const rule = organizationsSeen(viewpoint)
    .flatMap(({ id }) => viewpoint.core.store.notes.rules(id))
    .find(({ id }) => id === uuid);
  return rule === undefined ? null : ruleNode(viewpoint, rule);
}
