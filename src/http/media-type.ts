type Headers = Readonly<Record<string, string>>;

/** What `Content-Type` says, without parameters and in lower case; empty where it says nothing. */
export const mediaType = (headers: Headers): string =>
  (headers['content-type'] ?? '').split(';', 1).join('').trim().toLowerCase();

/** The name of what is certainly no plain text, or undefined. */
export function notPlainText(headers: Headers): string | undefined {
  const type = mediaType(headers);
  if (type === 'text/html') return 'HTML';
  if (/[/+]json$/.test(type)) return 'JSON';
  return /[/+]xml$/.test(type) ? 'XML' : undefined;
}
