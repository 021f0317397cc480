import type { Handler } from '../../cli/command.ts';
import { requireOrg } from '../../refs/resolve.ts';
import { confirm } from '../confirm.ts';
import type { rulesDelete } from './delete.ts';

/** `cictl rules delete UUID`. */
export const run: Handler<typeof rulesDelete> = async ({ uuid }, context) => {
  const org = requireOrg(context);
  await confirm(context, `Delete rule ${uuid} of ${org}?`);
  const { rules } = await context.client();
  await rules.delete(org, uuid);
  context.messages.note(`rule ${uuid} is deleted`);
};
