/** What others may do with builds, the triggers of the engine itself included. */
import type { Tree } from '../domain/records.ts';
import { change, noteInLists, type Transition } from './engine-change.ts';
import { scheduleFill } from './engine-fill.ts';
import { followNew } from './engine-pending.ts';
import type { EngineState } from './engine-state.ts';
import { inTurn } from './engine-turns.ts';

export interface EngineHands {
  /** Takes a new build in. */
  add(tree: Tree): Tree;
  /** Applies a transition to a build and does what follows from it; gives the new state. */
  change(buildId: string, transition: Transition): Tree;
  /** Runs the action when those before it about the same thing have ended. */
  inTurn<T>(name: string, action: () => Promise<T>): Promise<T>;
}

export const handsOf = (engine: EngineState): EngineHands => ({
  add: (tree) => {
    engine.parts.store.builds.add(tree);
    followNew(engine, tree);
    noteInLists(engine, tree.build);
    scheduleFill(engine);
    return tree;
  },
  change: (buildId, transition) => {
    const tree = change(engine, buildId, transition);
    scheduleFill(engine);
    return tree;
  },
  inTurn: (name, action) => inTurn(engine.turns, name, action),
});
