/** Everything that lasts: the database of a data folder. */
import { join } from 'node:path';
import { accounts, type Accounts } from './accounts.ts';
import { annotations, type Annotations } from './annotations.ts';
import { appliedRequests, type AppliedRequests } from './applied-requests.ts';
import { artifacts, type Artifacts } from './artifacts.ts';
import { builds, type Builds } from './builds.ts';
import { openDatabase, type Database } from './database.ts';
import { emojis, type Emojis } from './emojis.ts';
import { givenSecrets, type GivenSecrets } from './given-secrets.ts';
import { headerTimes, type HeaderTimeRecords } from './header-times.ts';
import { jobLists, type JobLists } from './job-lists.ts';
import { createKnownRecords, type KnownRecords } from './known-records.ts';
import { migrate } from './migrations.ts';
import { oldBuilds, type OldBuilds } from './old-builds.ts';
import { remoteAgents, type RemoteAgents } from './remote-agents.ts';
import { rules, type Rules } from './rules.ts';
import { waitingJobs, type WaitingJobs } from './waiting-jobs.ts';
import { pipelines, type Pipelines } from './pipelines.ts';
import { secrets, type Secrets } from './secrets.ts';
import { settings, type Settings } from './settings.ts';
import { createTreeCache, type TreeCache } from './tree-cache.ts';

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
  transaction<T>(action: () => T): T;
  close(): void;
}

/** Opens the store of a folder that is locked (`lock.ts`). */
export const openStore = (dataDir: string): Store =>
  storeOn(openDatabase(join(dataDir, 'service.db')));

/** The store of a database, whose tables are brought up to date. */
export function storeOn(database: Database): Store {
  migrate(database);
  const trees = createTreeCache();
  const known = createKnownRecords();
  return {
    accounts: accounts(database, known),
    pipelines: pipelines(database, trees, known),
    builds: builds(database, trees),
    jobs: jobLists(database),
    waitingJobs: waitingJobs(database),
    agents: remoteAgents(database, known),
    oldBuilds: oldBuilds(database, trees),
    settings: settings(database),
    secrets: secrets(database),
    annotations: annotations(database),
    artifacts: artifacts(database),
    rules: rules(database),
    appliedRequests: appliedRequests(database),
    givenSecrets: givenSecrets(database),
    headerTimes: headerTimes(database),
    emojis: emojis(database),
    transaction: (action) => transact(database, trees, known, action),
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
