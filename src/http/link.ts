/**
 * The address of `rel="next"` in a `Link` header, or undefined where there is none. Addresses may
 * hold commas; relations may be several, unquoted, or in capitals.
 */
export function nextLink(header: string | undefined): string | undefined {
  for (const [, target, parameters = ''] of (header ?? '').matchAll(links)) {
    const [, quoted, plain] = relation.exec(parameters) ?? [];
    if (/(^|\s)next(\s|$)/i.test(quoted ?? plain ?? '')) return target;
  }
  return undefined;
}

const links = /<([^>]*)>((?:\s*;\s*[^\s;,="]+(?:\s*=\s*(?:"[^"]*"|[^\s;,"]*))?)*)/g;
const relation = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i;
