/** Organizations, annotations and rules. */
import type { ServiceContext } from '../../service-context.ts';
import type { Annotation, Organization, Rule } from '../../domain/records.ts';
import { graphqlId, iso } from './format.ts';
import { presentUser } from './user.ts';

/** Specification, "Organization". */
export const presentOrganization = (
  { urls }: ServiceContext,
  organization: Organization,
): object => {
  const url = urls.organization(organization.slug);
  return {
    id: organization.id,
    graphql_id: graphqlId('Organization', organization.id),
    url,
    web_url: urls.webOrganization(organization.slug),
    name: organization.name,
    slug: organization.slug,
    pipelines_url: `${url}/pipelines`,
    agents_url: `${url}/agents`,
    emojis_url: `${url}/emojis`,
    created_at: iso(organization.createdAt),
  };
};

/** Specification, "Annotation". */
export const presentAnnotation = (annotation: Annotation): object => ({
  id: annotation.id,
  context: annotation.context,
  style: annotation.style,
  scope: 'build',
  priority: annotation.priority,
  body_html: annotation.html,
  created_at: iso(annotation.createdAt),
  updated_at: iso(annotation.updatedAt),
});

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
