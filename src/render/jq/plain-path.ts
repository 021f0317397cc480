/**
 * Evaluates plain paths, such as `.number`, `.[].web_url` and `.[] | .a["b"][0]`, without the jq
 * engine, which takes longer to start than a request. Leaves unusual programs and data to the
 * engine.
 */

/** A field name, an index, or `undefined` for `[]`. */
type Step = string | number | undefined;

export const isPlainPath = (program: string): boolean => plainPath.test(program);

/**
 * Returns what jq would print for a plain path: strings raw, other values as JSON. Undefined if the
 * engine has to run the program.
 */
export function runPlainPath(
  program: string,
  json: string,
  { indent }: { readonly indent: boolean },
): string[] | undefined {
  if (!isPlainPath(program)) return undefined;
  const document: unknown = JSON.parse(json);
  if (JSON.stringify(document) !== json && unusualNumber.test(json)) return undefined;
  let values: unknown[] | undefined = [document];
  for (const step of stepsOf(program)) values = values && select(values, step);
  const texts = values?.map((value) => textOf(value, indent));
  return texts?.every((text) => text !== undefined) === true ? texts : undefined;
}

const member = String.raw`\.[A-Za-z_]\w*`;
const inBrackets = String.raw`\[(?:0|-?[1-9]\d{0,8}|"[ !#-[\]-~]*")?\]`;
/** Matches `.` too, but not `..`. */
const part = String.raw`(?:${member}|\.(?!\.))(?:${member}|\.?${inBrackets})*`;
const plainPath = new RegExp(String.raw`^\s*${part}(?:\s*\|\s*${part})*\s*$`);

function stepsOf(program: string): Step[] {
  const steps = program.matchAll(/\.([A-Za-z_]\w*)|\[("[^"]*"|-?\d+)?\]/g);
  return Array.from(steps, ([, name, index]) =>
    index === undefined ? name : (JSON.parse(index) as string | number),
  );
}

function select(values: readonly unknown[], step: Step): unknown[] | undefined {
  const selected: unknown[] = [];
  for (const value of values) {
    if (step === undefined) {
      if (!Array.isArray(value)) return undefined;
      for (const element of value as unknown[]) selected.push(element);
    } else if (value === null) selected.push(null);
    else if (Array.isArray(value) !== (typeof step === 'number')) return undefined;
    else if (Array.isArray(value)) selected.push(value.at(Number(step)) ?? null);
    else if (typeof value !== 'object') return undefined;
    else selected.push(Object.hasOwn(value, step) ? value[step as keyof typeof value] : null);
  }
  return selected;
}

function textOf(value: unknown, indent: boolean): string | undefined {
  if (typeof value === 'string') return value;
  const text = JSON.stringify(value, undefined, indent ? 2 : undefined);
  return unusualOutput.test(text) ? undefined : text;
}

/**
 * A number that `JSON.parse` may round, or that jq writes differently. Only numbers of up to 15
 * digits are safe, without an exponent and without a zero at the end of a fraction. May also match
 * inside a string.
 */
const unusualNumber =
  /(?:^|[[,:\s])(?!(?:\d|-[1-9])\d{0,14}(?:[\],}\s]|$)|-?\d{1,9}\.\d{0,5}[1-9](?:[\],}\s]|$))-?\d[\d.eE+-]*(?:[\],}\s]|$)/;

/** An exponent, a name that JavaScript moves to the front, or a character that jq escapes. */
const unusualOutput = /(?:^|[[:,\s])-?[\d.]+e[+-]|"\d+":|\x7f/;
