/** The port of an address, where none is written that of its protocol. */
export const portOf = ({ port, protocol }: { port: string; protocol: string }): string =>
  port !== '' ? port : protocol === 'https:' ? '443' : '80';
