import { readPath } from './path.ts';
import { plainText, type Field } from './cell.ts';

/** How far a list of builds reaches, which decides how each of them is named. */
export type Scope = 'pipeline' | 'organization';

/** The first column of a list over several pipelines; it takes the place of the number. */
export const referenceField = (scope: Scope): Field => ({
  heading: 'BUILD',
  isReference: true,
  read: (build) => ({ kind: 'text', value: buildReference(build, scope), parent: build }),
});

/**
 * `PIPELINE/N` or `ORG/PIPELINE/N` of a build. A build does not name its organization, so that is
 * read from its addresses; what is nowhere to be found is a question mark.
 */
export function buildReference(build: object, scope: Scope): string {
  const parts = fromAddress(build);
  const pipeline = textAt(build, 'pipeline.slug') ?? parts?.pipeline ?? '?';
  const number = textAt(build, 'number') ?? parts?.number ?? '?';
  const short = `${pipeline}/${number}`;
  return scope === 'pipeline' ? short : `${parts?.org ?? '?'}/${short}`;
}

const restAddress = /\/organizations\/([^/?#]+)\/pipelines\/([^/?#]+)\/builds\/(\d+)/;
const webAddress = /^[a-z]+:\/\/[^/]+\/([^/?#]+)\/([^/?#]+)\/builds\/(\d+)/;

function fromAddress(build: object): { org: string; pipeline: string; number: string } | undefined {
  const match =
    restAddress.exec(textAt(build, 'url') ?? '') ?? webAddress.exec(textAt(build, 'web_url') ?? '');
  const [, org, pipeline, number] = match ?? [];
  if (org === undefined || pipeline === undefined || number === undefined) return undefined;
  return { org: decode(org), pipeline: decode(pipeline), number };
}

function textAt(build: object, path: string): string | undefined {
  const value = readPath(build, path) ?? undefined;
  return value === undefined ? undefined : plainText(value);
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
