/** An address of this service, as the path of its page. */
import type { Job } from '../../api/resources/job.ts';
import { CictlError, usageError } from '../../errors.ts';
import { parseAddress } from '../../refs/address.ts';
import { resolveBuild, resolveJob } from '../../refs/resolve.ts';
import type { PageParts } from './page-path.ts';
import { pathOf, pathOfJob } from './path-of.ts';
import { assertTarget } from './target-path.ts';

/**
 * A page as it was typed; of what belongs to the API the page that shows it. Addresses of other days
 * may have another port. Code 2 for one of another service, 7 for what is not there: an organization, a
 * pipeline, a build, a job.
 */
export async function addressPath(text: string, parts: PageParts): Promise<string> {
  const { state, context } = parts;
  const url = parsedUrl(text);
  if (!loopback.has(url.hostname))
    throw usageError(`${JSON.stringify(text)} is no address of the service at ${state.url}`);
  if (url.host !== new URL(state.url).host && url.hostname !== 'localhost')
    context.messages.note(`the local service is at ${state.url} now: it shows the same page there`);
  // One that signed in, and is used up.
  if (url.pathname === '/-/sign-in') return url.searchParams.get('to') ?? '/';
  const isRest = url.pathname.startsWith('/v2/');
  const path = url.pathname + url.search + url.hash;
  if (!isRest && !isBuild.test(url.pathname)) {
    if (isTarget.test(url.pathname)) await assertTarget(parseAddress(text), parts);
    return path;
  }
  return (await pathOfReference(text, parts, isRest || url.searchParams.has('jid'))) ?? path;
}

/** What begins otherwise is a picture, or is of the service itself. */
const isTarget =
  /^\/(?!(?:avatars|badges|emojis|organizations|webhooks)\/)\w[\w-]*(?:\/[\w-]+(?:\/builds(?:\/new)?|\/stats)?)?\/?$/;

const isBuild = /^\/[^/]+\/[^/]+\/builds\/\d+(?:\/|$)/;

function parsedUrl(text: string): URL {
  const whole = /^https?:/i.test(text) ? text : `http://${text}`;
  if (URL.canParse(whole)) return new URL(whole);
  throw usageError(`${JSON.stringify(text)} is no address`);
}

const loopback = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** Undefined where the address is the page of what it names already. */
async function pathOfReference(
  text: string,
  parts: PageParts,
  isOther: boolean,
): Promise<string | undefined> {
  const named = parseAddress(text);
  if (named.number === undefined) {
    await assertTarget(named, parts);
    return pathOf(named);
  }
  const job = named.job === undefined ? undefined : await jobOf(text, parts);
  if (job === undefined) {
    const { builds } = await parts.context.client();
    await builds.get(await resolveBuild(parts.context, text, { mutates: false }));
    return isOther ? pathOf(named) : undefined;
  }
  return isOther || job.id !== named.job ? pathOfJob(named, job) : undefined;
}

/** What is behind `#` may also be a place on the page. */
async function jobOf(text: string, { context }: PageParts): Promise<Job | undefined> {
  try {
    return (await resolveJob(context, text, { mutates: false })).job;
  } catch (error) {
    if (error instanceof CictlError && error.kind === 'not_found' && isAnchor(text))
      return undefined;
    throw error;
  }
}

const isAnchor = (text: string): boolean => /#[a-z][\w-]*$/.test(text) && !text.includes('/jobs/');
