import type { Job } from '../../api/resources/job.ts';
import type { Handler } from '../../command/command.ts';
import { git } from '../../common/git.ts';
import { homeFolder } from '../../config/folders.ts';
import { isFromFlag } from '../../config/setting-origins.ts';
import type { Context } from '../../context.ts';
import { CictlError, usageError } from '../../errors.ts';
import { readBodyText } from '../../http/body.ts';
import { addedFrom, withRemote } from '../../refs/checkout-pipelines.ts';
import {
  isAddress,
  isUuid,
  looksLikeBuild,
  parseAddress,
  parseTarget,
  type Address,
} from '../../refs/parse-reference.ts';
import { resolveBuild, resolveJob } from '../../refs/resolve.ts';
import { callAdmin } from '../../service/admin.ts';
import type { ServiceState } from '../../service/state.ts';
import { openFile } from '../../terminal/browser.ts';
import type { localOpen } from './index.ts';
import { openedPage } from './resources.ts';
import { aboutService, signedInAddress } from './sign-in.ts';
import { runningOrStarted } from './start.ts';
import { isText, notThere, suggestPipeline } from './with-service.ts';

/** Prints the URL before opening it, in case this machine has no browser. */
export const openPage: Handler<typeof localOpen> = async ({ page: text }, context) => {
  const { out, env, settings } = context;
  const state = await runningOrStarted(context);
  const path = await pagePathOf(text, { state, context: await aboutService(state, context) });
  const isLine = isText(out) && settings.fields === undefined;
  const directory = isLine && out.isTerminal ? homeFolder(env) : undefined;
  const { url, file } = await signedInAddress(state, path, context, directory);
  if (!isLine) return out.one(openedPage, { url, page: state.url + path });
  await out.line(url);
  if (file !== undefined) await openFile(file, env);
};

interface Service {
  readonly state: ServiceState;
  readonly context: Context;
}

/**
 * The path of the page for a TARGET, a BUILD, a JOB or a URL of this service; by default for the
 * pipeline of this directory. Exit code 2 for any other text, 7 if there is no page.
 */
async function pagePathOf(text: string | undefined, service: Service): Promise<string> {
  if (text === undefined) return defaultPath(service);
  if (isAddress(text)) return addressPath(text.trim(), service);
  if (text.includes('#') || isUuid(text)) return jobPath(text, service);
  if (!looksLikeBuild(text)) return targetPath(text, service);
  const { context } = service;
  const ref = await resolveBuild(context, text, { mutates: false });
  const { builds } = await context.client();
  await builds.get(ref);
  return pathOf(ref);
}

interface Pipeline {
  readonly slug: string;
  readonly folder: string;
  readonly repository: string;
}

/**
 * The page of `--pipeline` or `--org`. Otherwise, the page of the only pipeline of this directory
 * or checkout. If there is none, the start page.
 */
async function defaultPath(service: Service): Promise<string> {
  const { state, context } = service;
  const { settings, cwd } = context;
  const slug = (['pipeline', 'org'] as const).find((key) => isFromFlag(settings, key));
  const flag = slug && settings[slug];
  if (flag !== undefined) return targetPath(flag, service);
  const { org = 'local' } = settings;
  const all = (await callAdmin(state, 'GET', `/organizations/${org}/pipelines`)) as Pipeline[];
  const directories = all.map(({ slug, folder }) => ({ slug, directory: folder }));
  const added = addedFrom(cwd, directories);
  const own = added.length > 0 ? added : withRemote(all, (await git.remotes(cwd)).all);
  const [first, ...others] = own;
  return first === undefined || others.length > 0 ? '/' : `/${org}/${first}`;
}

async function jobPath(text: string, { context }: Service): Promise<string> {
  if (isUuid(text)) {
    const { type, build_url: url } = await jobById(text, context);
    return pathOfJob(parseAddress(url), { id: text.toLowerCase(), type });
  }
  const { ref, job } = await resolveJob(context, text, { mutates: false });
  return pathOfJob(ref, { ...job, id: ref.job });
}

/** The local service can find a job without its build. Exit code 7 if there is no such job. */
async function jobById(
  id: string,
  context: Context,
): Promise<{ readonly type: string; readonly build_url: string }> {
  const { org = 'local' } = context.settings;
  const path = `/v2/organizations/${org}/jobs/${id.toLowerCase()}`;
  const client = await context.client();
  const response = await client.raw({ method: 'GET', path });
  const text = await readBodyText(response);
  if (response.status === 404)
    throw new CictlError('not_found', `no job "${id}"`, {
      status: 404,
      hint: 'cictl job list PIPELINE/N',
    });
  if (response.failure !== undefined) throw response.failure();
  return JSON.parse(text) as { readonly type: string; readonly build_url: string };
}

