/** Contexts of the annotations of a build. */
import { git } from '../../../common/git.ts';
import { parseBuild } from '../../../refs/parse-reference.ts';
import { valuesOf } from '../line.ts';
import type { Question } from './ask-service.ts';
import { objectsOf, textIn } from './members.ts';
import type { Parts, Source } from './world.ts';

export const contexts: Source = async (typed, parts) => {
  const build = await buildPath(parts);
  return build === undefined ? [] : parts.ask(annotationsOf(build), typed);
};

/** The build that is named on the line or in the settings, else the newest of the branch. */
async function buildPath(parts: Parts): Promise<(string | number)[] | undefined> {
  const { line, settings } = parts;
  const [first] = line.command?.arguments['build'] === undefined ? [] : line.words;
  const named =
    valuesOf(line, 'build')[0] ?? first ?? settings.build ?? settings.surroundingJob?.build;
  const parsed = named === undefined ? undefined : parseBuild(named);
  const { org = settings.org ?? '', pipeline = settings.pipeline ?? '', number } = parsed ?? {};
  const list = ['v2', 'organizations', org, 'pipelines', pipeline, 'builds'];
  if (typeof number === 'number') return [...list, number];
  const branch = parsed === undefined ? await branchOf(parts) : undefined;
  if (parsed === undefined && branch === undefined) return undefined;
  const [newest] = await parts.ask(newestBuild(list, branch), '');
  return newest === undefined ? undefined : [...list, newest.text];
}

const branchOf = async ({ settings, world }: Parts): Promise<string | undefined> =>
  settings.branch ?? (await git.branch(world.cwd));

const newestBuild = (path: readonly string[], branch: string | undefined): Question => ({
  ...({ api: 'rest', path, freshFor: 10_000 } as const),
  query: { per_page: 1, ...(branch !== undefined && { branch: [branch] }) },
  pick: (response) =>
    objectsOf(response).map((build) => ({ text: textIn(build, 'number'), summary: '' })),
});

const annotationsOf = (build: readonly (string | number)[]): Question => ({
  ...({ api: 'rest', freshFor: 10_000 } as const),
  path: [...build, 'annotations'],
  query: { per_page: 100 },
  pick: (response) =>
    objectsOf(response).map((annotation) => {
      const style = textIn(annotation, 'style');
      const words = textIn(annotation, 'body_html').replace(/<[^>]*>/g, ' ');
      return { text: textIn(annotation, 'context'), summary: `${style}  ${words}` };
    }),
});
