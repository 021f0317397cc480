import { user } from '../../api/resources/user.ts';
import type { Handler } from '../../cli/command.ts';
import { usageError } from '../../errors.ts';
import { localOrg, withService } from './admin.ts';
import type { localUserAdd } from './user-add.ts';

/** `cictl local user add`. */
export const run: Handler<typeof localUserAdd> = async ({ name, email, role }, context) => {
  if (email === undefined) throw usageError('--email is needed', 'cictl help local user add');
  const body = { name, email, role: role ?? 'member', organizations: [localOrg(context)] };
  await withService(context, async (call) => {
    await context.out.changed(user, async () => (await call('POST', '/users', body)) as object);
  });
};
