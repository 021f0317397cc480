import { isLosslessNumber } from 'lossless-json';
import { Document, Scalar, visit, type ScalarTag } from 'yaml';
import { escapeJson } from './text.ts';

/**
 * A value as YAML 1.2 that readers of 1.1 understand alike. Control characters and bidi overrides
 * are written as escapes, which YAML wants and terminals need. Ends with a newline.
 */
export function toYaml(value: unknown): string {
  const document = new Document(value, {
    aliasDuplicateObjects: false,
    customTags: [longNumber],
    compat: 'yaml-1.1',
  });
  visit(document, { Scalar: (_, scalar) => quoteUnprintable(scalar) });
  return escapeJson(document.toString({ lineWidth: 0 }));
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
function quoteUnprintable(scalar: Scalar): void {
  if (typeof scalar.value !== 'string' || escapeJson(scalar.value) === scalar.value) return;
  scalar.type = Scalar.QUOTE_DOUBLE;
}
