/** The text without the credentials of the addresses in it: `https://user:secret@host`. */
export const redactAddresses = (text: string): string =>
  text
    .replace(/\b(https?:\/\/)[^/\s@]+@/gi, '$1[REDACTED]@')
    .replace(/([a-z+]+:\/\/[^/\s@:]*):[^/\s@]+@/gi, '$1:[REDACTED]@');
