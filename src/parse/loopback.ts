/** Whether a host, as a URL has it, is this machine by its own name: `127.0.0.1`, `localhost`, `[::1]`. */
export const isLoopback = (host: string): boolean => /^(127\.[\d.]+|localhost|\[::1\])$/.test(host);
