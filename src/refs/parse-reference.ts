import { usageError } from '../errors.ts';
import { checkSlug } from '../parse/checks.ts';

/** If `pipeline` is missing, this is an organization. Other missing parts come from settings. */
export interface ParsedTarget {
  readonly org?: string;
  readonly pipeline?: string;
  /** Host and port, if the reference is a URL. Requests are never sent there. */
  readonly host?: string;
}

export interface ParsedBuild extends ParsedTarget {
  readonly number: number | 'latest';
}

export interface ParsedJob {
  readonly build?: ParsedBuild;
  readonly job: string;
}

const buildForms = 'N, latest, PIPELINE/N, ORG/PIPELINE/N or a build URL';
const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const isUuid = (text: string): boolean => uuidForm.test(text);

/** Parses `PIPELINE`, `ORG/PIPELINE`, or the URL of either. Exit code 2 for other text. */
export function parseTarget(text: string): ParsedTarget {
  if (isAddress(text)) {
    const { org, pipeline, host } = parseAddress(text);
    return { org, ...(pipeline !== undefined && { pipeline }), host };
  }
  const parts = text.split('/');
  if (parts.length > 2) throw malformed('TARGET', text, 'PIPELINE, ORG/PIPELINE or a URL');
  return slugs(parts);
}

/** Parses `N`, `latest`, `PIPELINE/N`, `ORG/PIPELINE/N`, or a URL. Exit code 2 for other text. */
export function parseBuild(text: string): ParsedBuild {
  if (isAddress(text)) return buildOfAddress(text);
  const parts = text.split('/');
  if (isUuid(parts.at(-1) ?? '')) throw idOfBuild(text, parts);
  const number = numberOf(parts.pop() ?? '');
  if (number === undefined || parts.length > 2) throw noBuild(text);
  return { ...slugs(parts), number };
}

function idOfBuild(text: string, parts: readonly string[]) {
  const id = parts.at(-1)?.toLowerCase() ?? '';
  const target = parts.slice(0, -1).join('/');
  const list = ['cictl builds list', ...(isTarget(target) ? [target] : []), '-L 100'].join(' ');
  return usageError(
    `${JSON.stringify(text)} is a build ID; the API only accepts build numbers`,
    `${list} --jq '.[] | select(.id == "${id}") | .number'`,
  );
}

/** Parses `BUILD#JOB`, a URL with `#JOB`, `?jid=JOB` or `/jobs/JOB`, or just `JOB`. */
export function parseJob(text: string): ParsedJob {
  if (isAddress(text)) {
    const { job, number } = parseAddress(text);
    if (job === undefined && number !== undefined) throw noJobButBuild(text);
    if (job === undefined) throw malformed('JOB', text, 'a job URL, or BUILD#JOB');
    return { build: buildOfAddress(text), job: checkSlug('job', job) };
  }
  const at = text.indexOf('#');
  if (at === -1) return { job: checkJob(text) };
  return { build: parseBuild(text.slice(0, at)), job: checkJob(text.slice(at + 1)) };
}

/** Whether a JOB without a build looks like a build: digits, `latest`, or `PIPELINE/N`. */
export const looksLikeBuild = (text: string): boolean =>
  text === 'latest' || /^(?:(?:[^/\s]+\/){1,2}(?:\d+|latest)|\d+)$/.test(text);

export const noJobButBuild = (text: string) =>
  usageError(
    `${JSON.stringify(text)} is a build, not a job; add the job: JOB --build ${text}, or ${text}#JOB`,
    `cictl job list ${text}`,
  );

