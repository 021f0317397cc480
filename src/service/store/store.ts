/** Everything that lasts: the database of a data folder. */
import { join } from 'node:path';
import { accounts, type Accounts } from './accounts.ts';
import { annotations, type Annotations } from './annotations.ts';
import { builds, type Builds } from './builds.ts';
import { openDatabase } from './database.ts';
import { emojis, type Emojis } from './emojis.ts';
import { jobLists, type JobLists } from './job-lists.ts';
import { migrate } from './migrations.ts';
import { rules, type Rules } from './rules.ts';
import { pipelines, type Pipelines } from './pipelines.ts';

export interface Store {
  readonly accounts: Accounts;
  readonly pipelines: Pipelines;
  readonly builds: Builds;
  readonly jobs: JobLists;
  readonly annotations: Annotations;
  readonly rules: Rules;
  readonly emojis: Emojis;
  transaction<T>(action: () => T): T;
  close(): void;
}

/** Opens the store of a folder that is locked (`lock.ts`). */
export function openStore(dataDir: string): Store {
  const database = openDatabase(join(dataDir, 'service.db'));
  migrate(database);
  return {
    accounts: accounts(database),
    pipelines: pipelines(database),
    builds: builds(database),
    jobs: jobLists(database),
    annotations: annotations(database),
    rules: rules(database),
    emojis: emojis(database),
    transaction: (action) => database.transaction(action),
    close: () => database.close(),
  };
}
