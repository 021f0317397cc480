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
import { findArtifact } from './nodes/artifacts.ts';
import { viewerNode } from './nodes/viewer.ts';
import type { GraphqlContext } from './context.ts';

export const queriesOf = (context: GraphqlContext): object => ({
  viewer: () => viewerNode(context),
  user: ({ uuid }: { uuid: string }) => findUser(context, uuid),
  organization: (by: By) => findOrganization(context, by),
  organizationMember: ({ slug }: { slug: string }) => findMember(context, ownPart(slug)),
  pipeline: (by: By) => findPipeline(context, by),
  build: (by: By) => findBuild(context, by),
  job: ({ uuid }: { uuid: string }) => findJob(context, uuid),
  agent: ({ slug }: { slug: string }) => findAgent(context, ownPart(slug)),
  artifact: ({ uuid }: { uuid: string }) => findArtifact(context, uuid),
  rule: ({ uuid }: { uuid: string }) => findRule(context, uuid),
  node: ({ id }: { id: string }) => findNode(context, id),
});

/** What stands behind the organization's slug; UUIDs are unique without it. */
const ownPart = (slug: string): string => slug.slice(slug.indexOf('/') + 1);
