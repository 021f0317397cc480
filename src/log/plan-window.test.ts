import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LogOutline } from './log-index.ts';
import { planWindow, type Part, type WindowOptions } from './plan-window.ts';
import type { Marker } from './sections.ts';

const section = (line: number, marker: Marker = '---') => ({
  ...{ line, marker, name: `s${line}`, time: line * 1000, isOpened: false },
});
const named = (line: number, name: string) => ({ ...section(line, '~~~'), name });
const outlineOf = (lines: number, ...sections: ReturnType<typeof section>[]): LogOutline => ({
  ...{ lines, sections, size: 0, segments: [], lastTime: lines * 1000 },
});
const all = (outline: LogOutline, options: Partial<WindowOptions> = {}): WindowOptions => ({
  range: { from: 1, to: outline.lines + 1 },
  anchor: { side: 'before', line: outline.lines + 1 },
  ...{ opensLast: false, most: 100, ...options },
});

/**
 * `1-4`: lines, `(5-9)`: a gap, `[3 …]`: a section, `[3+ …]`: an open one, `[~3 …]`: one without
 * its header.
 */
const text = (parts: readonly Part[]): string =>
  parts
    .map(({ section: own, pieces }) => {
      const inside = pieces.map(({ kind, from, to }) =>
        kind === 'gap' ? `(${from}-${to - 1})` : `${from}-${to - 1}`,
      );
      if (own === undefined) return inside.join(' ');
      return `[${own.hasHeader ? '' : '~'}${own.line}${own.isOpen ? '+' : ''} ${inside.join(' ')}]`;
    })
    .join(' ');
const plan = (outline: LogOutline, options: Partial<WindowOptions> = {}): string =>
  text(planWindow(outline, all(outline, options)));

test.each<[string, LogOutline, Partial<WindowOptions>, string]>([
  ['nothing', outlineOf(0), {}, ''],
  ['all of a short log', outlineOf(9), {}, '1-9'],
  ['the end of a long one', outlineOf(1000), {}, '(1-900) 901-1000'],
  ['its beginning', outlineOf(1000), { anchor: { side: 'from', line: 1 } }, '1-100 (101-1000)'],
  [
    'lines around one',
    outlineOf(1000),
    { anchor: { side: 'at', line: 500 } },
    '(1-459) 460-559 (560-1000)',
  ],
  ['sections, the last one open', outlineOf(9, section(3), section(6)), {}, '1-2 [3 4-5] [6+ 7-9]'],
  [
    'what is open as it is',
    outlineOf(9, section(3, '+++'), section(6)),
    {},
    '1-2 [3+ 4-5] [6 7-9]',
  ],
  [
    'of a job that failed the last one too',
    outlineOf(9, section(3, '+++'), section(6)),
    { opensLast: true },
    '1-2 [3+ 4-5] [6+ 7-9]',
  ],
  [
    'the one of the command, and not the upload behind it',
    outlineOf(9, section(2), section(4), named(6, 'Uploading artifacts')),
    { opensLast: true },
    '1-1 [2 3-3] [4+ 5-5] [6 7-9]',
  ],
  [
    'the one of the command and hooks behind it',
    outlineOf(9, section(2), named(4, 'Running global pre-exit hook'), section(6)),
    { opensLast: true },
    '1-1 [2+ 3-3] [4+ 5-5] [6+ 7-9]',
  ],
  [
    'an upload where there is nothing else',
    outlineOf(9, named(1, 'Uploading artifacts')),
    { opensLast: true },
    '[1+ 2-9]',
  ],
  [
    'a long folded section as a gap, which takes no room',
    outlineOf(5000, section(2), section(4950)),
    {},
    '1-1 [2 (3-4949)] [4950+ 4951-5000]',
  ],
  [
    'a folded section that is asked for as open',
    outlineOf(5000, section(2), section(4950)),
    { anchor: { side: 'at', line: 1000 } },
    '(1-959) [~2+ 960-1059] (1060-5000)',
  ],
  [
    'what fills a gap in a section without the section',
    outlineOf(5000, section(2), section(4950)),
    { range: { from: 3, to: 4950 }, within: 2, anchor: { side: 'from', line: 3 } },
    '3-102 (103-4949)',
  ],
])('shows %s', (_, outline, options, expected) => {
  expect(plan(outline, options)).toBe(expected);
});

test('a section shows its duration', () => {
  const parts = planWindow(outlineOf(9, section(3), section(6)), all(outlineOf(9)));
  expect(parts.map((part) => part.section?.took)).toEqual([undefined, 3000, 3000]);
});

test('each line of any range appears once, and about as many as allowed are shown', () => {
  const logs = fc.record({
    lines: fc.integer({ min: 1, max: 3000 }),
    starts: fc.uniqueArray(fc.integer({ min: 1, max: 3000 }), { maxLength: 12 }),
    range: fc.tuple(fc.nat(3000), fc.nat(3000)),
    side: fc.constantFrom('from', 'before', 'at'),
    line: fc.nat(3001),
    opensLast: fc.boolean(),
  });
  fc.assert(
    fc.property(logs, ({ lines, starts, range: [one, other], side, line, opensLast }) => {
      const sections = starts.filter((at) => at <= lines).sort((a, b) => a - b);
      const outline = outlineOf(lines, ...sections.map((at) => section(at)));
      const from = Math.min(one, other, lines - 1) + 1;
      const to = Math.min(Math.max(one, other), lines) + 1;
      const anchor = { side, line };
      const parts = planWindow(outline, all(outline, { range: { from, to }, anchor, opensLast }));
      const places = parts.flatMap(({ section: own, pieces }) => [
        ...(own?.hasHeader === true ? [{ from: own.line, to: own.line + 1, kind: 'lines' }] : []),
        ...pieces,
      ]);
      let at = from;
      for (const place of places) {
        expect(place.from).toBe(at);
        expect(place.to).toBeGreaterThan(place.from);
        at = place.to;
      }
      expect(at).toBe(Math.max(from, to));
      const shown = places.filter(({ kind }) => kind === 'lines');
      const count = shown.reduce((sum, piece) => sum + piece.to - piece.from, 0);
      expect(count).toBeLessThanOrEqual(100 + 100 * sections.length);
    }),
  );
});
