/** Tokens have many forms: nothing is asked of one but that it is one line of printable ASCII. */
export const isToken = (text: string): boolean => /^[\x20-\x7e]+$/.test(text) && text.trim() !== '';
