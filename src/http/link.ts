/**
 * The address of `rel="next"` in a `Link` header, or undefined where there is none. Addresses may
 * hold commas; relations may be several, unquoted, or in capitals.
 */
export function nextLink(header: string | undefined): string | undefined {
  for (const [, target, parameters = ''] of (header ?? '').matchAll(links)) {
    if (/(^|\s)next(\s|$)/i.test(relationOf(parameters))) return target;
  }
  return undefined;
}

/** The first `rel` counts (RFC 8288); one inside the text of another parameter is none. */
function relationOf(parameters: string): string {
  for (const [, name, quoted, plain] of parameters.matchAll(parameter)) {
    if (name?.toLowerCase() === 'rel') return quoted ?? plain ?? '';
  }
  return '';
}

const parameterForm = String.raw`;\s*([^\s;,="]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?`;
const parameter = new RegExp(parameterForm, 'g');
const links = new RegExp(`<([^>]*)>((?:\\s*${parameterForm})*)`, 'g');
