import type { ServiceContext } from '../../service-context.ts';
import type { Organization, User } from '../../domain/records.ts';
import { graphqlId, iso } from './scalars.ts';

/** See "Organization" in the specification. */
export const presentOrganization = (
  { urls }: ServiceContext,
  organization: Organization,
): object => {
  const url = urls.organization(organization.slug);
  return {
    id: organization.id,
    graphql_id: graphqlId('Organization', organization.id),
    url,
    web_url: urls.webOrganization(organization.slug),
    name: organization.name,
    slug: organization.slug,
    pipelines_url: `${url}/pipelines`,
    agents_url: `${url}/agents`,
    emojis_url: `${url}/emojis`,
    created_at: iso(organization.createdAt),
  };
};

/** See "User" in the specification. Avatars come from this service, not from another host. */
export const presentUser = ({ urls }: Pick<ServiceContext, 'urls'>, user: User): object => ({
  id: user.id,
  graphql_id: graphqlId('User', user.id),
  name: user.name,
  email: user.email,
  avatar_url: urls.avatar(user.id),
  created_at: iso(user.createdAt),
});
