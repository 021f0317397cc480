import { buffer } from 'node:stream/consumers';
import { stringifyJson } from '../../api/json.ts';
import type { RawResponse, RawRequest } from '../../api/raw.ts';
import type { Handler, Input } from '../../command/command.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { mediaType } from '../../http/headers.ts';
import { settle } from '../../log/settle.ts';
import { pump } from '../../log/stage.ts';
import { fieldValues, readBytes } from '../read-value.ts';
import type { api } from './index.ts';

type ApiInput = Input<typeof api>;

/** Prints the response body even for an error status. The status determines the exit code. */
export const sendRequest: Handler<typeof api> = async (input, context) => {
  const request = await readRequest(input, context);
  const client = await context.client();
  if (!input.paginate) return print(await client.raw(request), input, context);
  for await (const response of client.rawPages(request)) await print(response, input, context);
};

async function print(response: RawResponse, input: ApiInput, context: Context): Promise<void> {
  const { body, status, headers, failure } = response;
  if (input.include) {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`);
    await context.out.write(`HTTP ${status}\n${lines.join('')}\n`);
  }
  if (input.silent) await drain(body);
  else await printBody(response, input.paginate, context);
  if (failure !== undefined) throw failure();
}

async function drain(body: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const chunk of body) if (chunk.length < 0) return;
}

/** Prints the body unchanged unless a format was given. A terminal only gets printable text. */
async function printBody(response: RawResponse, isPage: boolean, context: Context): Promise<void> {
  const { out, settings } = context;
  const isJson = mediaType(response.headers).includes('json');
  const hasFormat = settings.jq !== undefined || settings.output !== undefined;
  if ((hasFormat && response.status < 400) || (out.isTerminal && isJson)) {
    const text = (await buffer(response.body)).toString();
    return text === '' ? undefined : out.document(text);
  }
  let last: string | number | undefined;
  for await (const chunk of out.isTerminal ? pump(response.body, settle()) : response.body) {
    await out.write(chunk);
    last = chunk.at(-1) ?? last;
  }
  // The next page must start on a new line.
  const isOpen = last !== undefined && last !== newline;
  if (isOpen && (isPage || out.isTerminal)) await out.write('\n');
}

const newline = 0x0a;

/** The method is POST if there is a body, otherwise GET. A GET sends the fields as its query. */
async function readRequest(input: ApiInput, context: Context): Promise<RawRequest> {
  const fields = await fieldValues(input, context);
  const hasFields = Object.keys(fields).length > 0;
  if (hasFields && input.input !== undefined)
    throw usageError('--input and --field cannot be used together');
  const hasBody = hasFields || input.input !== undefined;
  const method = input.method?.toUpperCase() ?? (hasBody ? 'POST' : 'GET');
  if (input.paginate && method !== 'GET') throw usageError('--paginate requires a GET request');
  const headers = Object.fromEntries(input.header.map(parseHeader));
  const isRead = method === 'GET' || method === 'HEAD';
  if (isRead && hasFields) return { method, path: withQuery(input.path, fields), headers };
  const body = hasFields ? stringifyJson(fields) : await readInput(input.input, context);
  if (isRead && body !== undefined) throw usageError(`a ${method} request cannot have a body`);
  return { method, path: input.path, headers, ...(body !== undefined && { body }) };
}

async function readInput(file: string | undefined, context: Context) {
  if (file === undefined) return undefined;
  return file === '-' ? context.stdin.read('--input') : readBytes(file, context);
}

function parseHeader(text: string): [string, string] {
  const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*([^\r\n]*)$/.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw usageError(`--header must be NAME: VALUE, not ${JSON.stringify(text)}`);
  return [name, value];
}

function withQuery(path: string, fields: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) query.append(name, String(value));
  return `${path}${path.includes('?') ? '&' : '?'}${query.toString()}`;
}
