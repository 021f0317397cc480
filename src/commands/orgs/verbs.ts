import { organization } from '../../api/resources/organization.ts';
import type { Handler } from '../../command/command.ts';
import { requireOrg } from '../../refs/resolve.ts';
import { checkSlug } from '../../parse/checks.ts';
import type { orgsList } from './index.ts';
import type { orgsView } from './index.ts';

export const listOrganizations: Handler<typeof orgsList> = async (_input, context) => {
  const { organizations } = await context.client();
  await context.out.list(organization, organizations.list());
};

export const viewOrganization: Handler<typeof orgsView> = async ({ org }, context) => {
  const slug = org === undefined ? requireOrg(context) : checkSlug('organization', org);
  const { organizations } = await context.client();
  await context.out.one(organization, await organizations.get(slug));
};
