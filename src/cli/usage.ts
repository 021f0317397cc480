/** How a command and its options are written, for its help and its manual page. */
import { flagName, type Argument, type Command, type Option } from '../command/command.ts';

/** `cictl builds view [BUILD] [flags]`. */
export function usage(command: Command): string {
  const words = Object.entries(command.arguments).map(([key, argument]) =>
    argumentUsage(key, argument),
  );
  const rest = command.passThrough === undefined ? '' : ` [-- ${command.passThrough}]`;
  return `${['cictl', command.name, ...words, '[flags]'].join(' ')}${rest}`;
}

function argumentUsage(key: string, argument: Argument): string {
  const word = `${key.toUpperCase()}${argument.variadic ? '...' : ''}`;
  return argument.required ? word : `[${word}]`;
}

/** The forms of a flag, `-s` and `--state`. */
export const optionForms = (key: string, { short }: Option): string[] => [
  ...(short === undefined ? [] : [`-${short}`]),
  `--${flagName(key)}`,
];

/** What an option does, with the values it takes. */
export function optionSummary(option: Option): string {
  if (option.value === undefined) return option.summary;
  const notes = [
    ...(option.choices ? [option.choices.join(', ')] : []),
    ...(option.repeat ? ['repeatable'] : []),
    ...(option.fallback === undefined ? [] : [`default ${option.fallback}`]),
  ];
  return notes.length > 0 ? `${option.summary} (${notes.join('; ')})` : option.summary;
}
