/**
 * The policy of a page that is a file: nothing is loaded, run or sent, whatever a browser makes of the markup. Only the
 * style that it carries counts, that of its texts included: their colours are in attributes.
 */
export const filePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
