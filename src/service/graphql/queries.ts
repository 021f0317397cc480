/** Where queries begin. What the caller may not see is null. */
import { findNode } from './find-node.ts';
import {
  findBuild,
  findJob,
  findMember,
  findOrganization,
  findPipeline,
  findRule,
  findUser,
  type By,
} from './find.ts';
import { findAgent } from './nodes/agents.ts';
import { viewerNode } from './nodes/viewer.ts';
import type { GraphqlContext } from './context.ts';

export const queriesOf = (viewpoint: GraphqlContext): object => ({
  viewer: () => viewerNode(viewpoint),
  user: ({ uuid }: { uuid: string }) => findUser(viewpoint, uuid),
  organization: (by: By) => findOrganization(viewpoint, by),
  organizationMember: ({ slug }: { slug: string }) => findMember(viewpoint, ownPart(slug)),
  pipeline: (by: By) => findPipeline(viewpoint, by),
  build: (by: By) => findBuild(viewpoint, by),
  job: ({ uuid }: { uuid: string }) => findJob(viewpoint, uuid),
  agent: ({ slug }: { slug: string }) => findAgent(viewpoint, ownPart(slug)),
  artifact: () => null,
  rule: ({ uuid }: { uuid: string }) => findRule(viewpoint, uuid),
  node: ({ id }: { id: string }) => findNode(viewpoint, id),
});

/** What stands behind the organization's slug; UUIDs are unique without it. */
const ownPart = (slug: string): string => slug.slice(slug.indexOf('/') + 1);
