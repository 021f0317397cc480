import { readFileSync } from 'node:fs';
import { type Flag, type Given } from './command.ts';
import { note } from './speak.ts';

/** By what `if_changed` of an uploaded pipeline is judged. */
export const changesFlags: readonly Flag[] = [
  {
    name: 'apply-if-changed',
    env: ['BUILDKITE_AGENT_APPLY_IF_CHANGED', 'BUILDKITE_AGENT_APPLY_SKIP_IF_UNCHANGED'],
    help: 'Judge `if_changed` (default); with =false such steps run',
  },
  {
    name: 'git-diff-base',
    value: 'revision',
    env: ['BUILDKITE_GIT_DIFF_BASE'],
    help: 'What `if_changed` compares with',
  },
  {
    name: 'changed-files-path',
    value: 'file',
    env: ['BUILDKITE_CHANGED_FILES_PATH'],
    help: 'A list of changed files, one a line, in place of git',
  },
  {
    name: 'fetch-diff-base',
    env: ['BUILDKITE_FETCH_DIFF_BASE'],
    help: 'Noticed: nothing is fetched here',
  },
];

/** The members of an upload that these flags stand for. */
export function changesOf(given: Given): object {
  if (given.has('apply-if-changed') && !given.on('apply-if-changed'))
    return { ignore_changes: true };
  if (given.on('fetch-diff-base'))
    note(given, '--fetch-diff-base: nothing is fetched, the base counts as it is here');
  const path = given.text('changed-files-path');
  if (path !== '') return filesIn(given, path);
  const base = given.text('git-diff-base');
  return base === '' ? {} : { diff_base: base };
}

/** As with public agents, no step is left out for a list that is missing. */
function filesIn(given: Given, path: string): object {
  try {
    const lines = readFileSync(path, 'utf8').split(/\r?\n/);
    return { changed_files: lines.map((line) => line.trim()).filter((line) => line !== '') };
  } catch (error) {
    note(
      given,
      `Couldn't read changed files from ${path}, not skipping any steps: ${(error as Error).message}`,
    );
    return { ignore_changes: true };
  }
}
