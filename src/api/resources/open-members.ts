/** What stands in the open members of a build, which differ between services. */
import type { Build } from './build.ts';

/** The name of who made it, else of who wrote its commit. */
export const creatorOf = ({ creator, author }: Build): string | undefined =>
  creator?.name ?? memberText(author, 'name');

/** The number of the pull request, as text. */
export const pullRequestOf = ({ pull_request: value }: Build): string | undefined =>
  memberText(value, 'id');

/** A member of an object of the service, as text; undefined where there is nothing. */
export function memberText(value: unknown, name: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const found = (value as Readonly<Record<string, unknown>>)[name];
  const isText = typeof found === 'string' || typeof found === 'number';
  return isText && found !== '' ? String(found) : undefined;
}
