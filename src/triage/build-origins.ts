import { type Build, memberText } from '../api/resources/build.ts';

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
