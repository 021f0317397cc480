import type { OutputFormat } from '../parse/output-format.ts';
import type { Colors } from './colors.ts';
import type { DataStream } from './data-stream.ts';
import type { Resource } from '../api/resources/resource.ts';
import { nextTurn } from '../common/clock.ts';
import { usageError } from '../errors.ts';
import { checkFields, selectFields } from './fields.ts';

export interface OutputSettings {
  readonly output?: OutputFormat;
  readonly fields?: readonly string[];
  readonly jq?: string;
}

export interface PrintMessages {
  note(line: string): void;
  progress(text: string): { update(text: string): void; stop(): void };
}

export interface PrintContext extends ReturnType<typeof yamlStream> {
  /** The final format, which may depend on whether the output is a terminal */
  readonly format: OutputFormat;
  readonly settings: OutputSettings;
  /** Only for the properties of the terminal. Data goes through `write` */
  readonly stream: DataStream;
  readonly colors: Colors;
  readonly messages: PrintMessages;
  readonly clock: { now(): number };
  /** Aborting this signal stops long output, and its reason is thrown */
  readonly signal?: AbortSignal | undefined;
  write(data: string | Uint8Array): Promise<void>;
}

export function chooseFormat({ jq, output }: OutputSettings, isTerminal: boolean): OutputFormat {
  if (jq !== undefined) return output === 'jsonl' ? 'jsonl' : 'json';
  return output ?? (isTerminal ? 'table' : 'tsv');
}

/**
 * Usage error if `--fields` or `--jq` is invalid, before anything is sent. Before a change
 * (`mutates`), `--fields` only accepts names from the specification.
 */
export async function checkSettings(
  { fields, jq }: OutputSettings,
  resource: Resource | undefined,
  { mutates = false }: { readonly mutates?: boolean | undefined } = {},
): Promise<void> {
  if (fields !== undefined) {
    if (resource === undefined) throw usageError('this command does not support --fields');
    // New fields are not in the specification, so only the response can show whether they exist.
    const isOpen = resource.identity !== undefined && !mutates;
    (isOpen ? selectFields : checkFields)(resource, fields);
  }
  if (jq !== undefined) await (await import('./jq/jq.ts')).checkJq(jq);
}

/**
 * Writes values as documents of one YAML stream. Checks regularly whether the signal is aborted
 * and, if so, throws its reason.
 */
export function yamlStream(write: (text: string) => Promise<void>, signal?: AbortSignal) {
  let isFirst = true;
  /** Returns the separator before the next document. */
  const startYaml = (): string => {
    const start = isFirst ? '' : '---\n';
    isFirst = false;
    return start;
  };
  const writeYaml = async (value: unknown): Promise<void> => {
    const { yamlPieces } = await import('./yaml.ts');
    let text = startYaml();
    for (const piece of yamlPieces(value)) {
      text += piece;
      if (text.length < enough) continue;
      await write(text);
      text = '';
      await nextTurn();
      signal?.throwIfAborted();
    }
    await write(text);
  };
  return { startYaml, writeYaml };
}

const enough = 64 * 1024;
