import { rule } from '../../api/resources/rule.ts';
import type { Handler } from '../../cli/command.ts';
import { requireOrg } from '../../refs/resolve.ts';
import type { rulesList } from './list.ts';

/** `cictl rules list`. */
export const run: Handler<typeof rulesList> = async (_input, context) => {
  const org = requireOrg(context);
  const { rules } = await context.client();
  await context.out.list(rule, rules.list(org));
};
