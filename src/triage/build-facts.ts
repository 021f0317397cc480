/** What stands in the open members of a build, which differ between services. */
import type { Build } from '../api/resources/build.ts';

export const creatorOf = ({ creator, author }: Build): string | undefined =>
  creator?.name ?? memberText(author, 'name');

/** The number of the pull request, as text. */
export const pullRequestOf = ({ pull_request: value }: Build): string | undefined =>
  memberText(value, 'id');

/** `rebuilt from #6`, `triggered from deploy/7`; nothing of a build that has no such origin. */
export const originsOf = ({ rebuilt_from: rebuilt, triggered_from: triggered }: Build): string[] =>
  [origin('rebuilt from', rebuilt), origin('triggered from', triggered)].filter(
    (words) => words !== '',
  );

function origin(words: string, value: unknown): string {
  const number = memberText(value, 'number') ?? memberText(value, 'build_number');
  const slug = memberText(value, 'build_pipeline_slug');
  if (number === undefined) return '';
  return `${words} ${slug === undefined ? '#' : `${slug}/`}${number}`;
}

/** A member of an object of the service, as text; undefined where there is nothing. */
function memberText(value: unknown, name: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const found = (value as Readonly<Record<string, unknown>>)[name];
  const isText = typeof found === 'string' || typeof found === 'number';
  return isText && found !== '' ? String(found) : undefined;
}
