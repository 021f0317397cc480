/** The entry points of a query. What the caller may not see is null. */
import { organizationNode, userNode, viewerNode } from './nodes/accounts.ts';
import { buildNode } from './nodes/build.ts';
import { jobNode } from './nodes/job.ts';
import { pipelineNode } from './nodes/pipeline.ts';
import { organizationsSeen, pipelineSeen, treeSeen, type Viewpoint } from './viewpoint.ts';

export const rootOf = (viewpoint: Viewpoint): object => ({
  viewer: () => viewerNode(viewpoint),
  user: ({ uuid }: { uuid: string }) => findUser(viewpoint, uuid),
  organization: ({ slug }: { slug: string }) => findOrganization(viewpoint, slug),
  pipeline: (by: { slug?: string | null; uuid?: string | null }) => findPipeline(viewpoint, by),
  build: (by: { slug?: string | null; uuid?: string | null }) => findBuild(viewpoint, by),
  job: ({ uuid }: { uuid: string }) => findJob(viewpoint, uuid),
  node: ({ id }: { id: string }) => findNode(viewpoint, id),
});

/** Only who shares an organization with the caller. */
function findUser(viewpoint: Viewpoint, id: string): object | null {
  const { accounts } = viewpoint.core.store;
  const shared = organizationsSeen(viewpoint).some(
    (organization) => accounts.role(id, organization.id) !== undefined,
  );
  return shared ? userNode(viewpoint, id) : null;
}

function findOrganization(viewpoint: Viewpoint, slug: string): object | null {
  const found = organizationsSeen(viewpoint).find((organization) => organization.slug === slug);
  return found === undefined ? null : organizationNode(viewpoint, found);
}

interface By {
  readonly slug?: string | null;
  readonly uuid?: string | null;
}

function findPipeline(viewpoint: Viewpoint, { slug, uuid }: By): object | null {
  const [org = '', name = ''] = (slug ?? '').split('/');
  const id = uuid ?? pipelineId(viewpoint, org, name);
  const pipeline = id === undefined ? undefined : pipelineSeen(viewpoint, id);
  return pipeline === undefined ? null : pipelineNode(viewpoint, pipeline);
}

function pipelineId(viewpoint: Viewpoint, org: string, slug: string): string | undefined {
  const organization = organizationsSeen(viewpoint).find((one) => one.slug === org);
  return organization && viewpoint.core.store.pipelines.find(organization.id, slug)?.id;
}

function findBuild(viewpoint: Viewpoint, { slug, uuid }: By): object | null {
  if (uuid) return buildNode(viewpoint, uuid);
  const [org = '', name = '', number = ''] = (slug ?? '').split('/');
  const pipeline = pipelineId(viewpoint, org, name);
  const build = pipeline && viewpoint.core.store.builds.find(pipeline, Number(number));
  return build ? buildNode(viewpoint, build.id) : null;
}

function findJob(viewpoint: Viewpoint, id: string): object | null {
  const placed = viewpoint.core.store.builds.job(id);
  const tree = placed && treeSeen(viewpoint, placed.buildId);
  const job = tree?.jobs.find((one) => one.id === id);
  return tree && job ? jobNode(viewpoint, tree, job) : null;
}

/** By the `id` of any object: the base64 of `Type---uuid`. */
function findNode(viewpoint: Viewpoint, text: string): object | null {
  const [type, id = ''] = Buffer.from(text, 'base64').toString().split('---');
  if (type === 'User') return findUser(viewpoint, id);
  if (type === 'Pipeline') return findPipeline(viewpoint, { uuid: id });
  if (type === 'Build') return findBuild(viewpoint, { uuid: id });
  if (type === 'Job') return findJob(viewpoint, id);
  if (type !== 'Organization') return null;
  const found = organizationsSeen(viewpoint).find((organization) => organization.id === id);
  return found === undefined ? null : organizationNode(viewpoint, found);
}
