import type { Organization, Rule } from '../../domain/records.ts';
import { graphqlId } from '../../http/present/scalars.ts';
import { connection, type Connection, type PageArguments } from '../connection.ts';
import { visibleOrganization, visiblePipeline, type GraphqlContext } from '../context.ts';
import { userNode } from './user.ts';

export interface RuleArguments extends PageArguments {
  readonly action?: readonly string[] | null;
  readonly sourceType?: readonly string[] | null;
  readonly targetType?: readonly string[] | null;
}

/** The newest first. */
export function rulesOf(
  context: GraphqlContext,
  { id }: Organization,
  args: RuleArguments,
): Connection {
  const found = context.service.store.rules
    .list(id)
    .filter((rule) => {
      const { source, action, target } = partsOf(rule);
      return (
        (args.action?.includes(action) ?? true) &&
        (args.sourceType?.includes(source) ?? true) &&
        (args.targetType?.includes(target) ?? true)
      );
    })
    .reverse();
  return connection(
    found,
    args,
    (rule) => rule.id,
    (rule) => ruleNode(context, rule),
  );
}

export function ruleNode(context: GraphqlContext, rule: Rule): object {
  const { source, action, target } = partsOf(rule);
  const organization = visibleOrganization(context, rule.organizationId);
  const pipeline = (id: string) => () => {
    const found = visiblePipeline(context, id);
    return found === undefined ? null : context.nodes.pipeline(context, found);
  };
  return {
    __typename: 'Rule',
    id: graphqlId('Rule', rule.id),
    uuid: rule.id,
    type: rule.type,
    description: rule.description ?? null,
    document: documentOf(rule),
    source: pipeline(rule.sourceId),
    sourceType: source,
    target: pipeline(rule.targetId),
    targetType: target,
    effect: 'ALLOW',
    action,
    createdBy: () => userNode(context, rule.createdById),
    organization: () => organization && context.nodes.organization(context, organization),
  };
}

/** `pipeline.trigger_build.pipeline`: source, action, target. */
function partsOf({ type }: Rule) {
  const [source = '', action = '', target = ''] = type.toUpperCase().split('.');
  return { source, action, target };
}

/** The rule as one would create it. */
const documentOf = ({ type, sourceId, targetId }: Rule): string =>
  JSON.stringify(
    { rule: type, value: { source_pipeline: sourceId, target_pipeline: targetId } },
    null,
    2,
  );
