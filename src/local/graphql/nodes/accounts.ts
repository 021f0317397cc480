/** Users and organizations as GraphQL objects: members that cost something are functions. */
import type { Organization, User } from '../../domain/records.ts';
import { graphqlId, iso } from '../../http/present/parts.ts';
import { connection, type PageArguments } from '../connection.ts';
import { organizationsSeen, type Viewpoint } from '../viewpoint.ts';
import { buildsOf, type BuildArguments } from './builds.ts';
import { pipelineNode } from './pipeline.ts';

export function userNode(viewpoint: Viewpoint, id: string | null): object | null {
  const user = id === null ? undefined : viewpoint.core.store.accounts.user(id);
  return user === undefined ? null : userOf(viewpoint, user);
}

const userOf = (viewpoint: Viewpoint, user: User): object => ({
  __typename: 'User',
  id: graphqlId('User', user.id),
  uuid: user.id,
  name: user.name,
  email: user.email,
  avatar: { url: viewpoint.core.urls.avatar(user.id) },
  createdAt: iso(user.createdAt),
  builds: (given: BuildArguments) => buildsOf(viewpoint, { creatorId: user.id }, given),
});

export const organizationNode = (viewpoint: Viewpoint, organization: Organization): object => ({
  __typename: 'Organization',
  id: graphqlId('Organization', organization.id),
  uuid: organization.id,
  name: organization.name,
  slug: organization.slug,
  createdAt: iso(organization.createdAt),
  pipelines: (given: PageArguments & { search?: string | null }) => {
    const all = viewpoint.core.store.pipelines
      .list(organization.id)
      .filter(({ name, slug }) => `${name} ${slug}`.includes(given.search ?? ''));
    const found = new Map(all.map((pipeline) => [pipeline.id, pipeline]));
    return connection([...found.keys()], given, (id) => {
      const pipeline = found.get(id);
      return pipeline && pipelineNode(viewpoint, pipeline);
    });
  },
});

export const viewerNode = (viewpoint: Viewpoint): object => ({
  id: 'viewer',
  user: () => userNode(viewpoint, viewpoint.caller.user?.id ?? null),
  organizations: (given: PageArguments) => {
    const found = new Map(organizationsSeen(viewpoint).map((one) => [one.id, one]));
    return connection([...found.keys()], given, (id) => {
      const organization = found.get(id);
      return organization && organizationNode(viewpoint, organization);
    });
  },
});
