import { buildPath } from './builds.ts';
import { type RestClient, identified } from './rest-client.ts';
import { buildName, type BuildRef } from './refs.ts';
import { annotation, type Annotation } from './resources/annotation.ts';

interface NewAnnotation {
  readonly body: string;
  readonly style?: string;
  readonly priority?: number;
  readonly context?: string;
  /** Appends to the annotation with the same context instead of replacing it. */
  readonly append?: boolean;
}

export const annotations = (rest: RestClient) => ({
  list: (ref: BuildRef): AsyncIterable<Annotation> =>
    rest.pages<Annotation>({
      ...{ method: 'GET', path: [...buildPath(ref), 'annotations'], query: { per_page: 100 } },
      action: `list the annotations of build ${buildName(ref)}`,
      ...{ scope: 'read_builds', subject: ref },
    }),
  create: (ref: BuildRef, body: NewAnnotation) =>
    rest.one<Annotation>(
      {
        ...{ method: 'POST', path: [...buildPath(ref), 'annotations'], body },
        action: `annotate build ${buildName(ref)}`,
        ...{ scope: 'write_builds', subject: ref },
      },
      identified(annotation),
    ),
});