/**
 * Keeps URLs of pages unchanged, and converts API URLs to the corresponding page. Accepts URLs with
 * an old port. Exit code 2 for a URL of another service, 7 if there is no such organization,
 * pipeline, build or job.
 */
async function addressPath(text: string, service: Service): Promise<string> {
  const { state, context } = service;
  const url = parsedUrl(text);
  if (!loopback.has(url.hostname))
    throw usageError(`${JSON.stringify(text)} does not belong to the service at ${state.url}`);
  if (url.host !== new URL(state.url).host && url.hostname !== 'localhost')
    context.messages.note(`the local service is now at ${state.url}; opening the same page there`);
  // A sign-in URL works only once, so use the page to which it leads.
  if (url.pathname === '/-/sign-in') return url.searchParams.get('to') ?? '/';
  const isRest = url.pathname.startsWith('/v2/');
  const path = url.pathname + url.search + url.hash;
  if (!isRest && !isBuild.test(url.pathname)) {
    if (isTarget.test(url.pathname)) await assertTarget(parseAddress(text), service);
    return path;
  }
  return (await pathOfReference(text, service, isRest || url.searchParams.has('jid'))) ?? path;
}

/** Matches paths of targets, but not images and other pages of the service. */
const isTarget =
  /^\/(?!(?:avatars|badges|emojis|organizations|webhooks)\/)\w[\w-]*(?:\/[\w-]+(?:\/builds(?:\/new)?|\/stats)?)?\/?$/;

const isBuild = /^\/[^/]+\/[^/]+\/builds\/\d+(?:\/|$)/;

function parsedUrl(text: string): URL {
  const whole = /^https?:/i.test(text) ? text : `http://${text}`;
  if (URL.canParse(whole)) return new URL(whole);
  throw usageError(`${JSON.stringify(text)} is not a valid URL`);
}

const loopback = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** Returns undefined if the URL already is the URL of the page. */
async function pathOfReference(
  text: string,
  service: Service,
  isOther: boolean,
): Promise<string | undefined> {
  const named = parseAddress(text);
  if (named.number === undefined) {
    await assertTarget(named, service);
    return pathOf(named);
  }
  const { context } = service;
  const job = named.job === undefined ? undefined : await jobOf(text, context);
  if (job === undefined) {
    const { builds } = await context.client();
    await builds.get(await resolveBuild(context, text, { mutates: false }));
    return isOther ? pathOf(named) : undefined;
  }
  return isOther || job.id !== named.job ? pathOfJob(named, job) : undefined;
}

/** Returns undefined if the fragment may be an anchor of the page instead of a job. */
async function jobOf(text: string, context: Context): Promise<Job | undefined> {
  try {
    return (await resolveJob(context, text, { mutates: false })).job;
  } catch (error) {
    const isAnchor = /#[a-z][\w-]*$/.test(text) && !text.includes('/jobs/');
    if (error instanceof CictlError && error.kind === 'not_found' && isAnchor) return undefined;
    throw error;
  }
}

/** The page of a TARGET, or of an organization. Exit code 7 if there is no such page. */
async function targetPath(text: string, { state, context }: Service): Promise<string> {
  const { org = context.settings.org ?? 'local', pipeline = '' } = parseTarget(text);
  const found = callAdmin(state, 'GET', `/organizations/${org}/pipelines/${pipeline}`);
  try {
    await found;
    return `/${org}/${pipeline}`;
  } catch {
    const all = (await callAdmin(state, 'GET', '/organizations')) as { readonly slug: string }[];
    if (all.some(({ slug }) => slug === text)) return `/${text}`;
    const named = found.catch(notThere('pipeline', text, hint));
    return named.catch(suggestPipeline(context, pipeline)) as Promise<never>;
  }
}

/** Exit code 7 if there is no such pipeline or organization. */
async function assertTarget(
  { org, pipeline = '' }: Pick<Address, 'org' | 'pipeline'>,
  { state }: Service,
): Promise<void> {
  const all = `/organizations/${encodeURIComponent(org)}/pipelines`;
  const path = pipeline === '' ? all : `${all}/${encodeURIComponent(pipeline)}`;
  await callAdmin(state, 'GET', path).catch(notThere('pipeline', `${org}/${pipeline}`, hint));
}

const hint = 'cictl local pipeline list';

type Page = Omit<Address, 'host'>;

const pathOf = ({ org, pipeline, number }: Page): string =>
  ['', org, pipeline, ...(number === undefined ? [] : ['builds', number])]
    .filter((part) => part !== undefined)
    .join('/');

/** Command jobs have their own page; other jobs have an anchor on the page of their build. */
const pathOfJob = (build: Page, { id, type }: Pick<Job, 'id' | 'type'>): string =>
  `${pathOf(build)}${type === 'script' ? '/jobs/' : '#'}${id ?? ''}`;
