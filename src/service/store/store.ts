import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { accounts } from './tables/accounts.ts';
import { annotations } from './tables/annotations.ts';
import { appliedRequests } from './tables/applied-requests.ts';
import { artifacts } from './tables/artifacts.ts';
import { builds } from './tables/builds.ts';
import { freePages, openDatabase, type Database } from './database.ts';
import { emojis } from './tables/emojis.ts';
import { givenSecrets, secrets } from './tables/secrets.ts';
import { headerTimes } from './tables/header-times.ts';
import { jobLists } from './job-lists.ts';
import { createKnownCounts, createKnownRecords, createTreeCache } from './caches.ts';
import { migrate } from './migrations.ts';
import { oldBuilds } from './old-builds.ts';
import { remoteAgents } from './tables/remote-agents.ts';
import { rules } from './tables/rules.ts';
import { waitingJobs } from './tables/jobs.ts';
import { pipelines } from './tables/pipelines.ts';
import { settings } from './tables/settings.ts';

export type Store = ReturnType<typeof storeOn>;

/**
 * The caller must hold the lock on the data directory (`lock.ts`). If the database is empty but job
 * logs exist, throws the error for a corrupt database, because a new database would hide the loss.
 */
export function openStore(dataDir: string): Store {
  const file = join(dataDir, 'service.db');
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0 && hasEntries(join(dataDir, 'logs')))
    throw corrupt('service.db is empty or missing, but job logs exist');
  const database = openDatabase(file);
  try {
    if (size <= maxChecked && database.get('pragma quick_check(1)')?.['quick_check'] !== 'ok')
      throw corrupt('database disk image is malformed');
    return storeOn(database);
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Databases up to this size in bytes are checked. This takes about ten milliseconds at most. */
const maxChecked = 8 * 1024 * 1024;

const hasEntries = (folder: string): boolean =>
  existsSync(folder) && readdirSync(folder).length > 0;

const corrupt = (message: string): Error =>
  Object.assign(new Error(message), { code: 'SQLITE_CORRUPT' });

/** Opens the tables, after creating or updating the schema. */
export function storeOn(database: Database) {
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
    transaction: <T>(action: () => T): T => {
      let isWritten = false;
      try {
        const result = database.transaction(action);
        isWritten = true;
        return result;
      } finally {
        if (!isWritten) known.clear();
        // The trees of a nested transaction are written with the outer one.
        if (!database.isOpen()) trees.close(isWritten);
      }
    },
    checkpoint: () => database.exec('pragma wal_checkpoint(truncate)'),
    close: () => database.close(),
  };
}
