import type { RawRequest } from '../../api/raw.ts';
import { stringifyJson } from '../../api/json.ts';
import type { Input } from '../../command/command.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { fieldValues } from '../fields.ts';
import { readBytes } from '../read-value.ts';
import type { api } from './index.ts';

type ApiInput = Input<typeof api>;

/**
 * The request that the flags describe: POST with a body, else GET; fields of a GET are its query.
 */
export async function readRequest(input: ApiInput, context: Context): Promise<RawRequest> {
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
