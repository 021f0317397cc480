/** What was named, as the path of its page. */
import { isFromFlag } from '../../config/is-from-flag.ts';
import type { Context } from '../../context.ts';
import { isAddress, parseAddress } from '../../refs/address.ts';
import { isUuid, looksLikeBuild } from '../../refs/parse-reference.ts';
import { resolveBuild, resolveJob } from '../../refs/resolve.ts';
import type { ServiceState } from '../../service/state.ts';
import { addressPath } from './address-path.ts';
import { ownPagePath } from './own-page-path.ts';
import { knownJob } from './known-job.ts';
import { pathOf, pathOfJob } from './path-of.ts';
import { targetPath } from './target-path.ts';

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
    return pathOfJob(parseAddress(address), { id: text.toLowerCase(), type });
  }
  const { ref, job } = await resolveJob(context, text, { mutates: false });
  return pathOfJob(ref, { ...job, id: ref.job });
}
