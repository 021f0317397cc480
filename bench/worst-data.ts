/** Adds the data of the slowest requests to a filled data directory. */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStore, type Store } from '../src/service/store/store.ts';
import type { Artifact, Tree } from '../src/service/domain/records.ts';
import { addPipeline } from './fill-pipelines.ts';
import { addBuild } from './fill-store.ts';

/** What the requests need to know: the URL of the job with a long log. */
export interface Worst {
  readonly log: string;
}

/**
 * Adds 100 builds with 500 jobs to the pipeline `wide`, of which the first has 100 annotations of 1
 * MiB, 100,000 artifacts and a log of 64 MiB; and `ten-thousand`, whose file has that many steps.
 */
export function addWorst(dataDir: string): Worst {
  const store = openStore(dataDir);
  try {
    const id = store.accounts.organization('local')?.id ?? '';
    const folder = (slug: string): string => join(dataDir, 'checkouts', slug);
    const wide = addPipeline(store, id, 'wide', folder('wide'), 'steps: [command: make]\n');
    addPipeline(store, id, 'ten-thousand', folder('ten-thousand'), tenThousand);
    const trees = store.transaction(() =>
      Array.from({ length: 100 }, (_, n) => addBuild(store, wide, n, { builds: 100, jobs: 500 })),
    );
    const [first] = trees as [Tree];
    store.transaction(() => {
      for (let n = 0; n < 100; n++) addAnnotation(store, first, n);
      for (let n = 0; n < 100_000; n++) store.artifacts.add(artifact(first, n), 'all');
    });
    const job = first.jobs[0]?.id ?? '';
    writeFileSync(
      join(dataDir, 'logs', `${job}.log`),
      line.repeat((64 * 1024 * 1024) / line.length),
    );
    return { log: `/v2/organizations/local/pipelines/wide/builds/1/jobs/${job}` };
  } finally {
    store.close();
  }
}

const tenThousand = JSON.stringify({
  steps: Array.from({ length: 10_000 }, (_, n) => ({ command: `make ${n}`, key: `step-${n}` })),
});

/** 64 characters, with colors. */
const line = `\x1b[31mred\x1b[0m and ${'"plain"'.repeat(6)}\n`.padStart(64, '.');

const mebibyte = 1024 * 1024;

function addAnnotation(store: Store, { build }: Tree, n: number): void {
  const text = 'A line of "text".\n'.repeat(mebibyte / 18);
  store.annotations.put({
    ...{ id: randomUUID(), buildId: build.id, context: `context-${n}`, style: 'info', priority: 3 },
    ...{ body: text, html: `<pre>${text}</pre>`, createdAt: n, updatedAt: n },
  });
}

const artifact = ({ build, jobs }: Tree, n: number): Artifact => ({
  ...{ id: randomUUID(), buildId: build.id, jobId: jobs[0]?.id ?? '', state: 'finished' },
  ...{ path: `reports/${n}.xml`, absolutePath: `/tmp/reports/${n}.xml`, globPath: '*.xml' },
  ...{ fileSize: n, sha1: '0'.repeat(40), sha256: '0'.repeat(64), contentType: 'text/xml' },
  ...{ secret: randomUUID(), createdAt: n },
});
