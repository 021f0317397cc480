import { organization } from '../../api/resources/organization.ts';
import type { Handler } from '../../cli/command.ts';
import type { orgsList } from './list.ts';

/** `cictl orgs list`. */
export const run: Handler<typeof orgsList> = async (_input, context) => {
  const { organizations } = await context.client();
  await context.out.list(organization, organizations.list());
};
