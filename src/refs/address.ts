/** Web and REST addresses of organizations, pipelines, builds and jobs. */
import { usageError } from '../errors.ts';
import { checkSlug } from '../parse/slug.ts';

export interface Address {
  /** Host with port. */
  readonly host: string;
  readonly org: string;
  readonly pipeline?: string;
  readonly number?: number;
  readonly job?: string;
}

/** Also with white space around it, and one of a build without its scheme, as browsers show it. */
export const isAddress = (text: string): boolean =>
  /^\s*https?:\/\//i.test(text) || isBare(text.trim());

const isBare = (text: string): boolean =>
  /^[\w.-]+(?::\d+)?\/[^/\s#?]+\/[^/\s#?]+\/builds\/\d/.test(text);

/**
 * `https://HOST/ORG/PIPELINE/builds/N#JOB`, `https://HOST/v2/organizations/ORG/pipelines/…`, each
 * also under a path of its own, and what leads to them. Code 2 for any other address.
 */
export function parseAddress(text: string): Address {
  const whole = isBare(text.trim()) ? `https://${text.trim()}` : text;
  const url = URL.canParse(whole) ? new URL(whole) : undefined;
  const segments = url && decoded(url);
  const isRest = segments?.includes('organizations');
  const segmentsFromOrg = segments && (isRest ? restSegments(segments) : webSegments(segments));
  if (url === undefined || segmentsFromOrg === undefined) throw unknownAddress(text);
  const [org, pipeline, ...rest] = segmentsFromOrg;
  const job = jobOf(url, rest);
  const number = buildNumber(rest);
  return {
    host: url.host,
    org: checkSlug('organization', org ?? ''),
    ...(pipeline !== undefined && { pipeline: checkSlug('pipeline', pipeline) }),
    ...(number !== undefined && { number }),
    ...(job !== undefined && { job }),
  };
}

const unknownAddress = (text: string) =>
  usageError(
    `${JSON.stringify(text)} is no address of an organization, a pipeline, a build or a job`,
    'cictl help references',
  );

/** The segments of the path, undefined when one is not properly encoded. */
function decoded(url: URL): string[] | undefined {
  const segments = url.pathname.split('/').filter((segment) => segment !== '');
  try {
    return segments.map((segment) => decodeURIComponent(segment));
  } catch {
    return undefined;
  }
}

/** `…/organizations/ORG[/pipelines/PIPELINE[/builds/N…]]` -> `ORG, PIPELINE, builds, N…`. */
function restSegments(segments: readonly string[]): string[] | undefined {
  const at = segments.indexOf('organizations');
  const org = segments[at + 1];
  if (org === undefined) return undefined;
  const [noun, pipeline, ...rest] = segments.slice(at + 2);
  return noun === 'pipelines' && pipeline !== undefined ? [org, pipeline, ...rest] : [org];
}

/**
 * `…/ORG/PIPELINE/builds/N…`, `ORG/PIPELINE[/builds]`, `ORG` -> the same without what leads there.
 */
function webSegments(segments: readonly string[]): string[] | undefined {
  const at = segments.findIndex(
    (name, i) => i >= 2 && name === 'builds' && isNumber(segments[i + 1]),
  );
  if (at !== -1) return segments.slice(at - 2);
  return segments.length === 0 ? undefined : [...segments];
}

const isNumber = (text: string | undefined): boolean => text !== undefined && /^\d+$/.test(text);

function buildNumber(rest: readonly string[]): number | undefined {
  const number = rest[0] === 'builds' && isNumber(rest[1]) ? Number(rest[1]) : NaN;
  return Number.isSafeInteger(number) ? number : undefined;
}

/** `/jobs/JOB`, `?jid=JOB` or `#JOB`. */
function jobOf(url: URL, rest: readonly string[]): string | undefined {
  const at = rest.indexOf('jobs');
  const job = at === -1 ? undefined : rest[at + 1];
  return job ?? (url.searchParams.get('jid') || fragment(url)) ?? undefined;
}

function fragment(url: URL): string | undefined {
  if (url.hash.length < 2) return undefined;
  try {
    return decodeURIComponent(url.hash.slice(1));
  } catch {
    return url.hash.slice(1);
  }
}
