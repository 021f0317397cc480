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
import { annotationNode } from './nodes/annotation.ts';
import { buildSeen, type GraphqlContext } from './context.ts';

/** By the `id` of any object. */
export function findNode(viewpoint: GraphqlContext, id: string): object | null {
  const { type, uuid } = readId(id);
  const find = Object.hasOwn(finders, type) ? finders[type] : undefined;
  return find === undefined ? null : find(viewpoint, uuid);
}

const finders: Readonly<
  Record<string, (viewpoint: GraphqlContext, uuid: string) => object | null>
> = {
  User: findUser,
  Organization: (viewpoint, uuid) => findOrganization(viewpoint, { uuid }),
  OrganizationMember: findMember,
  Pipeline: (viewpoint, uuid) => findPipeline(viewpoint, { uuid }),
  Build: (viewpoint, uuid) => findBuild(viewpoint, { uuid }),
  Job: findJob,
  Agent: findAgent,
  Annotation: findAnnotation,
  Rule: findRule,
};

function findAnnotation(viewpoint: GraphqlContext, uuid: string): object | null {
  const annotation = viewpoint.core.store.notes.annotationById(uuid);
  const isSeen = annotation && buildSeen(viewpoint, annotation.buildId) !== undefined;
  return isSeen ? annotationNode(annotation) : null;
}
