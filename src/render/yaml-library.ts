import { isLosslessNumber } from 'lossless-json';
import { Document, Scalar, visit, type ScalarTag } from 'yaml';
import { escapeYaml } from '../common/untrusted-text.ts';

/** A value as YAML, all of it by the library. Ends with a newline. */
export function libraryYaml(value: unknown): string {
  const document = new Document(value, {
    aliasDuplicateObjects: false,
    customTags: [longNumber],
    compat: 'yaml-1.1',
  });
  visit(document, { Scalar: (_, scalar) => quoteDoubtful(scalar) });
  return escapeYaml(document.toString({ lineWidth: 0 }));
}

/** A number that JavaScript would round goes out digit by digit. */
const longNumber: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  identify: isLosslessNumber,
  resolve: Number,
  stringify: ({ value }) => String(value),
};

/** Escapes exist between double quotes alone. */
function quoteDoubtful(scalar: Scalar): void {
  const { value } = scalar;
  if (typeof value !== 'string') return;
  if (escapeYaml(value) !== value || isMisread(value)) scalar.type = Scalar.QUOTE_DOUBLE;
}

/** Readers of YAML 1.1 stop at a tab in a line without quotes, and have a type for `=`. */
const isMisread = (text: string): boolean =>
  text === '=' || (text.includes('\t') && !text.includes('\n'));
