import type { ServiceContext } from '../../service-context.ts';
import type { Organization, Rule } from '../../domain/records.ts';
import { graphqlId, iso } from './scalars.ts';
import { presentUser } from './user.ts';

/** Specification, "Rule". `pipeline.trigger_build.pipeline`: source, action, target. */
export function presentRule(service: ServiceContext, { slug }: Organization, rule: Rule): object {
  const { store, urls } = service;
  const [sourceType, action, targetType] = rule.type.split('.');
  const by = rule.createdById === null ? undefined : store.accounts.user(rule.createdById);
  return {
    uuid: rule.id,
    graphql_id: graphqlId('Rule', rule.id),
    organization_uuid: rule.organizationId,
    url: urls.rule(slug, rule.id),
    type: rule.type,
    source_type: sourceType,
    source_uuid: rule.sourceId,
    target_type: targetType,
    target_uuid: rule.targetId,
    effect: 'allow',
    action,
    created_at: iso(rule.createdAt),
    created_by: by === undefined ? null : presentUser(service, by),
  };
}
