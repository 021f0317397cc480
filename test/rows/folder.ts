/**
 * The directory in which the tests of a run record their names. All processes of the run find it
 * through the environment variable, which the configuration sets.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { pid } from 'node:process';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    chosen: Chosen;
  }
}

/** What was requested to run. */
export interface Chosen {
  /** Whether all test files run. */
  readonly all: boolean;
  /** The test files, as paths relative to the project root. */
  readonly files: readonly string[];
  /** Whether tests are filtered by name. */
  readonly byName: boolean;
}

/** For the configuration, which is read in the main process of the run. */
export const folderOfRun = (): string => join(tmpdir(), `cictl-tests-ran-${pid}`);

/** Global setup of the project that checks the names after all others have finished. */
export async function setup(project: TestProject): Promise<() => void> {
  const folder = folderOfRun();
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  project.provide('chosen', await choice(project.vitest));
  return () => rmSync(folder, { recursive: true, force: true });
}

async function choice(vitest: TestProject['vitest']): Promise<Chosen> {
  const paths = new Set(vitest.state.getPaths());
  const every = await vitest.globTestSpecifications();
  return {
    all: every.every(({ moduleId }) => paths.has(moduleId)),
    files: [...paths].map((path) => relative(vitest.config.root, path)),
    byName: vitest.getGlobalTestNamePattern() !== undefined || vitest.config.watch,
  };
}
