/** Everything that lasts: the database of a data folder. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { accounts, type Accounts } from './tables/accounts.ts';
import { annotations, type Annotations } from './tables/annotations.ts';
import { appliedRequests, type AppliedRequests } from './tables/applied-requests.ts';
import { artifacts, type Artifacts } from './tables/artifacts.ts';
import { builds, type Builds } from './tables/builds.ts';
import { openDatabase, type Database, freePages, type FreePages } from './database.ts';
import { emojis, type Emojis } from './tables/emojis.ts';
import { givenSecrets, type GivenSecrets, secrets, type Secrets } from './tables/secrets.ts';
import { headerTimes, type HeaderTimeRecords } from './tables/header-times.ts';
import { jobLists, type JobLists } from './job-lists.ts';
import {
  createKnownCounts,
  createKnownRecords,
  type KnownRecords,
  createTreeCache,
  type TreeCache,
} from './caches.ts';
import { migrate } from './migrations.ts';
import { oldBuilds, type OldBuilds } from './old-builds.ts';
import { remoteAgents, type RemoteAgents } from './tables/remote-agents.ts';
import { rules, type Rules } from './tables/rules.ts';
import { waitingJobs, type WaitingJobs } from './tables/jobs.ts';
import { pipelines, type Pipelines } from './tables/pipelines.ts';
import { settings, type Settings } from './tables/settings.ts';

export interface Store {
  readonly accounts: Accounts;
  readonly pipelines: Pipelines;
  readonly builds: Builds;
  readonly jobs: JobLists;
  readonly waitingJobs: WaitingJobs;
  readonly agents: RemoteAgents;
  readonly oldBuilds: OldBuilds;
  readonly settings: Settings;
  readonly secrets: Secrets;
  readonly annotations: Annotations;
  readonly artifacts: Artifacts;
  readonly rules: Rules;
  readonly appliedRequests: AppliedRequests;
  readonly givenSecrets: GivenSecrets;
  readonly headerTimes: HeaderTimeRecords;
  readonly emojis: Emojis;
  readonly freePages: FreePages;
  transaction<T>(action: () => T): T;
  /** Makes the write-ahead log as small as possible. */
  checkpoint(): void;
  close(): void;
}

/**
 * Opens the store of a directory that is locked (`lock.ts`). Throws an error with the code of a corrupt
 * database if the database is empty although jobs have left logs: a new one would hide the loss.
 */
export function openStore(dataDir: string): Store {
  const file = join(dataDir, 'service.db');
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0 && hasEntries(join(dataDir, 'logs')))
    throw corrupt('service.db is empty or missing, but logs of jobs exist');
  const database = openDatabase(file);
  try {
    if (size <= soonChecked && database.get('pragma quick_check(1)')?.['quick_check'] !== 'ok')
      throw corrupt('database disk image is malformed');
    return storeOn(database);
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Bytes that are checked in some ten milliseconds. */
const soonChecked = 8 * 1024 * 1024;

const hasEntries = (folder: string): boolean =>
  existsSync(folder) && readdirSync(folder).length > 0;

const corrupt = (message: string): Error =>
  Object.assign(new Error(message), { code: 'SQLITE_CORRUPT' });

/** The store of a database, whose tables are brought up to date. */
export function storeOn(database: Database): Store {
  migrate(database);
  const trees = createTreeCache();
  const known = createKnownRecords();
  const counts = createKnownCounts();
  return {
    accounts: accounts(database, known),
    pipelines: pipelines(database, trees, known, counts),
    builds: builds(database, trees, counts),
    jobs: jobLists(database),
    waitingJobs: waitingJobs(database),
    agents: remoteAgents(database, known),
    oldBuilds: oldBuilds(database, trees, counts),
    settings: settings(database),
    secrets: secrets(database),
    annotations: annotations(database),
    artifacts: artifacts(database),
    rules: rules(database),
    appliedRequests: appliedRequests(database),
    givenSecrets: givenSecrets(database),
    headerTimes: headerTimes(database),
    emojis: emojis(database),
    freePages: freePages(database),
    transaction: (action) => transact(database, trees, known, action),
    checkpoint: () => database.exec('pragma wal_checkpoint(truncate)'),
    close: () => database.close(),
  };
}

/** One inside another belongs to the outer one, and is written with it. */
function transact<T>(
  database: Database,
  trees: TreeCache,
  known: KnownRecords,
  action: () => T,
): T {
  let isWritten = false;
  try {
    const result = database.transaction(action);
    isWritten = true;
    return result;
  } finally {
    if (!isWritten) known.clear();
    if (!database.isOpen()) trees.close(isWritten);
  }
}
