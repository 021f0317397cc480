import type { Annotation } from '../api/resources/annotation.ts';

/** The annotations that report something wrong: errors first, then the higher priority. */
export const warningAnnotations = (annotations: readonly Annotation[]): Annotation[] =>
  annotations
    .filter(({ style }) => style === 'error' || style === 'warning')
    .sort((a, b) => rank(a) - rank(b) || priority(b) - priority(a));

const rank = ({ style }: Annotation): number => (style === 'error' ? 0 : 1);

/** Specification, "Limits": 3 where it is left out. */
const priority = (annotation: Annotation): number => annotation.priority ?? 3;
