import { rule } from '../../api/resources/rule.ts';
import type { Handler } from '../../cli/command.ts';
import { requireOrg } from '../../refs/resolve.ts';
import { checkSlug } from '../../refs/slug.ts';
import type { rulesView } from './view.ts';

/** `cictl rules view UUID`. */
export const run: Handler<typeof rulesView> = async (input, context) => {
  const uuid = checkSlug('rule', input.uuid);
  const org = requireOrg(context);
  const { rules } = await context.client();
  await context.out.one(rule, await rules.get(org, uuid));
};
