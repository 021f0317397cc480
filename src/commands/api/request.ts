import type { RawResponse } from '../../api/raw.ts';
import type { Handler, Input } from '../../command/command.ts';
import type { Context } from '../../context.ts';
import { mediaType } from '../../http/media-type.ts';
import { settle } from '../../log/settle.ts';
import { pump } from '../../log/stage.ts';
import { readRequest } from './read-request.ts';
import type { api } from './index.ts';

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
