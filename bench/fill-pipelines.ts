/** The two pipelines of a filled data directory. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newPipeline } from '../src/service/domain/new-pipeline.ts';
import type { Pipeline } from '../src/service/domain/records.ts';
import type { Store } from '../src/service/store/store.ts';

/** Creates them if they are missing, each with a directory and a file with two steps. */
export function pipelinesIn(store: Store, dataDir: string): Pipeline[] {
  const organization = store.accounts.organization('local');
  if (organization === undefined) throw new Error('there is no organization "local"');
  return ['web', 'api'].map((slug) => {
    const found = store.pipelines.find(organization.id, slug);
    const folder = join(dataDir, 'checkouts', slug);
    return found ?? addPipeline(store, organization.id, slug, folder, twoSteps);
  });
}

const twoSteps = 'steps:\n  - command: make\n    key: make\n  - command: make test\n';

/** Registers a pipeline with a directory that contains this file. */
export function addPipeline(
  store: Store,
  organizationId: string,
  slug: string,
  folder: string,
  text: string,
): Pipeline {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'pipeline.yml');
  writeFileSync(file, text);
  const pipeline = newPipeline({
    ...{ id: randomUUID(), organizationId, slug, folder, file, repository: folder },
    ...{ restricted: false, defaultBranch: 'main', createdAt: Date.now() },
    webhookUrl: `http://127.0.0.1:1/webhooks/${slug}`,
  });
  store.pipelines.add(pipeline);
  return pipeline;
}
