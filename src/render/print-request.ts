import type { PlannedRequest } from '../api/call.ts';
import { parseJson, stringifyJson } from '../api/json.ts';
import type { Output } from './output.ts';

interface Parts {
  readonly out: Output;
  readonly secrets: { readonly redact: (text: string) => string };
}

/** What `--dry-run` prints of a request: method, address and body; as JSON under `--json`. */
export async function printRequest(
  { method, url, body }: PlannedRequest,
  { out, secrets }: Parts,
): Promise<void> {
  if (out.format === 'table' || out.format === 'tsv') {
    return out.write(secrets.redact(`${method} ${url}\n${body === undefined ? '' : `${body}\n`}`));
  }
  const shownBody = body === undefined ? null : bodyValue(secrets.redact(body));
  return out.document(stringifyJson({ method, url: secrets.redact(url), body: shownBody }));
}

/** `api` may send what is no JSON. */
function bodyValue(body: string): unknown {
  try {
    return parseJson(body);
  } catch {
    return body;
  }
}
