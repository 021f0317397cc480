/** What to type to see a page of the service; nothing in the address is for the shell. */
export function openCommand({ pathname, search, href }: URL): string {
  const command = 'cictl local open';
  if (pathname === '/' && search === '') return command;
  if (/^[\w:/.%#-]+$/.test(href)) return `${command} ${href}`;
  return `${command} '${href.replaceAll("'", '%27')}'`;
}
