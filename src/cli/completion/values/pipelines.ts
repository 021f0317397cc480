/** The pipelines that have builds, that of the newest first. */
import type { Value } from './ask-service.ts';
import { references } from './builds.ts';
import type { Source } from './world.ts';

/** `PIPELINE`, or `ORG/PIPELINE` where no organization is known or one is typed. */
export const targets: Source = async (typed, parts) => {
  const newest = new Map<string, Value>();
  for (const { text, summary } of await references(typed, parts)) {
    const [, pipeline = '', number = ''] = /^(.*)\/(.*)$/.exec(text) ?? [];
    if (!newest.has(pipeline)) {
      newest.set(pipeline, { text: pipeline, summary: `${number} ${summary}` });
    }
  }
  return [...newest.values()];
};

/** The slugs alone, of the organization that is known, else of all. */
export const pipelines: Source = async (_typed, parts) =>
  (await targets('', parts)).map(({ text, ...rest }) => ({
    ...rest,
    text: text.replace(/^.*\//, ''),
  }));
