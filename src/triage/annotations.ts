import type { Annotation } from '../api/resources/annotation.ts';

/** The annotations that report something wrong: errors first, then the higher priority. */
export const warningAnnotations = (annotations: readonly Annotation[]): Annotation[] =>
  annotations.filter(isWarning).sort(byWeight);

export const isWarning = ({ style }: Annotation): boolean =>
  style === 'error' || style === 'warning';

/** Errors first, then warnings, then all others; of those alike the higher priority first. */
export const byWeight = (a: Annotation, b: Annotation): number =>
  rank(a) - rank(b) || priority(b) - priority(a);

const rank = ({ style }: Annotation): number =>
  style === 'error' ? 0 : style === 'warning' ? 1 : 2;

/** Specification, "Limits": 3 where it is left out. */
const priority = (annotation: Annotation): number => annotation.priority ?? 3;
