import type { Annotation } from '../api/resources/annotation.ts';
import { cleanLine } from '../common/untrusted-text.ts';

/** The annotations that report a problem: errors before warnings, each by descending priority. */
export const warningAnnotations = (annotations: readonly Annotation[]): Annotation[] =>
  annotations.filter(isWarning).sort(byWeight);

export const isWarning = ({ style }: Annotation): boolean =>
  style === 'error' || style === 'warning';

/** Sorts errors first, then warnings, then all others. Within a style, by descending priority. */
export const byWeight = (a: Annotation, b: Annotation): number =>
  rank(a) - rank(b) || priority(b) - priority(a);

const rank = ({ style }: Annotation): number =>
  style === 'error' ? 0 : style === 'warning' ? 1 : 2;

/** The API's default priority is 3. */
const priority = (annotation: Annotation): number => annotation.priority ?? 3;

/** For example, `annotations: 1 error, 2 warnings`, worst first. Empty if there are none. */
export function annotationWords(annotations: readonly Annotation[]): string {
  const counts = countStyles(annotations);
  const parts = [...counts].map(([style, count]) => `${count} ${nounOf(style, count)}`);
  return parts.length === 0 ? '' : `annotations: ${parts.join(', ')}`;
}

export function countStyles(annotations: readonly Annotation[]): Map<string, number> {
  const counts = new Map<string, number>();
  const styles = annotations.map(({ style }) => cleanLine(style ?? ''));
  for (const style of order) {
    const isOther = style === 'other';
    const count = styles.filter((one) => one === style || (isOther && !order.includes(one))).length;
    if (count > 0) counts.set(style, count);
  }
  return counts;
}

const order = ['error', 'warning', 'success', 'info', 'other'];

const nounOf = (style: string, count: number): string =>
  count > 1 && (style === 'error' || style === 'warning') ? `${style}s` : style;