function buildOfAddress(text: string): ParsedBuild {
  const { org, pipeline, number, host } = parseAddress(text);
  const [id = ''] = /(?<=\/builds\/)[^/?#]+/.exec(text) ?? [];
  if (pipeline !== undefined && isUuid(id)) throw idOfBuild(text, [org, pipeline, id]);
  if (pipeline === undefined || number === undefined) throw noBuild(text);
  return { org, pipeline, number, host };
}

export function numberOf(text: string): number | 'latest' | undefined {
  if (text === 'latest') return text;
  const number = /^\d+$/.test(text) ? Number(text) : NaN;
  return Number.isSafeInteger(number) ? number : undefined;
}

function slugs(parts: readonly string[]): ParsedTarget {
  const [org, pipeline] = parts.length > 1 ? parts : [undefined, parts[0]];
  return {
    ...(org !== undefined && { org: checkSlug('organization', org) }),
    ...(pipeline !== undefined && { pipeline: checkSlug('pipeline', pipeline) }),
  };
}

/** Names and labels may contain any characters, because they are never sent to a service. */
function checkJob(job: string): string {
  if (job.trim() !== '') return job;
  throw malformed('JOB', job, 'an ID, a step key, a name, BUILD#JOB or a URL');
}

/** The error for text that is not a build: a pipeline, or `#12` or `web#12` as in other tools. */
function noBuild(text: string) {
  const error = malformed('BUILD', text, buildForms);
  const [, pipeline = '', number] = /^([\w.-]+(?:\/[\w.-]+)?)?\/?#(\d+)$/.exec(text) ?? [];
  if (number !== undefined)
    return usageError(error.message, `cictl builds view ${pipeline && `${pipeline}/`}${number}`);
  return isTarget(text) ? usageError(error.message, `cictl builds list ${text}`) : error;
}

const isTarget = (text: string): boolean =>
  isAddress(text) || /^[a-z][\w.-]*(?:\/[a-z][\w.-]*)?$/i.test(text);

const malformed = (what: string, text: string, forms: string) =>
  usageError(`invalid ${what} ${JSON.stringify(text)}; use ${forms}`, 'cictl help references');

export interface Address {
  readonly host: string;
  readonly org: string;
  readonly pipeline?: string;
  readonly number?: number;
  readonly job?: string;
}

/** Whether the text is a URL. The scheme is optional, because browsers hide it. Trims spaces. */
export const isAddress = (text: string): boolean =>
  /^\s*https?:\/\//i.test(text) || isBare(text.trim());

const isBare = (text: string): boolean =>
  /^[\w.-]+(?::\d+)?\/[^/\s#?]+\/[^/\s#?]+\/builds\/\d/.test(text);

/**
 * Parses `https://HOST/ORG/PIPELINE/builds/N#JOB` and
 * `https://HOST/v2/organizations/ORG/pipelines/…`, optionally with a path prefix, and the URLs of
 * their parents. Exit code 2 for any other URL.
 */
export function parseAddress(text: string): Address {
  const whole = isBare(text.trim()) ? `https://${text.trim()}` : text;
  const url = URL.canParse(whole) ? new URL(whole) : undefined;
  const segments = url && decoded(url);
  const isRest = segments?.includes('organizations');
  const segmentsFromOrg = segments && (isRest ? restSegments(segments) : webSegments(segments));
  if (url === undefined || segmentsFromOrg === undefined) {
    throw usageError(
      `${JSON.stringify(text)} is not the URL of an organization, a pipeline, a build or a job`,
      'cictl help references',
    );
  }
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

function decoded(url: URL): string[] | undefined {
  const segments = url.pathname.split('/').filter((segment) => segment !== '');
  try {
    return segments.map((segment) => decodeURIComponent(segment));
  } catch {
    return undefined;
  }
}

/** `…/organizations/ORG[/pipelines/PIPELINE[/builds/N…]]` -> `ORG, PIPELINE, builds, N…` */
function restSegments(segments: readonly string[]): string[] | undefined {
  const at = segments.indexOf('organizations');
  const org = segments[at + 1];
  if (org === undefined) return undefined;
  const [noun, pipeline, ...rest] = segments.slice(at + 2);
  return noun === 'pipelines' && pipeline !== undefined ? [org, pipeline, ...rest] : [org];
}

/** `…/ORG/PIPELINE/builds/N…`, `ORG/PIPELINE[/builds]`, `ORG` -> the same without a path prefix */
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

/** `/jobs/JOB`, `?jid=JOB` or `#JOB` */
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
