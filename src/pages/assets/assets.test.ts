import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { pageScript, pageStyleSheet } from './assets.ts';
import { lightScript, lightStyle } from './lighten.ts';

test('script and style sheet have at most 30 kB together', () => {
  const size = Buffer.byteLength(pageScript) + Buffer.byteLength(pageStyleSheet);
  expect(size).toBeLessThan(30_000);
});

const sources = (ending: string): [name: string, text: string][] =>
  readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith(ending))
    .map((name) => [name, readFileSync(join(import.meta.dirname, name), 'utf8')]);

test.each(sources('.js'))('%s works the same without comments and indentation', (_, text) => {
  const light = lightScript(text);
  expect(light.length).toBeLessThan(text.length);
  expect(printed(light)).toBe(printed(text));
});

const printed = (text: string): string =>
  ts
    .createPrinter({ removeComments: true })
    .printFile(ts.createSourceFile('a.js', text, ts.ScriptTarget.ESNext))
    // The minifier breaks lists and blocks where the source did.
    .replace(/\s*\n\s*/g, ' ')
    .replace(/([[(]) | (?=[\])])/g, '$1');

test.each(sources('.css'))('no string in %s has spaces that would be lost', (_, source) => {
  const texts = source.match(/'[^']*'|"[^"]*"/g) ?? [];
  expect(texts.filter((text) => lightStyle(text) !== text)).toEqual([]);
});

test('minifies a style sheet', () => {
  const text = `/* why */\na > a,\nb :is(c, d) {\n  width: calc(1px + 2px);\n  font:\n    1px/2 x,\n    y;\n}\n@media (max-width: 1px) {\n  e {\n    top: 0;\n  }\n}\n`;
  expect(lightStyle(text)).toBe(
    'a>a,b :is(c,d){width:calc(1px + 2px);font:1px/2 x,y}@media (max-width:1px){e{top:0}}',
  );
});
