import type { Annotation } from '../../../api/resources/annotation.ts';
import { shallowHtml } from '../../../pages/build/shallow-html.ts';
import { byWeight } from '../../../triage/annotations.ts';
import { cutText, fairShares } from '../../../triage/limits.ts';

/** An annotation with what a report needs of it. */
export interface KeptAnnotation extends Annotation {
  /** The beginning, where the whole is too long. */
  readonly body_html: string;
  /** Bytes of the whole body. */
  readonly size: number;
  readonly isCut: boolean;
}

/** The weightiest annotations of a build, in the order of the service. */
export interface KeptAnnotations {
  readonly annotations: readonly KeptAnnotation[];
  /** How many there are beside those. */
  readonly more: number;
}

export interface AnnotationStore {
  add(annotation: Annotation): void;
  kept(): KeptAnnotations;
}

/** Of however many annotations, however long, it never remembers more than some megabytes. */
export function annotationStore(): AnnotationStore {
  let numbered: Numbered[] = [];
  let size = 0;
  let count = 0;

  return {
    add(annotation) {
      const kept = shortened(annotation, largest);
      numbered.push({ at: count++, kept });
      size += kept.body_html.length;
      if (numbered.length >= 2 * most || size > 2 * mostCharacters) choose();
    },
    kept() {
      choose();
      const annotations = [...numbered].sort((a, b) => a.at - b.at).map(({ kept }) => kept);
      return { annotations, more: count - annotations.length };
    },
  };

  function choose(): void {
    const weightiest = [...numbered].sort((a, b) => byWeight(a.kept, b.kept) || a.at - b.at);
    const left = weightiest.slice(0, most);
    const shares = fairShares(
      left.map(({ kept }) => kept.body_html.length),
      mostCharacters,
    );
    numbered = left.map(({ at, kept }, index) => ({
      at,
      kept: shortened(kept, shares[index] ?? 0),
    }));
    size = numbered.reduce((sum, { kept }) => sum + kept.body_html.length, 0);
  }
}

interface Numbered {
  readonly at: number;
  readonly kept: KeptAnnotation;
}

/** Nobody reads more of them on one page. */
const most = 200;
/** Of a body: parsers take a multiple of it in memory. */
const largest = 256 * 1024;
const mostCharacters = 8 * 1024 * 1024;
/** Bytes; the API takes no longer ones (Specification, "Limits"). */
const longestName = 256;

function shortened(annotation: Annotation | KeptAnnotation, length: number): KeptAnnotation {
  const { id, context, style, priority, body_html: whole } = annotation;
  const body = whole ?? '';
  const start = shallowHtml(body.length <= length ? body : htmlStart(body, length));
  const known = 'size' in annotation ? annotation : { size: Buffer.byteLength(body), isCut: false };
  return {
    ...{
      id: cutText(id ?? '', longestName).text,
      style: style ?? '',
      body_html: start,
      size: known.size,
    },
    ...(context !== undefined && { context: cutText(context ?? '', longestName).text }),
    ...(priority !== undefined && { priority }),
    isCut: known.isCut || start.length < body.length,
  };
}

/** A copy: a part would keep the whole in memory. Without a tag or an entity that was cut. */
const htmlStart = (html: string, length: number): string =>
  Buffer.from(html.slice(0, length))
    .toString()
    .replace(/\ufffd$/, '')
    .replace(/<[^<>]{0,4096}$|&#?\w{0,32}$/, '');
