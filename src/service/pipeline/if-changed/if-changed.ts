import { matchesGlob, type Glob } from './glob.ts';

/** `if_changed` of a step, its patterns read. */
export interface IfChanged {
  readonly include: readonly Glob[];
  readonly exclude: readonly Glob[];
}

/** Whether one of the files is meant: by a pattern of `include`, and by none of `exclude`. */
export const holdsFor = ({ include, exclude }: IfChanged, files: readonly string[]): boolean =>
  files.some(
    (file) =>
      include.some((glob) => matchesGlob(glob, file)) &&
      !exclude.some((glob) => matchesGlob(glob, file)),
  );
