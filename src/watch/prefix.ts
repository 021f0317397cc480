/** `lint | compiling…`: every line of a text behind the name of its job; the last one gets a newline. */
export const prefixLines = (text: string, name: string): string =>
  text.replace(/\n$/, '').replace(/^/gm, `${name} | `) + '\n';
