/** Calls a running service; its own routes need the administrator's token. */
export const callService =
  ({ url, token, adminToken }) =>
  async (method, path, body) => {
    const bearer = path.startsWith('/local/') ? adminToken : token;
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
    return response.json();
  };
