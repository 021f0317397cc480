/** What an argument looks like: a build, a job of a build, or anything else. */
export type Shape = 'build' | 'job' | 'other';

export function shapeOf(text: string): Shape {
  if (/^https?:\/\//i.test(text)) {
    if (!/\/builds\/\d+/.test(text)) return 'other';
    return /#.|[?&]jid=.|\/jobs\/./.test(text) ? 'job' : 'build';
  }
  const [build = '', job] = text.split(/#(.*)/s);
  if (!/^(?:[^/\s]+\/){0,2}(?:\d+|latest)$/.test(build)) return 'other';
  return job ? 'job' : 'build';
}

/** The build of a job: `web/141` of `web/141#unit`. */
export const buildOf = (text: string): string =>
  /^https?:/i.test(text) ? text : (text.split('#')[0] ?? '');
