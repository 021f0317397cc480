/** Runs a case as a user would: `cictl run`, then the actions, then reads the results. */
import { callAdmin } from '../../src/service/admin.ts';
import { builtCictl as cictl } from '../support/cli.ts';
import type { Home } from '../support/home.ts';
import { allBuilds, type Case, type Action } from './case-file.ts';
import { outcomeOf, type Outcome } from './outcome.ts';
import type { Scene } from './set-up.ts';
import { withService } from './with-service.ts';

export interface Ran {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The exit codes of the watches after each action. */
  readonly watched: readonly number[];
  /** By `PIPELINE/NUMBER`; the checkout's build first, if one was created. */
  readonly outcomes: ReadonlyMap<string, Outcome>;
}

export async function runCase(home: Home, scene: Scene, { expected }: Case): Promise<Ran> {
  const { checkout: cwd, env } = scene;
  await addPipelines(home, scene);
  const words = expected.run?.split(' ') ?? [];
  const ran = await cictl(['run', '--json', ...words], { home, cwd, env });
  const { exitCode: exit, stdout, stderr } = ran;
  const outcomes = new Map<string, Outcome>();
  if (expected.build === undefined) return { exit, stdout, stderr, watched: [], outcomes };
  return withService(home, env, async ({ ask, leading }) => {
    const watched: number[] = [];
    for (const step of expected.then ?? []) watched.push(await act(home, leading, step));
    for (const [ref, asked] of Object.entries(allBuilds(expected)))
      outcomes.set(ref, await outcomeOf(ask, ref, asked).catch(withWords(exit, stderr)));
    return { exit, stdout, stderr, watched, outcomes };
  });
}

/** If there is no outcome, the run has reported why. */
const withWords =
  (exit: number, stderr: string) =>
  (error: unknown): never => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${reason}; cictl run exited with ${exit}: ${stderr}`, { cause: error });
  };

/** Adds pipelines that the checkout's pipeline may trigger. */
async function addPipelines(home: Home, { env, pipelines }: Scene): Promise<void> {
  if (pipelines.size === 0) return;
  await withService(home, env, async ({ state }) => {
    for (const [slug, folder] of pipelines)
      await callAdmin(state, 'POST', '/organizations/local/pipelines', { slug, folder });
  });
}

async function act(home: Home, env: Scene['env'], action: Action): Promise<number> {
  const { exitCode, stderr } = await cictl([...wordsOf(action), '--yes'], { home, env });
  if (exitCode !== 0) throw new Error(`${wordsOf(action).join(' ')}: ${stderr}`);
  return (await cictl(['builds', 'watch', 'demo/1'], { home, env })).exitCode;
}

const wordsOf = ({ unblock, fields = {}, retry }: Action): string[] =>
  unblock === undefined
    ? ['job', 'retry', `demo/1#${retry ?? ''}`]
    : [
        ...['job', 'unblock', `demo/1#${unblock}`],
        ...Object.entries(fields).flatMap(([key, values]) =>
          [values].flat().flatMap((value) => ['--field', `${key}=${value}`]),
        ),
      ];
