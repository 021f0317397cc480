import type { Handler } from '../../cli/command.ts';
import { requireOrg } from '../../refs/resolve.ts';
import { checkSlug } from '../../refs/slug.ts';
import { confirm } from '../confirm.ts';
import type { rulesDelete } from './delete.ts';

/** `cictl rules delete UUID`. */
export const run: Handler<typeof rulesDelete> = async (input, context) => {
  const uuid = checkSlug('rule', input.uuid);
  const org = requireOrg(context);
  await confirm(context, `Delete rule ${uuid} of ${org}?`);
  const { rules } = await context.client();
  await rules.delete(org, uuid);
  context.messages.note(`rule ${uuid} is deleted`);
};
