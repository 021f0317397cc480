import { expect, test } from 'vitest';
import { plain, restyle } from '../style.ts';
import { contrast, readable, dark, light, variable, type Scheme } from './colours.ts';
import { pageStyle } from './page.ts';
import { spans } from './span.ts';
import { sample, some } from '../../../test/support/full.ts';

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
const dressed = (parameters: string): { open: string; close: string } => {
  const { open, close } = spans()(restyle(plain, parameters));
  return { open: text(open), close: text(close) };
};

test.each([
  ['31', '<span style="color:var(--c1)">'],
  ['1;3;4;9', '<b><i><u><strike>'],
  ['53', '<span style="text-decoration:overline">'],
  ['95', '<span style="color:var(--c13)">'],
  ['30;47', '<span style="color:#010409"><span style="background-color:#d0d7de">'],
  ['41', '<span style="color:#ffffff"><span style="background-color:#b62324">'],
  ['48;2;1;2;3', '<span style="color:#ffffff"><span style="background-color:#010203">'],
  [
    '7',
    '<span style="color:light-dark(#ffffff,#0d1117)"><span style="background-color:light-dark(#1f2328,#e6edf3)">',
  ],
  ['7;38;2;0;0;0', '<span style="color:#ffffff"><span style="background-color:#000000">'],
  ['5;8', ''],
])('styles %s', (parameters, expected) => {
  const { open, close } = dressed(parameters);
  expect(open).toBe(expected);
  const closed = [...open.matchAll(/<(\w+)/g)].map(([, tag]) => `</${tag}>`).reverse();
  expect(close).toBe(closed.join(''));
});

test('handles any number of styles without keeping them all', () => {
  let span = spans()(plain);
  for (let colour = 0; colour < some(20_000); colour++) {
    span = span.after(`38;2;${colour & 255};${colour >> 8};7`);
    expect(text(span.open)).toMatch(/^<span style="color:[^"]+">$/);
  }
  expect(text(span.after('').open)).toBe('');
});

const ground = (kind: number): string[] => [
  ...Array.from({ length: 8 }, (_, index) => String(kind + index)),
  ...Array.from({ length: 8 }, (_, index) => String(kind + 60 + index)),
];
const indexed = (code: number): string[] =>
  Array.from({ length: 256 }, (_, index) => `${code};5;${index}`);
const steps = [0, 60, 120, 127, 180, 255];
const mixed = (code: number): string[] =>
  steps.flatMap((r) => steps.flatMap((g) => steps.map((b) => `${code};2;${r};${g};${b}`)));

const inks = ['39', ...ground(30)];
const grounds = ['49', ...ground(40), ...indexed(48), ...mixed(48)];

test.each([
  ['every text on every background', inks.flatMap((ink) => grounds.map((one) => `${ink};${one}`))],
  ['every colour as text', [...indexed(38), ...mixed(38)]],
  [
    'colours of two kinds',
    mixed(38).flatMap((ink) => ['48;5;100', '107'].map((one) => `${ink};${one}`)),
  ],
])('%s is readable, faint and inverse too, in both schemes', (_, looks) => {
  const spanOf = spans();
  const unreadable: string[] = [];
  for (const look of sample(looks)) {
    for (const more of ['', ';2', ';7', ';2;7']) {
      const open = text(spanOf(restyle(plain, look + more)).open);
      for (const scheme of [light, dark]) {
        for (const behind of [scheme.ground, scheme.marked]) {
          if (ratio(open, scheme, behind) < 4.5) unreadable.push(`${look}${more} ${open}`);
        }
      }
    }
  }
  expect(unreadable).toEqual([]);
});

/** The contrast as computed by a browser. */
function ratio(open: string, scheme: Scheme, behind: string): number {
  const ink = /"color:([^"]+)/.exec(open)?.[1];
  const own = /"background-color:([^"]+)/.exec(open)?.[1];
  return wcag(resolve(ink, scheme, scheme.ink), resolve(own, scheme, behind));
}

function resolve(value: string | undefined, scheme: Scheme, otherwise: string): string {
  if (value === undefined) return otherwise;
  const [, inLight = '', inDark = ''] = /light-dark\((.*),(.*)\)/.exec(value) ?? [];
  if (inLight !== '') return scheme === light ? inLight : inDark;
  const [, index] = /var\(--c(\d+)\)/.exec(value) ?? [];
  return index === undefined ? value : (scheme.inks[Number(index)] ?? '');
}

/** Implemented again from the recommendation, independent of the code under test. */
function wcag(one: string, other: string): number {
  const luminance = (colour: string): number => {
    const linear = [0, 1, 2].map((at) => {
      const value = Number.parseInt(colour.slice(1 + 2 * at, 3 + 2 * at), 16) / 255;
      return value <= 0.04045 ? value / 12.92 : Math.pow((value + 0.055) / 1.055, 2.4);
    });
    return 0.2126 * (linear[0] ?? NaN) + 0.7152 * (linear[1] ?? NaN) + 0.0722 * (linear[2] ?? NaN);
  };
  const [dim = 0, bright = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (bright + 0.05) / (dim + 0.05);
}

test.each([
  ['#000000', '#ffffff', 21],
  ['#ffffff', '#ffffff', 1],
  ['#767676', '#ffffff', 4.54],
])('the contrast of %s on %s is %d', (ink, behind, expected) => {
  expect(contrast(ink, behind)).toBeCloseTo(expected, 2);
  expect(wcag(ink, behind)).toBeCloseTo(expected, 2);
});

test('readable colors stay unchanged', () => {
  expect(readable('#123456', '#ffffff')).toBe('#123456');
});

test.each([
  ['light', light],
  ['dark', dark],
])('all text of the %s page is readable on its background', (_, scheme) => {
  const { ground: page, marked, bar, ink, quiet, link, good, bad, busy, inks: sixteen } = scheme;
  for (const colour of [ink, quiet, link, ...sixteen])
    for (const behind of [page, marked]) expect(wcag(colour, behind)).toBeGreaterThanOrEqual(4.5);
  for (const colour of [ink, quiet, link]) expect(wcag(colour, bar)).toBeGreaterThanOrEqual(4.5);
  for (const colour of [good, bad, busy]) expect(wcag(colour, page)).toBeGreaterThanOrEqual(4.5);
});

test('the page defines the variables of both schemes, and other colors only for matches', () => {
  for (const scheme of [light, dark])
    scheme.inks.forEach((ink, index) => expect(pageStyle).toContain(`${variable(index)}: ${ink};`));
  const [inLight = '', inDark = ''] = pageStyle.split('prefers-color-scheme: dark');
  expect([inLight.includes(light.ground), inDark.includes(dark.ground)]).toEqual([true, true]);
  const rules = pageStyle.replace(/--\w+: #\w+;/g, '');
  expect(rules.match(/#\w{3,8}\b/g)).toEqual(['#ffd33d', '#000000']);
  expect(wcag('#000000', '#ffd33d')).toBeGreaterThanOrEqual(4.5);
  expect(pageStyle).not.toMatch(/opacity: (?!1;)/);
});
