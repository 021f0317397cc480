/** What agents print behind the command, by the names of its sections. */
import type { Header } from './sections.ts';

/** Sections behind it may have any name: hooks print them. */
export const isHookAfter = ({ name }: Pick<Header, 'name'>): boolean =>
  /^Running (?:.+ )?(?:post-command|pre-artifact|post-artifact|pre-exit) hook\b/i.test(name);

export const isUpload = ({ marker, name }: Header): boolean =>
  marker === '~~~' && /^Uploading artifacts\b/i.test(name);
