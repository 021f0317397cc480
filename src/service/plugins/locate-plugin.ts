/** Where the files of a plugin are: in the repository, in the cache, or in a folder of the user's. */
import { access } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fetchPlugin, mayChange, type Fetched } from './fetch-plugin.ts';
import { givenFolder } from './given-folder.ts';
import { PluginError, type PluginRequest, type ReadyPlugin } from './plugin.ts';
import { redactAddresses } from './redact-address.ts';
import { GitError } from './run-git.ts';
import { readSource, type GitSource } from './source.ts';

export interface LocatedPlugin extends Pick<ReadyPlugin, 'folder' | 'isOfRepository'> {
  /** Absolute folder of the plugin; null where it is not known yet. */
  readonly files: string | null;
}

/** A plugin by its name and what the file says of it. */
export interface Wanted {
  readonly name: string;
  readonly text: string;
  /** Milliseconds for one call of git. */
  readonly timeout: number;
}

/** Fetches it where it has to be, and says in the log where it comes from. Throws why it cannot be had. */
export async function locatePlugin(request: PluginRequest, wanted: Wanted): Promise<LocatedPlugin> {
  const source = readSource(wanted.text);
  if (source.kind === 'repository') return locateInRepository(request, wanted.name, source.path);
  try {
    const folder = await locateElsewhere(request, wanted, source);
    return { folder, isOfRepository: false, files: folder };
  } catch (error) {
    throw explained(error, request, wanted.name, source);
  }
}

/** The public agent takes none from outside of the checkout. */
async function locateInRepository(
  { checkout, log }: PluginRequest,
  name: string,
  path: string,
): Promise<LocatedPlugin> {
  const place = { folder: path, isOfRepository: true };
  if (checkout === undefined) return { ...place, files: null };
  const files = resolve(checkout, path);
  if (!(await exists(files)))
    throw new PluginError(
      `plugin ${name} cannot be had: there is no folder ${path} in the checkout`,
      1,
    );
  if (!`${files}/`.startsWith(`${resolve(checkout)}/`))
    await log(`Plugin ${name}: ${path} is outside of the checkout, where agents take none`);
  return { ...place, files };
}

async function locateElsewhere(
  request: PluginRequest,
  wanted: Wanted,
  source: GitSource,
): Promise<string> {
  const { env, signal, cache, from, log } = request;
  if (from !== null) return takeGiven(log, from, wanted, source);
  const fetched = await fetchPlugin({ env, signal, timeout: wanted.timeout }, cache, source);
  for (const line of linesAbout(wanted.name, source, fetched)) await log(line);
  const folder = join(fetched.folder, source.subfolder);
  if (await exists(folder)) return folder;
  throw new Error(`it has no folder ${source.subfolder}`);
}

async function takeGiven(
  log: PluginRequest['log'],
  from: string,
  { name, text }: Wanted,
  source: GitSource,
): Promise<string> {
  const folder = await givenFolder(from, text, source);
  const version = source.version === null ? '' : `; nobody checks that it is ${source.version}`;
  await log(`Plugin ${name}: taken from ${folder}${version}`);
  return folder;
}

function linesAbout(name: string, { address, version }: GitSource, fetched: Fetched): string[] {
  const origin = redactAddresses(address);
  const where = fetched.isNew ? `fetched from ${origin}` : `in the cache, from ${origin}`;
  const title = version === null ? name : `${name} ${version}`;
  const first = `Plugin ${title}: commit ${fetched.commit}, ${where}`;
  if (!mayChange(fetched)) return [first];
  const what = version === null ? 'no version is asked for' : `${version} is a branch`;
  return [first, `Plugin ${name}: ${what}, so another commit may run tomorrow`];
}

/** In one line, with the ways on. Of a job that was ended it is the reason of that. */
function explained(
  error: unknown,
  { signal, from }: PluginRequest,
  name: string,
  { address }: GitSource,
): unknown {
  if (signal.aborted) return error;
  const reason = error instanceof Error ? error.message : String(error);
  const origin = from === null ? `${redactAddresses(address)}: ` : '';
  const remedy = from === null ? '--plugins-from DIR takes it from a folder, ' : '';
  return new PluginError(
    `plugin ${name} cannot be had: ${origin}${reason}; ${remedy}--plugins skip=${name} leaves it out`,
    error instanceof GitError ? error.exitStatus : 1,
    { cause: error },
  );
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
