/** One transition of one build: written down, and noted what follows from it. */
import { isDone } from '../domain/job-states.ts';
import type { JobChange } from '../domain/job-list.ts';
import type { Build, Tree } from '../domain/records.ts';
import type { Store } from '../store/store.ts';
import { followBuild, followJob } from './engine-pending.ts';
import type { EngineState } from './engine-state.ts';

export type Transition = (tree: Tree) => Tree;

interface Written {
  readonly before: Tree;
  readonly after: Tree;
  readonly changes: readonly JobChange[];
}

/** Throws where the build is not there, and what the transition throws. */
export function change(engine: EngineState, buildId: string, transition: Transition): Tree {
  const written = writeTransition(engine.parts.store, buildId, transition);
  const { before, after, changes } = written;
  engine.storageError = null;
  for (const { before: old, after: job } of changes) {
    if (job.state === 'canceling' && old?.state !== 'canceling')
      engine.slots.find(({ jobId }) => jobId === job.id)?.running?.cancel();
    followJob(engine, after, job);
  }
  followBuild(engine, before, after);
  engine.feed.note(buildId, isOfStates(written) ? changes.map((one) => one.after.id) : null);
  if (listedOf(before.build) !== listedOf(after.build)) noteInLists(engine, after.build);
  return after;
}

/** For those who watch the builds of a pipeline, or the pipelines of an organization. */
export function noteInLists({ feed }: EngineState, build: Build): void {
  feed.note(build.pipelineId, [build.id]);
  feed.note(build.organizationId, [build.pipelineId]);
}

/** What lists show of a build and what changes, in a word. */
const listedOf = ({ state, blocked, startedAt, finishedAt }: Build): string =>
  [state, blocked, startedAt, finishedAt].join();

/** Nothing but the states of jobs has changed: no step, and no job more or less. */
const isOfStates = ({ before, after, changes }: Written): boolean =>
  before.plan === after.plan && changes.every((one) => one.before !== undefined);

const writeTransition = (store: Store, buildId: string, transition: Transition): Written =>
  store.transaction(() => {
    const before = store.builds.tree(buildId);
    if (before === undefined) throw new Error(`there is no build ${buildId}`);
    const after = transition(before);
    const changes = store.builds.update(before, after);
    for (const { before: old, after: job } of changes)
      // Those that run elsewhere have something to send yet (`agents/sweep.ts`).
      if (isDone(job) && old?.agent && old.agent.remote !== true)
        store.accounts.removeTokensOfJob(job.id);
    return { before, after, changes };
  });
