import {
  findBuild,
  findJob,
  findMember,
  findOrganization,
  findPipeline,
  findRule,
  findUser,
} from './find.ts';
import { readId } from './ids.ts';
import { findAgent } from './nodes/agents.ts';
import { findArtifact } from './nodes/artifacts.ts';
import { annotationNode } from './nodes/annotation.ts';
import { visibleBuild, type GraphqlContext } from './context.ts';

/** By the `id` of any object. */
export function findNode(context: GraphqlContext, id: string): object | null {
  const { type, uuid } = readId(id);
  const find = Object.hasOwn(finders, type) ? finders[type] : undefined;
  return find === undefined ? null : find(context, uuid);
}

const finders: Readonly<Record<string, (context: GraphqlContext, uuid: string) => object | null>> =
  {
    User: findUser,
    Organization: (context, uuid) => findOrganization(context, { uuid }),
    OrganizationMember: findMember,
    Pipeline: (context, uuid) => findPipeline(context, { uuid }),
    Build: (context, uuid) => findBuild(context, { uuid }),
    Job: findJob,
    Agent: findAgent,
    Annotation: findAnnotation,
    Artifact: findArtifact,
    Rule: findRule,
  };

function findAnnotation(context: GraphqlContext, uuid: string): object | null {
  const annotation = context.service.store.annotations.byId(uuid);
  const isSeen = annotation && visibleBuild(context, annotation.buildId) !== undefined;
  return isSeen ? annotationNode(annotation) : null;
}
