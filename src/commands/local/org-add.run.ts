import { organization } from '../../api/resources/organization.ts';
import type { Handler } from '../../cli/command.ts';
import { checkSlug } from '../../refs/slug.ts';
import { withService } from './admin.ts';
import type { localOrgAdd } from './org-add.ts';

/** `cictl local org add`. */
export const run: Handler<typeof localOrgAdd> = async ({ slug, name }, context) => {
  checkSlug('organization', slug);
  const body = { slug, ...(name === undefined ? {} : { name }) };
  await withService(context, async (call) => {
    const add = async () => (await call('POST', '/organizations', body)) as object;
    await context.out.changed(organization, add);
  });
};
