import type { RawResponse, RawRequest } from '../../api/raw.ts';
import type { Handler, Input } from '../../command/command.ts';
import type { Context } from '../../context.ts';
import { mediaType } from '../../http/headers.ts';
import { settle } from '../../log/settle.ts';
import { pump } from '../../log/stage.ts';
import type { api } from './index.ts';
import { stringifyJson } from '../../api/json.ts';
import { usageError } from '../../errors.ts';
import { fieldValues, readBytes } from '../read-value.ts';

type ApiInput = Input<typeof api>;

/** `cictl api PATH`: the body is printed whatever the status, which decides the exit code. */
export const sendRequest: Handler<typeof api> = async (input, context) => {
  const request = await readRequest(input, context);
  const client = await context.client();
  if (!input.paginate) return print(await client.raw(request), input, context);
  for await (const response of client.rawPages(request)) await print(response, input, context);
};

async function print(
  response: RawResponse,
  { include, silent, paginate }: ApiInput,
  context: Context,
): Promise<void> {
  if (include) await context.out.write(headLines(response));
  if (silent) await drain(response.body);
  else await printBody(response, paginate, context);
  if (response.failure !== undefined) throw response.failure();
}

const headLines = ({ status, headers }: RawResponse): string =>
  [
    `HTTP ${status}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '\n',
  ].join('\n');

/** Unchanged, unless another format was chosen; a terminal gets only printable text. */
async function printBody(response: RawResponse, isPage: boolean, context: Context): Promise<void> {
  const { out, settings } = context;
  const isJson = mediaType(response.headers).includes('json');
  const asked = settings.jq !== undefined || settings.output !== undefined;
  if ((asked && response.status < 400) || (out.isTerminal && isJson)) {
    const text = await textOf(response.body);
    return text === '' ? undefined : out.document(text);
  }
  let last: number | undefined;
  for await (const piece of out.isTerminal ? pump(response.body, settle()) : response.body) {
    await out.write(piece);
    last = piece.at(-1) ?? last;
  }
  // Pages that follow one another must not run into each other.
  const isOpen = last !== undefined && last !== newline;
  if (isOpen && (isPage || out.isTerminal)) await out.write('\n');
}

const newline = 0x0a;

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

async function drain(body: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const piece of body) if (piece.length < 0) return;
}

/**
 * The request that the flags describe: POST with a body, else GET; fields of a GET are its query.
 */
async function readRequest(input: ApiInput, context: Context): Promise<RawRequest> {
  const fields = await fieldValues(input, context);
  const hasFields = Object.keys(fields).length > 0;
  if (hasFields && input.input !== undefined) {
    throw usageError('--input and --field cannot be used together');
  }
  const hasBody = hasFields || input.input !== undefined;
  const method = input.method?.toUpperCase() ?? (hasBody ? 'POST' : 'GET');
  if (input.paginate && method !== 'GET') throw usageError('--paginate goes with GET alone');
  const headers = Object.fromEntries(input.header.map(header));
  if (isRead(method) && hasFields) return { method, path: withQuery(input.path, fields), headers };
  const body = hasFields ? stringifyJson(fields) : await bodyOf(input.input, context);
  if (isRead(method) && body !== undefined) throw usageError(`${method} has no body`);
  return { method, path: input.path, headers, ...(body !== undefined && { body }) };
}

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';

async function bodyOf(file: string | undefined, context: Context): Promise<Uint8Array | undefined> {
  if (file === undefined) return undefined;
  return file === '-' ? context.stdin.read('--input') : readBytes(file, context);
}

function header(text: string): [string, string] {
  const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*([^\r\n]*)$/.exec(text) ?? [];
  if (name === undefined || value === undefined) {
    throw usageError(`--header takes NAME: VALUE, not ${JSON.stringify(text)}`);
  }
  return [name, value];
}

function withQuery(path: string, fields: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) query.append(name, String(value));
  return `${path}${path.includes('?') ? '&' : '?'}${query.toString()}`;
}
