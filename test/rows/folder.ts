/**
 * Where the tests of a run leave their names: one folder a run. Every part of a run, the workers
 * included, finds it through the environment variable, which the configuration sets.
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

/** What a run was asked for. */
export interface Chosen {
  /** Whether it is all test files. */
  readonly all: boolean;
  /** The test files, as paths from the top of the project. */
  readonly files: readonly string[];
  /** Whether tests are left out by their names. */
  readonly byName: boolean;
}

/** For the configuration, which is read in the process that has the whole run. */
export const folderOfRun = (): string => join(tmpdir(), `cictl-tests-ran-${pid}`);

/** Global set-up of the project that looks at the names when all the others have ended. */
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
