import { rule } from '../../api/resources/rule.ts';
import type { Handler, Input } from '../../command/command.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { pipelineUuid } from '../../refs/pipeline-uuid.ts';
import { requireOrg } from '../../refs/resolve.ts';
import { readJsonObject } from '../read-value.ts';
import type { rulesCreate } from './index.ts';

type CreateInput = Input<typeof rulesCreate>;

/** `cictl rules create`. */
export const createRule: Handler<typeof rulesCreate> = async (input, context) => {
  const { type } = input;
  if (type === undefined) throw usageError('rules create needs --type');
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
    throw usageError('rules create needs --source and --target, or --value');
  }
  return {
    source_pipeline_uuid: await pipelineUuid(org, source, context),
    target_pipeline_uuid: await pipelineUuid(org, target, context),
  };
}
