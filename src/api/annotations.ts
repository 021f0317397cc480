import { buildPath } from './builds.ts';
import { type RestClient, identified } from './rest-client.ts';
import { buildName, type BuildRef } from './refs.ts';
import { annotation, type Annotation } from './resources/annotation.ts';
import type { Call } from './call.ts';

/** Body of "create" (Specification, "Annotations"). */
export interface NewAnnotation {
  /** Markdown or HTML. */
  readonly body: string;
  readonly style?: string;
  /** 1 to 10. */
  readonly priority?: number;
  readonly context?: string;
  /** Joins the body to the annotation of the same context instead of replacing it. */
  readonly append?: boolean;
}

export interface Annotations {
  list(ref: BuildRef): AsyncIterable<Annotation>;
  create(ref: BuildRef, body: NewAnnotation): Promise<Annotation>;
}

export const annotations = (rest: RestClient): Annotations => ({
  list: (ref) =>
    rest.pages<Annotation>({
      ...on(ref),
      method: 'GET',
      query: { per_page: 100 },
      action: `list the annotations of build ${buildName(ref)}`,
      scope: 'read_builds',
    }),
  create: (ref, body) =>
    rest.one<Annotation>(
      {
        ...on(ref),
        method: 'POST',
        body,
        action: `annotate build ${buildName(ref)}`,
        scope: 'write_builds',
      },
      identified(annotation),
    ),
});

const on = (ref: BuildRef): Pick<Call, 'path' | 'subject'> => ({
  path: [...buildPath(ref), 'annotations'],
  subject: ref,
});
