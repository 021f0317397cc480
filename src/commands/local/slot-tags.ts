import { usageError } from '../../errors.ts';

/**
 * The tags of `--tags queue=default,os=linux`, which may stand several times; undefined where it does
 * not. Without a queue among them it is `default`. Code 2 for what is no `KEY=VALUE`.
 */
export function slotTags(given: readonly string[]): string[] | undefined {
  if (given.length === 0) return undefined;
  const tags = given
    .flatMap((text) => text.split(','))
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
  const wrong = tags.find((tag) => !/^[^=]+=./.test(tag));
  if (wrong !== undefined)
    throw usageError(`--tags takes KEY=VALUE,KEY=VALUE, not ${JSON.stringify(wrong)}`);
  const unique = [...new Set(tags)];
  return unique.some((tag) => tag.startsWith('queue=')) ? unique : ['queue=default', ...unique];
}
