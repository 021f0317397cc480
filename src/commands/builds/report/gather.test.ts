import { expect, test } from 'vitest';
import type { Annotation } from '../../../api/resources/annotation.ts';
import { annotationStore } from './gather.ts';

const keptOf = (annotations: Iterable<Annotation>) => {
  const store = annotationStore();
  for (const annotation of annotations) store.add(annotation);
  return store.kept();
};

test('keeps few items in order', () => {
  const annotations = ['info', 'error', 'success'].map((style, at) => ({
    ...{ id: `${at}`, style, context: `c${at}`, body_html: `<p>${style}</p>`, priority: at + 1 },
  }));
  const { annotations: kept, more } = keptOf(annotations);
  expect(more).toBe(0);
  expect(kept).toEqual(
    annotations.map((one) => ({ ...one, size: one.body_html.length, isCut: false })),
  );
});

test('keeps the most important of many', () => {
  const many = Array.from({ length: 10_000 }, (_, at) => ({
    ...{ id: `${at}`, body_html: `${at}` },
    style: at % 100 === 50 ? 'error' : 'info',
    priority: at === 9000 ? 10 : 3,
  }));
  const { annotations, more } = keptOf(many);
  expect([annotations.length, more]).toEqual([200, 9800]);
  expect(annotations.filter(({ style }) => style === 'error')).toHaveLength(100);
  expect(annotations.map(({ id }) => id)).toContain('9000');
  const places = annotations.map(({ id }) => Number(id));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
});

test('keeps some megabytes in total, the start of each', () => {
  function* long() {
    for (let at = 0; at < 300; at++)
      yield {
        id: `${at}`,
        style: 'info',
        body_html: `<p>${at}: some <b>text</b></p>`.repeat(4_000),
      };
  }
  const { annotations } = keptOf(long());
  const lengths = annotations.map(({ body_html: html }) => html.length);
  expect(annotations).toHaveLength(200);
  expect(lengths.reduce((sum, length) => sum + length, 0)).toBeLessThanOrEqual(8 * 1024 * 1024);
  expect(Math.min(...lengths)).toBeGreaterThan(30_000);
  for (const { isCut, size, body_html: html } of annotations) {
    expect([isCut, size > 100_000]).toEqual([true, true]);
    expect(html).not.toMatch(/<[^>]*$/);
  }
});
