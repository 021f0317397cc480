import type { MissingName } from '../errors.ts';
import type { FinalResponse } from '../http/redirects.ts';
import type { ErrorBody } from './error-body.ts';
import type { CallInfo, Subject } from './call.ts';

/**
 * Says which of organization, pipeline, build, job, log or rule a 404 is about, and how to find it.
 */
export function explainNotFound(
  { subject = {} }: CallInfo,
  { url }: FinalResponse,
  { message, isJson }: ErrorBody,
): { reason: string; hint?: string; missing?: MissingName } {
  const [, word, why = ''] =
    /^No (organization|pipeline|build|job|log|rule) found(: .+)?/i.exec(message ?? '') ?? [];
  const kind = (word?.toLowerCase() ?? deepest(subject)) as Kind | undefined;
  const name = kind === undefined ? undefined : names[kind](subject);
  if (kind === undefined || name === undefined) {
    return { reason: message ?? `${url.origin} knows no ${url.pathname}` };
  }
  const isPlain = word !== undefined || message === undefined || /^not found\.?$/i.test(message);
  const errorBody = isPlain ? '' : ` (${message})`;
  const reason = `${kind} ${name} was not found${why}${errorBody}`;
  if (!isJson) return { reason: `${reason}; ${url.origin} may not be the service` };
  return { reason, ...hintFor(kind, subject), ...missingName(kind, subject) };
}

function missingName(kind: Kind, { org, pipeline }: Subject): { missing?: MissingName } {
  if (org === undefined) return {};
  if (kind === 'organization') return { missing: { kind, slug: org } };
  return kind === 'pipeline' && pipeline !== undefined
    ? { missing: { kind, slug: pipeline, org } }
    : {};
}

type Kind = 'organization' | 'pipeline' | 'build' | 'job' | 'log' | 'rule';

const names: Record<Kind, (subject: Subject) => string | undefined> = {
  organization: ({ org }) => org,
  pipeline: ({ org, pipeline }) => joined([org, pipeline]),
  build: ({ org, pipeline, number }) => joined([org, pipeline, number]),
  job: ({ job }) => job,
  log: ({ job }) => job && `of job ${job}`,
  rule: ({ rule }) => rule,
};

const joined = (parts: readonly (string | number | undefined)[]): string | undefined =>
  parts.includes(undefined) ? undefined : parts.join('/');

function deepest({ org, pipeline, number, job, rule }: Subject): Kind | undefined {
  if (rule !== undefined) return 'rule';
  if (job !== undefined) return 'job';
  if (number !== undefined) return 'build';
  if (pipeline !== undefined) return 'pipeline';
  return org === undefined ? undefined : 'organization';
}

/** A command that lists what there is. */
function hintFor(kind: Kind, subject: Subject): { hint?: string } {
  const { org = '', pipeline = '', number } = subject;
  if (!/^[\w.-]*$/.test(org + pipeline)) return {};
  const commands: Record<Kind, string> = {
    organization: 'cictl orgs list',
    pipeline: `cictl builds list --org ${org} --all-pipelines`,
    build: `cictl builds list ${org}/${pipeline}`,
    job: `cictl job list ${org}/${pipeline}/${number ?? ''}`,
    log: `cictl job list ${org}/${pipeline}/${number ?? ''}`,
    rule: `cictl rules list --org ${org}`,
  };
  return { hint: commands[kind] };
}
