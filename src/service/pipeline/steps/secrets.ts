import { isStandard } from '../environment.ts';
import type { StepSecret } from '../plan.ts';
import { isNull, text, type Reading } from '../reading.ts';
import type { Entry, SourcePosition, Value } from '../value.ts';

/** Reads `secrets`: a mapping `VARIABLE: name`, or a list of names that are also variable names. */
export function readSecrets(reading: Reading, entry: Entry | undefined): StepSecret[] {
  if (entry === undefined || isNull(entry.value)) return [];
  const { value } = entry;
  if (value.kind === 'list') return value.items.flatMap((item) => readItem(reading, item));
  if (value.kind === 'mapping')
    return [...value.entries.values()].flatMap((one) => {
      const key = isNull(one.value) ? one.key : text(reading, one.value, `\`${one.key}\``);
      return secret(reading, one.at, { variable: one.key, key });
    });
  reading.problem(value.at, '`secrets` must be a list of names, or a mapping `VARIABLE: name`');
  return [];
}

function readItem(reading: Reading, item: Value): StepSecret[] {
  if (item.kind !== 'mapping') {
    const key = text(reading, item, 'a secret');
    return secret(reading, item.at, { variable: key, key });
  }
  // The form that `buildkite-agent pipeline upload` sends.
  const key = item.entries.get('key');
  const variable = item.entries.get('environment_variable') ?? key;
  if (key && variable && item.entries.size <= 2)
    return secret(reading, item.at, {
      key: text(reading, key.value, '`key`'),
      variable: text(reading, variable.value, `\`${variable.key}\``),
    });
  reading.problem(item.at, 'a secret must be a name, or have `key` and `environment_variable`');
  return [];
}

function secret(reading: Reading, at: SourcePosition, one: StepSecret): StepSecret[] {
  const { variable } = one;
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(variable))
    reading.problem(
      at,
      `\`${variable}\` is not a valid variable name (use only letters, digits and _)`,
    );
  else if (isStandard(variable))
    reading.problem(at, `\`${variable}\` is set by the service and cannot be a secret`);
  else return [one];
  return [];
}

/** Combines the secrets of the pipeline and the step. The step's secrets take precedence. */
export const mergeSecrets = (
  inherited: readonly StepSecret[],
  own: readonly StepSecret[],
): StepSecret[] => {
  const variables = new Set(own.map(({ variable }) => variable));
  return [...inherited.filter(({ variable }) => !variables.has(variable)), ...own];
};
