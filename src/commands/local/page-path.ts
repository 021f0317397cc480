/** What was named, as the path of its page. */
import type { BuildRef } from '../../api/refs.ts';
import { isFromFlag } from '../../config/is-from-flag.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { isAddress, parseAddress } from '../../refs/address.ts';
import { isUuid, looksLikeBuild, parseTarget } from '../../refs/parse-reference.ts';
import { resolveBuild, resolveJob } from '../../refs/resolve.ts';
import { callAdmin } from '../../service/admin.ts';
import type { ServiceState } from '../../service/state.ts';
import { ownPagePath } from './own-page-path.ts';
import { knownJob } from './known-job.ts';
import { notThere } from './with-service.ts';

export interface PageParts {
  readonly state: ServiceState;
  /** Its client and settings are about the built-in service. */
  readonly context: Context;
}

/**
 * The path of the page of a TARGET, a BUILD, a JOB or an address of this service; without text, that
 * of the pipeline of this folder. Code 2 for what is none of them, 7 for what is not there.
 */
export async function pagePathOf(text: string | undefined, parts: PageParts): Promise<string> {
  if (text === undefined) return flagPath(parts) ?? ownPagePath(parts);
  if (isAddress(text)) return addressPath(text.trim(), parts);
  if (text.includes('#') || isUuid(text)) return jobPath(text, parts);
  return looksLikeBuild(text) ? buildPath(text, parts) : targetPath(text, parts);
}

/** What `--pipeline` names, else what `--org` does. */
function flagPath(parts: PageParts): Promise<string> | undefined {
  const { settings } = parts.context;
  const org = isFromFlag(settings, 'org') ? settings.org : undefined;
  const slug = isFromFlag(settings, 'pipeline') ? settings.pipeline : org;
  return slug === undefined ? undefined : targetPath(slug, parts);
}

async function targetPath(text: string, { state, context }: PageParts): Promise<string> {
  const { org = context.settings.org ?? 'local', pipeline = '' } = parseTarget(text);
  const path = `/organizations/${org}/pipelines/${pipeline}`;
  const hint = 'cictl local pipeline list';
  const found = callAdmin(state, 'GET', path).catch(notThere('pipeline', text, hint));
  return found.then(
    () => `/${org}/${pipeline}`,
    async (error: unknown) => {
      if (await isOrganization(text, state)) return `/${text}`;
      throw error;
    },
  );
}

async function isOrganization(text: string, state: ServiceState): Promise<boolean> {
  const all = (await callAdmin(state, 'GET', '/organizations')) as { readonly slug: string }[];
  return all.some(({ slug }) => slug === text);
}

async function buildPath(text: string, { context }: PageParts): Promise<string> {
  const ref = await resolveBuild(context, text, { mutates: false });
  const { builds } = await context.client();
  await builds.get(ref);
  return pathOf(ref);
}

/** Jobs that ran have a page of their own, others a place on that of their build. */
async function jobPath(text: string, { context }: PageParts): Promise<string> {
  if (isUuid(text)) {
    const { type, build_url: address } = await knownJob(text, context);
    const page = pathOfRest(address);
    return `${page}${type === 'script' ? '/jobs/' : '#'}${text.toLowerCase()}`;
  }
  const { ref, job } = await resolveJob(context, text, { mutates: false });
  return job.type === 'script' ? `${pathOf(ref)}/jobs/${ref.job}` : `${pathOf(ref)}#${ref.job}`;
}

const pathOf = ({ org, pipeline, number }: BuildRef): string =>
  `/${org}/${pipeline}/builds/${number}`;

/** Addresses of other days may have another port. */
function addressPath(text: string, { state, context }: PageParts): string {
  const url = new URL(/^https?:/i.test(text) ? text : `http://${text}`);
  if (!loopback.has(url.hostname))
    throw usageError(`${JSON.stringify(text)} is no address of the service at ${state.url}`);
  if (url.host !== new URL(state.url).host && url.hostname !== 'localhost')
    context.messages.note(`the local service is at ${state.url} now: it shows the same page there`);
  if (url.pathname.startsWith('/v2/')) return pathOfRest(text);
  // One that signed in, and is used up.
  if (url.pathname === '/-/sign-in') return url.searchParams.get('to') ?? '/';
  return url.pathname + url.search + url.hash;
}

const loopback = new Set(['127.0.0.1', 'localhost', '[::1]']);

function pathOfRest(text: string): string {
  const { org, pipeline, number, job } = parseAddress(text);
  if (pipeline === undefined) return `/${org}`;
  if (number === undefined) return `/${org}/${pipeline}`;
  return pathOf({ org, pipeline, number }) + (job === undefined ? '' : `#${job}`);
}
