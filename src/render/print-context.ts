import type { OutputFormat } from '../parse/output-format.ts';
import type { Colors } from './colors.ts';
import type { DataStream } from './data-stream.ts';
import type { Resource } from '../api/resources/resource.ts';
import { usageError } from '../errors.ts';
import { checkFields, selectFields } from './fields.ts';

/** The settings that decide on the form of data. */
export interface OutputSettings {
  readonly output?: OutputFormat;
  readonly fields?: readonly string[];
  readonly jq?: string;
}

/** Messages that printing writes beside the data; see `terminal/messages.ts`. */
export interface PrintMessages {
  note(line: string): void;
  progress(text: string): { update(text: string): void; stop(): void };
}

/** What printing needs besides the data. */
export interface PrintContext extends YamlStream {
  /** The form after the decision between terminal and pipe. */
  readonly format: OutputFormat;
  readonly settings: OutputSettings;
  /** Properties of the terminal; data goes through `write`. */
  readonly stream: DataStream;
  readonly colors: Colors;
  readonly messages: PrintMessages;
  readonly clock: { now(): number };
  /** Ends what may run long; its reason is thrown. */
  readonly signal?: AbortSignal | undefined;
  write(data: string | Uint8Array): Promise<void>;
}

/**
 * The form that data takes: `--jq` implies JSON, an explicit choice comes next, and without one a
 * terminal gets a table and a pipe TSV.
 */
export function chooseFormat(
  settings: { readonly output?: OutputFormat; readonly jq?: string },
  isTerminal: boolean,
): OutputFormat {
  if (settings.jq !== undefined) return settings.output === 'jsonl' ? 'jsonl' : 'json';
  return settings.output ?? (isTerminal ? 'table' : 'tsv');
}

/**
 * Throws `CictlError` of kind `usage` for `--fields` and `--jq` that cannot work, before anything
 * is sent. Without a resource there is nothing that `--fields` could select from. Before a change
 * (`mutates`), a name has to be one of the specification.
 */
export async function checkSettings(
  { fields, jq }: OutputSettings,
  resource: Resource | undefined,
  { mutates = false }: { readonly mutates?: boolean | undefined } = {},
): Promise<void> {
  if (fields !== undefined) {
    if (resource === undefined) throw usageError('--fields does not apply to this command');
    // What a service sends may have members that are not described; only its response shows.
    const isOpen = resource.identity !== undefined && !mutates;
    (isOpen ? selectFields : checkFields)(resource, fields);
  }
  if (jq !== undefined) await (await import('./jq/jq.ts')).checkJq(jq);
}

/**
 * Values as the documents of one stream of YAML: from the second on `---` parts them. Between two
 * pieces signals are heard; the signal's reason is then thrown.
 */
export function yamlStream(
  write: (text: string) => Promise<void>,
  signal?: AbortSignal,
): YamlStream {
  let isFirst = true;
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

interface YamlStream {
  /** What stands before one more document. */
  startYaml(): string;
  /** One more document. */
  writeYaml(value: unknown): Promise<void>;
}

const enough = 64 * 1024;

/** A write to a file is done at once, and would let nothing else come in between. */
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
