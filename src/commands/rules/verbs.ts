import { rule } from '../../api/resources/rule.ts';
import type { Handler } from '../../command/command.ts';
import { requireOrg } from '../../refs/resolve.ts';
import { checkSlug } from '../../parse/slug.ts';
import { confirm } from '../confirm.ts';
import type { rulesDelete } from './index.ts';
import type { rulesList } from './index.ts';
import type { rulesView } from './index.ts';

/** `cictl rules list`. */
export const listRules: Handler<typeof rulesList> = async (_input, context) => {
  const org = requireOrg(context);
  const { rules } = await context.client();
  await context.out.list(rule, rules.list(org));
};

/** `cictl rules view UUID`. */
export const viewRule: Handler<typeof rulesView> = async (input, context) => {
  const uuid = checkSlug('rule', input.uuid);
  const org = requireOrg(context);
  const { rules } = await context.client();
  await context.out.one(rule, await rules.get(org, uuid));
};

/** `cictl rules delete UUID`. */
export const deleteRule: Handler<typeof rulesDelete> = async (input, context) => {
  const uuid = checkSlug('rule', input.uuid);
  const org = requireOrg(context);
  await confirm(context, `Delete rule ${uuid} of ${org}?`);
  const { rules } = await context.client();
  await rules.delete(org, uuid);
  context.messages.note(`rule ${uuid} is deleted`);
};
