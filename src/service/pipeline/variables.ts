/** `env` of a pipeline or a step: a mapping, or a list of `NAME=value`. */
import { isStandard } from './environment.ts';
import { keyText, text, type Reading } from './reading.ts';
import type { Entry, SourcePosition, Value } from './value.ts';

/**
 * Reads variables in order. `each` gets every variable as soon as it is known, so that the
 * ones after it may use it.
 */
export function readVariables(
  reading: Reading,
  entry: Entry | undefined,
  each: (name: string, value: string) => unknown,
): void {
  if (entry === undefined) return;
  for (const [name, value, at] of pairs(reading, entry.value)) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
      reading.problem(at, `\`${name}\` is no name of a variable (letters, digits and _ alone)`);
    } else if (isStandard(name)) {
      reading.notice(at, `\`${name}\` is set by the service, so the value here has no effect`);
    } else {
      each(name, value);
    }
  }
}

function* pairs(reading: Reading, value: Value): Generator<[string, string, SourcePosition]> {
  if (value.kind === 'mapping') {
    for (const entry of value.entries.values()) {
      const name = keyText(reading, entry);
      yield [name, text(reading, entry.value, `the value of \`${name}\``), entry.at];
    }
  } else if (value.kind === 'list') {
    for (const item of value.items) yield* pair(reading, item);
  } else if (!value.isNull) {
    reading.problem(value.at, '`env` must be a mapping or a list of `NAME=value`');
  }
}

function* pair(reading: Reading, item: Value): Generator<[string, string, SourcePosition]> {
  const whole = text(reading, item, 'an entry of `env`');
  const equals = whole.indexOf('=');
  if (equals > 0) yield [whole.slice(0, equals), whole.slice(equals + 1), item.at];
  else if (item.kind === 'scalar') reading.problem(item.at, `\`${whole}\` must be \`NAME=value\``);
}
