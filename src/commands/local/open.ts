import { homeFolder } from '../../config/folders.ts';
import type { Handler } from '../../command/command.ts';
import { openFile } from '../../terminal/browser.ts';
import { aboutService, signedInAddress } from './sign-in.ts';
import type { localOpen } from './index.ts';
import { runningOrStarted } from './start.ts';
import { openedPage } from './resources.ts';
import { isFromFlag } from '../../config/setting-origins.ts';
import type { Context } from '../../context.ts';
import {
  isAddress,
  parseAddress,
  type Address,
  isUuid,
  looksLikeBuild,
  parseTarget,
} from '../../refs/parse-reference.ts';
import { resolveBuild, resolveJob } from '../../refs/resolve.ts';
import type { ServiceState } from '../../service/state.ts';
import { git } from '../../common/git.ts';
import { addedFrom, withRemote } from '../../refs/checkout-pipelines.ts';
import { callAdmin } from '../../service/admin.ts';
import type { Job } from '../../api/resources/job.ts';
import { CictlError, usageError } from '../../errors.ts';
import { notThere } from './with-service.ts';
import { readBodyText } from '../../http/body.ts';

/** `cictl local open`. Prints the URL first, for users without a browser on this machine. */
export const openPage: Handler<typeof localOpen> = async ({ page: text }, context) => {
  const { out, env, settings } = context;
  const state = await runningOrStarted(context);
  const path = await pagePathOf(text, { state, context: await aboutService(state, context) });
  const isText = (out.format === 'table' || out.format === 'tsv') && settings.fields === undefined;
  const directory = isText && out.isTerminal ? homeFolder(env) : undefined;
  const { url, file } = await signedInAddress(state, path, context, directory);
  if (!isText) return out.one(openedPage, { url, page: state.url + path });
  await out.line(url);
  if (file !== undefined) await openFile(file, env);
};

// What was named, as the path of its page.

interface PageParts {
  readonly state: ServiceState;
  /** Its client and settings are about the built-in service. */
  readonly context: Context;
}

/**
 * The path of the page of a TARGET, a BUILD, a JOB or an address of this service; without text, that
 * of the pipeline of this folder. Code 2 for what is none of them, 7 for what is not there.
 */
async function pagePathOf(text: string | undefined, parts: PageParts): Promise<string> {
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

// The page that is meant where none is named.

interface Pipeline {
  readonly slug: string;
  readonly folder: string;
  readonly repository: string;
}

/** That of the pipeline of this directory or checkout, if there is exactly one; otherwise the first page. */
async function ownPagePath({ state, context }: PageParts): Promise<string> {
  const { org = 'local' } = context.settings;
  const all = (await callAdmin(state, 'GET', `/organizations/${org}/pipelines`)) as Pipeline[];
  const added = addedFrom(
    context.cwd,
    all.map(({ slug, folder }) => ({ slug, directory: folder })),
  );
  const own = added.length > 0 ? added : withRemote(all, (await git.remotes(context.cwd)).all);
  const [first, ...others] = own;
  return first === undefined || others.length > 0 ? '/' : `/${org}/${first}`;
}

// An address of this service, as the path of its page.

/**
 * A page as it was typed; of what belongs to the API the page that shows it. Addresses of other days
 * may have another port. Code 2 for one of another service, 7 for what is not there: an organization, a
 * pipeline, a build, a job.
 */
async function addressPath(text: string, parts: PageParts): Promise<string> {
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

// Pipelines and organizations of this service, as the paths of their pages.

/** The page of a TARGET, which may be an organization alone. Code 7 where it is not there. */
async function targetPath(text: string, { state, context }: PageParts): Promise<string> {
  const { org = context.settings.org ?? 'local', pipeline = '' } = parseTarget(text);
  const path = `/organizations/${org}/pipelines/${pipeline}`;
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

/** Code 7 where what an address names, a pipeline or an organization, is not there. */
async function assertTarget(
  { org, pipeline = '' }: Pick<Address, 'org' | 'pipeline'>,
  { state }: Pick<PageParts, 'state'>,
): Promise<void> {
  const all = `/organizations/${encodeURIComponent(org)}/pipelines`;
  const path = pipeline === '' ? all : `${all}/${encodeURIComponent(pipeline)}`;
  await callAdmin(state, 'GET', path).catch(notThere('pipeline', `${org}/${pipeline}`, hint));
}

const hint = 'cictl local pipeline list';

// Paths of pages, which are those of `web_url` but for jobs that have a page of their own.

/** What is known of where a page belongs. */
type Page = Omit<Address, 'host'>;

/** The page of a build, else of its pipeline, else of its organization, as far as it is known. */
const pathOf = ({ org, pipeline, number }: Page): string =>
  ['', org, pipeline, ...(number === undefined ? [] : ['builds', number])]
    .filter((part) => part !== undefined)
    .join('/');

/** Jobs that ran have a page of their own, others a place on that of their build. */
const pathOfJob = (build: Page, { id, type }: Pick<Job, 'id' | 'type'>): string =>
  `${pathOf(build)}${type === 'script' ? '/jobs/' : '#'}${id ?? ''}`;

// A job by its id alone, as the built-in service knows it whatever its build.

/** Members that the API has for every job. */
interface KnownJob {
  readonly type: string;
  /** REST address. */
  readonly build_url: string;
}

/** That of the organization in use. Code 7 where there is none. */
async function knownJob(id: string, context: Context): Promise<KnownJob> {
  const { org = 'local' } = context.settings;
  const service = await context.client();
  const response = await service.raw({
    method: 'GET',
    path: `/v2/organizations/${org}/jobs/${id.toLowerCase()}`,
  });
  const text = await readBodyText(response);
  if (response.status === 404)
    throw new CictlError('not_found', `no job "${id}"`, {
      status: 404,
      hint: 'cictl job list PIPELINE/N',
    });
  if (response.failure !== undefined) throw response.failure();
  return JSON.parse(text) as KnownJob;
}
