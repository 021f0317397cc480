import { rule } from '../../api/resources/rule.ts';
import type { Handler, Input } from '../../command/command.ts';
import type { Context } from '../../context.ts';
import { CictlError, usageError } from '../../errors.ts';
import { requireOrg } from '../../refs/resolve.ts';
import { checkSlug } from '../../parse/checks.ts';
import { confirm, isAsked } from '../confirm.ts';
import type { rulesDelete, rulesList, rulesView, rulesCreate } from './index.ts';
import { pipelineUuid } from '../../refs/resolve-pipeline.ts';
import { readJsonObject } from '../read-value.ts';

export const listRules: Handler<typeof rulesList> = async (_input, context) => {
  const org = requireOrg(context);
  const { rules } = await context.client();
  await context.out.list(rule, rules.list(org));
};

export const viewRule: Handler<typeof rulesView> = async (input, context) => {
  const uuid = checkSlug('rule', input.uuid);
  const org = requireOrg(context);
  const { rules } = await context.client();
  await context.out.one(rule, await rules.get(org, uuid));
};

export const deleteRule: Handler<typeof rulesDelete> = async (input, context) => {
  const uuid = checkSlug('rule', input.uuid);
  const org = requireOrg(context);
  const what = isAsked(context) ? await describe(org, uuid, context) : `rule ${uuid}`;
  await confirm(context, `Delete ${what} of ${org}?`);
  const { rules } = await context.client();
  await rules.delete(org, uuid);
  context.messages.note(`deleted rule ${uuid}`);
};

/** The type and description of a rule. Only its UUID if the token may not read the rule. */
async function describe(org: string, uuid: string, context: Context): Promise<string> {
  const { rules } = await context.client();
  try {
    const { type, description } = await rules.get(org, uuid);
    const says = description ? `, ${JSON.stringify(description)},` : '';
    return `rule ${uuid} (${type ?? 'unknown type'})${says}`;
  } catch (error) {
    if (error instanceof CictlError && error.status === 403) return `rule ${uuid}`;
    throw error;
  }
}

type CreateInput = Input<typeof rulesCreate>;

export const createRule: Handler<typeof rulesCreate> = async (input, context) => {
  const { type } = input;
  if (type === undefined) throw usageError('rules create requires --type');
  const org = requireOrg(context);
  const value = await ruleValue(org, input, context);
  const { rules } = await context.client();
  await context.out.changed(rule, () => rules.create(org, { type, value }), 'created');
};

async function ruleValue(
  org: string,
  { source, target, value }: CreateInput,
  context: Context,
): Promise<Record<string, unknown>> {
  if (value !== undefined) {
    if (source !== undefined || target !== undefined) {
      throw usageError('--value and --source or --target cannot be used together');
    }
    return readJsonObject(value, '--value', context);
  }
  if (source === undefined || target === undefined) {
    throw usageError('rules create requires --source and --target, or --value');
  }
  return {
    source_pipeline_uuid: await pipelineUuid(org, source, context),
    target_pipeline_uuid: await pipelineUuid(org, target, context),
  };
}
