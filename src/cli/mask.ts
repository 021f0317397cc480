/** Arguments that Commander would misread, and the placeholders it gets in their place. */
import { flagName, type Option } from '../command/command.ts';
import { webFlags } from '../commands/web-flags.ts';
import { globalOptions } from './globals.ts';

/** A switch with a value behind its `=`, as `--json=a,b`: Commander gets a separate switch. */
export interface InlineValue {
  readonly placeholder: string;
  /** Key of the switch. */
  readonly key: string;
  /** Key of the option that the value is for. */
  readonly valueKey: string;
  readonly value: string;
}

export interface Masked {
  readonly args: readonly string[];
  readonly inline: readonly InlineValue[];
  /** The argument that a placeholder stands for; any other text as it is. */
  unmask(text: string): string;
}

/** `isWord` says which arguments are words, whatever they look like. */
export function mask(args: readonly string[], isWord: (arg: string) => boolean): Masked {
  const inline: InlineValue[] = [];
  const originals = new Map<string, string>();
  const masked = args.map((arg, index) => {
    if (!arg.startsWith('-')) return arg;
    const value = isWord(arg) ? undefined : inlineValue(arg, index);
    if (value !== undefined) inline.push(value);
    const placeholder = value?.placeholder ?? (isWord(arg) ? `\0${index}` : withoutRepeats(arg));
    if (placeholder !== arg) originals.set(placeholder, arg);
    return placeholder;
  });
  return { args: masked, inline, unmask: (text) => originals.get(text) ?? text };
}

function inlineValue(arg: string, index: number): InlineValue | undefined {
  const [, name, value] = /^--([^=\s]+)=(.*)$/s.exec(arg) ?? [];
  const found = inlineSwitches.find(([key]) => flagName(key) === name);
  if (found === undefined || value === undefined) return undefined;
  const [key, valueKey] = found;
  return { placeholder: `--${flagName(key)}-${index}`, key, valueKey, value };
}

/** Of all commands: which one is meant is not known yet. */
const inlineSwitches = Object.entries<Option>({ ...globalOptions, ...webFlags }).flatMap(
  ([key, option]) =>
    option.value === undefined && option.inline !== undefined
      ? [[key, option.inline] as const]
      : [],
);

/** A switch says no more when it is repeated, and a long bundle takes Commander long. */
const withoutRepeats = (arg: string): string =>
  arg.length > 64 && switches.test(arg) ? `-${[...new Set(arg.slice(1))].join('')}` : arg;

const letters = Object.values(globalOptions).flatMap((option) =>
  'short' in option && !('value' in option) ? [option.short] : [],
);
const switches = new RegExp(`^-[${letters.join('')}]+$`);
