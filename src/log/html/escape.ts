const special = /[&<>"']/g;
const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text, or the bytes of it, as content or as the value of an attribute in quotes. */
export const escapeHtml = (text: string): string =>
  text.replace(special, (character) => entities[character] ?? character);
