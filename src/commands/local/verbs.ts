import { readdir, access } from 'node:fs/promises';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { organization } from '../../api/resources/organization.ts';
import { resource, text } from '../../api/resources/resource.ts';
import { user } from '../../api/resources/user.ts';
import type { Handler } from '../../command/command.ts';
import { dataDir } from '../../config/folders.ts';
import { usageError, CictlError } from '../../errors.ts';
import { callAdmin } from '../../service/admin.ts';
import { dataSize, moveData, removeData } from '../../service/daemon/data.ts';
import { stopService } from '../../service/daemon/stop.ts';
import { checkSlug } from '../../parse/checks.ts';
import { localOrg, pipelinePath, withService, runningService } from './with-service.ts';
import type {
  localDown,
  localOrgAdd,
  localPipelineList,
  localReset,
  localStatus,
  localUserAdd,
  localLogs,
  localPrune,
} from './index.ts';
import { localPipeline, localService } from './resources.ts';
import { serviceLog } from '../../service/daemon/spawn.ts';
import { checkKeep } from './up-flags.ts';

/** `cictl local down`. */
export const stopLocal: Handler<typeof localDown> = async (_, { env, clock, messages }) => {
  const stopped = await stopService({ dataDir: dataDir(env), clock });
  messages.note(stopped ? 'the local service has ended' : 'the local service was not running');
};

/** `cictl local status`. */
export const showServiceStatus: Handler<typeof localStatus> = async (_, context) => {
  const { env, out, settings, messages } = context;
  const state = await runningService(context);
  const status = (await callAdmin(state, 'GET', '/status')) as ServiceStatus;
  const size = await dataSize(dataDir(env));
  await out.one(localService, { ...status, size, profile: 'local' });
  if (out.format !== 'tsv' || settings.fields !== undefined) return;
  for (const { tags, jobs } of status.waiting_for_agents ?? []) {
    messages.note(`no agent has ${tags.join(', ')}: ${jobs} ${jobs === 1 ? 'job' : 'jobs'}`);
  }
};

/** What is read of it here; a service of an earlier version has none. */
interface ServiceStatus {
  readonly waiting_for_agents?: readonly {
    readonly tags: readonly string[];
    readonly jobs: number;
  }[];
}

/** `cictl local reset`. */
export const resetService: Handler<typeof localReset> = async (input, context) => {
  const { env, clock, messages, prompts, out } = context;
  const folder = dataDir(env);
  if (await isEmpty(folder)) {
    messages.note(`there is no data in ${folder}`);
    return;
  }
  const what = input.delete
    ? 'Delete all builds, logs and tokens'
    : 'Move the data directory aside';
  await prompts.confirm(`${what} (${folder})?`, '--yes');
  await stopService({ dataDir: folder, clock });
  if (input.delete) {
    await removeData(folder);
    messages.note(`deleted the data of the local service in ${folder}`);
    return;
  }
  const path = await moveData(folder, clock.now());
  messages.note(`moved the data of the local service to ${path}`);
  if (!out.isTerminal) await out.one(movedData, { path });
};

/** What `local reset` prints in a pipe. */
const movedData = resource({
  name: 'data directory',
  plural: 'data directories',
  members: { path: text() },
  columns: [{ path: 'path', heading: 'PATH' }],
});

async function isEmpty(folder: string): Promise<boolean> {
  try {
    return (await readdir(folder)).length === 0;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}

/** `cictl local pipeline list`. */
export const listPipelines: Handler<typeof localPipelineList> = async (_, context) => {
  const list = await withService(context, (call) => call('GET', pipelinePath(context)));
  await context.out.list(localPipeline, list as object[]);
};

/** `cictl local org add`. */
export const addOrganization: Handler<typeof localOrgAdd> = async ({ slug, name }, context) => {
  checkSlug('organization', slug);
  const body = { slug, ...(name === undefined ? {} : { name }) };
  await withService(context, async (call) => {
    const add = async () => (await call('POST', '/organizations', body)) as object;
    await context.out.changed(organization, add, 'added');
  });
};

/** `cictl local user add`. */
export const addUser: Handler<typeof localUserAdd> = async ({ name, email, role }, context) => {
  if (email === undefined) throw usageError('--email is needed', 'cictl help local user add');
  const body = { name, email, role: role ?? 'member', organizations: [localOrg(context)] };
  await withService(context, async (call) => {
    await context.out.changed(
      user,
      async () => (await call('POST', '/users', body)) as object,
      'added',
    );
  });
};

/** `cictl local logs`. */
export const printServiceLog: Handler<typeof localLogs> = async (_, { env, out, messages }) => {
  const file = serviceLog(dataDir(env));
  if (!(await exists(file))) {
    messages.note('the local service has not said anything yet');
    return;
  }
  for await (const line of createInterface({ input: createReadStream(file) })) await out.line(line);
};

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

/** `cictl local prune`. */
export const pruneBuilds: Handler<typeof localPrune> = async ({ keep }, context) => {
  if (keep !== undefined) checkKeep(keep);
  let removed = 0;
  await withService(context, async (call) => {
    const body = keep === undefined ? {} : { keep };
    for (let more = true; more;) {
      const part = (await call('POST', '/prune', body).catch(explain)) as Part;
      removed += part.removed;
      more = part.more && !context.signal.aborted;
    }
  });
  const builds = removed === 1 ? 'build' : 'builds';
  context.messages.note(`removed ${removed} old ${builds} with logs and artifacts`);
};

interface Part {
  readonly removed: number;
  readonly more: boolean;
}

/** Without the flag the service knows how much is kept, or nobody has said it. */
function explain(error: unknown): never {
  if (error instanceof CictlError && error.kind === 'refused')
    throw new CictlError('usage', `cannot remove builds: ${error.message}`, {
      hint: 'cictl local prune --keep 90d',
    });
  throw error;
}
