import { dark, light, variable, type Scheme } from './theme.ts';

const names = [
  'ink',
  'ground',
  'marked',
  'bar',
  'rule',
  'quiet',
  'link',
  'good',
  'bad',
  'busy',
] as const;

const variables = (scheme: Scheme): string =>
  [
    ...names.map((name) => `--${name}: ${scheme[name]};`),
    ...scheme.inks.map((ink, index) => `${variable(index)}: ${ink};`),
  ].join(' ');

/** The colours of both schemes as variables: `var(--ink)`, `var(--c1)`. */
export const themeStyle = `
:root { color-scheme: light dark; ${variables(light)} }
@media screen and (prefers-color-scheme: dark) { :root { ${variables(dark)} } }
`;
