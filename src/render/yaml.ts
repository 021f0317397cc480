import { isLosslessNumber } from 'lossless-json';
import { libraryYaml } from './yaml-library.ts';
import { plainScalar } from './yaml-scalar.ts';

/**
 * A value as YAML 1.2 that readers of 1.1 understand alike. Control characters and bidi overrides
 * are written as escapes, which YAML wants and terminals need. Ends with a newline.
 *
 * The library takes a tenth of a millisecond for each value, so that it is asked only for those
 * whose form is not plain to see.
 */
export const toYaml = (value: unknown): string =>
  isFilled(value) ? block(value, '') : libraryYaml(value);

/** An array or object line by line; `indent` goes before every line but the first. */
function block(value: object, indent: string): string {
  let text = '';
  const add = (line: string): void => void (text += text === '' ? line : indent + line);
  if (Array.isArray(value)) for (const item of value as unknown[]) add(itemText(item, indent));
  else for (const [name, inner] of Object.entries(value)) add(entryText(name, inner, indent));
  return text;
}

function itemText(item: unknown, indent: string): string {
  if (isFilled(item)) return `- ${block(item, `${indent}  `)}`;
  const plain = plainScalar(item);
  return plain === undefined ? shift(libraryYaml([item]), indent) : `- ${plain}\n`;
}

function entryText(name: string, inner: unknown, indent: string): string {
  const key = isPlainName(name) ? `${name}:` : nameOf(name);
  // The long form of a name has one for its value too.
  if (isFilled(inner) && !key.startsWith('? '))
    return `${shift(key, indent)}\n${indent}  ${block(inner, `${indent}  `)}`;
  const plain = plainScalar(inner);
  if (plain !== undefined && key === `${name}:`) return `${key} ${plain}\n`;
  return shift(libraryYaml({ [name]: inner }), indent);
}

/** `name:`, or the long form of it. */
const nameOf = (name: string): string => libraryYaml({ [name]: 0 }).replace(/ 0\n$/, '');

const isPlainName = (name: string): boolean =>
  name.length < 100 && /^[\w.-]+$/.test(name) && plainScalar(name) === name;

/** Empty lines stay empty. */
const shift = (text: string, indent: string): string =>
  indent === '' ? text : text.replace(/\n(?!\n|$)/g, `\n${indent}`);

/** What takes lines of its own; a number too long for JavaScript is none. */
function isFilled(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || isLosslessNumber(value)) return false;
  for (const name in value) if (Object.hasOwn(value, name)) return true;
  return false;
}
