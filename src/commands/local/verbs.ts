import { createReadStream, existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { organization } from '../../api/resources/organization.ts';
import { resource, text } from '../../api/resources/resource.ts';
import { user } from '../../api/resources/user.ts';
import type { Handler } from '../../command/command.ts';
import { dataDir } from '../../config/folders.ts';
import { CictlError, usageError } from '../../errors.ts';
import { checkSlug } from '../../parse/checks.ts';
import { callAdmin } from '../../service/admin.ts';
import { dataSize, moveData, removeData } from '../../service/daemon/data.ts';
import { serviceLog } from '../../service/daemon/spawn.ts';
import { stopService } from '../../service/daemon/stop.ts';
import type {
  localDown,
  localLogs,
  localOrgAdd,
  localPipelineList,
  localPrune,
  localReset,
  localStatus,
  localUserAdd,
} from './index.ts';
import { localPipeline, localService } from './resources.ts';
import { checkKeep } from './up-flags.ts';
import { localOrg, printList, runningService, withService } from './with-service.ts';

export const stopLocal: Handler<typeof localDown> = async (_, { env, clock, messages }) => {
  const stopped = await stopService({ dataDir: dataDir(env), clock });
  messages.note(stopped ? 'the local service stopped' : 'the local service was not running');
};

export const showServiceStatus: Handler<typeof localStatus> = async (_, context) => {
  const { env, out, settings, messages } = context;
  const state = await runningService(context);
  const status = (await callAdmin(state, 'GET', '/status')) as ServiceStatus;
  const size = await dataSize(dataDir(env));
  await out.one(localService, { ...status, size, profile: 'local' });
  if (out.format !== 'tsv' || settings.fields !== undefined) return;
  for (const { tags, jobs } of status.waiting_for_agents ?? []) {
    messages.note(
      `no agent has ${tags.join(', ')}: ${jobs} ${jobs === 1 ? 'job is' : 'jobs are'} waiting`,
    );
  }
};

interface ServiceStatus {
  /** Missing from responses of older versions of the service. */
  readonly waiting_for_agents?: readonly {
    readonly tags: readonly string[];
    readonly jobs: number;
  }[];
}

export const printServiceLog: Handler<typeof localLogs> = async (_, { env, out, messages }) => {
  const file = serviceLog(dataDir(env));
  if (!existsSync(file)) {
    messages.note('the log of the local service is empty');
    return;
  }
  for await (const line of createInterface({ input: createReadStream(file) })) await out.line(line);
};

export const pruneBuilds: Handler<typeof localPrune> = async ({ keep }, context) => {
  if (keep !== undefined) checkKeep(keep);
  const body = keep === undefined ? {} : { keep };
  let removed = 0;
  await withService(context, async (call) => {
    for (let more = true; more;) {
      const response = await call('POST', '/prune', body).catch(explainPrune);
      const chunk = response as { readonly removed: number; readonly more: boolean };
      removed += chunk.removed;
      more = chunk.more && !context.signal.aborted;
    }
  });
  const builds = removed === 1 ? 'build' : 'builds';
  context.messages.note(`removed ${removed} old ${builds}`);
};

/** Without `keep`, the service rejects the call unless `local up --keep` has set a default. */
function explainPrune(error: unknown): never {
  if (error instanceof CictlError && error.kind === 'refused')
    throw new CictlError('usage', `cannot prune: ${error.message}`, {
      hint: 'cictl local prune --keep 90d',
    });
  throw error;
}

export const resetService: Handler<typeof localReset> = async (input, context) => {
  const { env, clock, messages, prompts, out } = context;
  const folder = dataDir(env);
  if (await isEmpty(folder)) {
    messages.note(`no data in ${folder}`);
    return;
  }
  const what = input.delete
    ? 'Permanently delete all builds, logs and tokens'
    : 'Stop the service and move its data directory aside';
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

export const listPipelines: Handler<typeof localPipelineList> = (_, context) =>
  printList(localPipeline, 'pipelines', context);

export const addOrganization: Handler<typeof localOrgAdd> = async ({ slug, name }, context) => {
  checkSlug('organization', slug);
  const body = { slug, ...(name === undefined ? {} : { name }) };
  await withService(context, (call) =>
    context.out.changed(organization, () => call('POST', '/organizations', body), 'added'),
  );
};

export const addUser: Handler<typeof localUserAdd> = async ({ name, email, role }, context) => {
  if (email === undefined) throw usageError('--email is required', 'cictl help local user add');
  const body = { name, email, role: role ?? 'member', organizations: [localOrg(context)] };
  await withService(context, (call) =>
    context.out.changed(user, () => call('POST', '/users', body), 'added'),
  );
};
