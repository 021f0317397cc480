import { buildName } from '../../../api/refs.ts';
import { safeHtml } from '../../../pages/build/safe-html.ts';
import { annotationMarkup } from '../../../pages/report/annotations.tsx';
import { cutHtml } from '../../../pages/report/cut-html.ts';
import { byWeight } from '../../../triage/annotations.ts';
import { byteLength, fairShares } from '../../../triage/byte-budget.ts';
import { quoted } from '../../../triage/quoted.ts';
import type { KeptAnnotation } from './annotations.ts';
import type { Gathered } from './gather.ts';
import { byteWords } from './notes.ts';

export interface AnnotationMarkup {
  /** Bytes of all that could be shown. */
  readonly wanted: number;
  /** As much of them as `most` bytes have room for. */
  fit(most: number): FittedAnnotations;
}

export interface FittedAnnotations {
  readonly markup: string;
  /** How many are not there at all. */
  readonly omitted: number;
}

type Link = (address: string | null | undefined) => string | undefined;

/** Annotations as markup: the weightiest stay, small ones whole, of large ones the beginning. */
export function markupOfAnnotations(
  { ref, annotations: read }: Pick<Gathered, 'ref' | 'annotations'>,
  link: Link,
): AnnotationMarkup {
  const { annotations, more } = 'value' in read ? read.value : { annotations: [], more: 0 };
  const made = annotations.map((annotation) => makeOne(annotation, link, buildName(ref)));
  return {
    wanted: made.reduce((sum, { size }) => sum + size, 0),
    fit(most) {
      const chosen = weightiest(made, most);
      const shares = fairShares(
        chosen.map(({ size }) => size),
        most,
      );
      const markup = chosen.map((one, at) => one.within(shares[at] ?? 0)).join('');
      return { markup, omitted: more + made.length - chosen.length };
    },
  };
}

interface Made {
  readonly annotation: KeptAnnotation;
  readonly size: number;
  within(most: number): string;
}

function makeOne(annotation: KeptAnnotation, link: Link, build: string): Made {
  const body = safeHtml(annotation.body_html, link);
  const note = `The rest of this annotation of ${byteWords(annotation.size)} is left out.`;
  const command = viewCommand(annotation, build);
  const whole = annotationMarkup({ annotation, body, ...(annotation.isCut && { note, command }) });
  return {
    annotation,
    size: byteLength(whole),
    within(most) {
      if (byteLength(whole) <= most) return whole;
      const frame = annotationMarkup({ annotation, body: '', note, command });
      const start = cutHtml(body, most - byteLength(frame));
      return annotationMarkup({ annotation, body: start, note, command });
    },
  };
}

/** As many of the weightiest as can say something each, in the order of the service. */
function weightiest(made: readonly Made[], most: number): Made[] {
  const chosen = new Set<Made>();
  let left = most;
  for (const one of [...made].sort((a, b) => byWeight(a.annotation, b.annotation))) {
    left -= Math.min(one.size, least);
    if (left < 0) break;
    chosen.add(one);
  }
  return made.filter((one) => chosen.has(one));
}

/** Bytes in which the frame of an annotation has room for some lines. */
const least = 4096;

/** Undefined where its context cannot be typed, or is not there as a whole. */
const viewCommand = ({ context }: KeptAnnotation, build: string): string | undefined =>
  context == null || context === '' || /[\x00-\x1f\x7f-\x9f]|… \[truncated\]$/.test(context)
    ? undefined
    : `cictl annotations view ${quoted(context)} --build ${quoted(build)}`;
