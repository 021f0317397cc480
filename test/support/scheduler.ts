/** The scheduler of the built-in service with its own directory, without HTTP or processes. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { addOrganization, addUser } from '../../src/service/accounts.ts';
import { newPipeline } from '../../src/service/domain/new-pipeline.ts';
import type { Build, Pipeline } from '../../src/service/domain/records.ts';
import { usualAgentTimes, type EngineParts } from '../../src/service/scheduler/engine-state.ts';
import { createEngine } from '../../src/service/scheduler/engine.ts';
import { makeBuild, type BuildOrder } from '../../src/service/scheduler/make-build.ts';
import { openLogPieces, openLogs } from '../../src/service/store/logs.ts';
import { openStore, type Store } from '../../src/service/store/store.ts';
import { urlsOf } from '../../src/service/urls.ts';
import { scriptedRunner } from '../service/scripted-runner.ts';
import { tickingClock } from '../service/ticking-clock.ts';
import { addEmptyDatabase } from './empty-database.ts';

export type Scheduler = ReturnType<typeof useScheduler>;

export const order: BuildOrder = {
  ...{ commit: 'HEAD', branch: 'main', message: 'm', author: null, env: {}, metaData: {} },
  ...{ cleanCheckout: false, ignoreBranchFilters: false, pullRequest: null, creatorId: null },
};

/**
 * A scheduler with the organization `local`, the user Ann and the pipeline `p`; not yet started.
 */
export function useScheduler(given: Partial<EngineParts> = {}, open = openStore) {
  const top = mkdtempSync(join(tmpdir(), 'cictl-scheduler-'));
  const folder = join(top, 'checkout');
  mkdirSync(folder);
  addEmptyDatabase(top);
  const opened = open(top);
  let fault: Error | null = null;
  const store: Store = {
    ...opened,
    transaction: (action) => {
      if (fault !== null) throw fault;
      return opened.transaction(action);
    },
  };
  /** Makes writes fail with this error until it is null again. */
  const failWrites = (error: Error | null): void => {
    fault = error;
  };
  const runner = scriptedRunner();
  let ids = 0;
  const logs = openLogs(top);
  const parts: EngineParts = {
    ...{
      store,
      logs,
      logPieces: openLogPieces(top, logs),
      urls: urlsOf('http://127.0.0.1:1'),
      clock: tickingClock(),
    },
    ...{ newId: () => `id-${++ids}`, runner, slots: 2, workspaces: join(top, 'workspaces') },
    ...{ path: ['/shim'], host: {}, agents: usualAgentTimes },
    ...given,
  };
  const engine = createEngine(parts);
  onTestFinished(async () => {
    await engine.stop(true);
    store.close();
    rmSync(top, { recursive: true });
  });
  return {
    dataDir: top,
    folder,
    parts,
    store,
    failWrites,
    runner,
    engine,
    ...usePipeline(parts, engine, folder),
  };
}

function usePipeline(parts: EngineParts, engine: ReturnType<typeof createEngine>, folder: string) {
  const { store } = parts;
  const organization = addOrganization(parts, 'local', 'Local');
  const membership = { organizationId: organization.id, role: 'admin' } as const;
  const user = addUser(parts, 'Ann', 'ann@x', [membership]);
  const pipeline = newPipeline({
    ...{ id: 'pipeline', organizationId: organization.id, slug: 'p', folder, file: null },
    ...{ repository: folder, restricted: false, defaultBranch: 'main' },
    ...{ webhookUrl: '', createdAt: 0 },
  });
  store.pipelines.add(pipeline);
  const steps = (text: string) => {
    writeFileSync(join(folder, 'pipeline.yml'), `steps: [${text}]`);
  };
  /** Creates a build from the pipeline's file, for a pipeline with these fields. */
  const build = (wanted: Partial<BuildOrder> = {}, members: Partial<Pipeline> = {}) => {
    const location = { organization, pipeline: { ...pipeline, ...members } };
    return makeBuild({ ...parts, engine }, location, { ...order, ...wanted });
  };
  /** Adds a pipeline to the organization, in the same directory. */
  const addPipeline = (slug: string, members: Partial<Pipeline> = {}): Pipeline => {
    const added = { ...pipeline, id: `pipeline-${slug}`, slug, ...members };
    store.pipelines.add(added);
    return added;
  };
  /** `BUILD STATE: JOB STATES`. */
  const states = ({ id }: Build): string => {
    const tree = store.builds.tree(id);
    return `${tree?.build.state}: ${tree?.jobs.map(({ state }) => state).join(' ')}`;
  };
  return { organization, user, pipeline, addPipeline, steps, build, states };
}

/** Waits until the condition holds, checking once per turn of the event loop. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await setImmediate();
}
