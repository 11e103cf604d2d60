// What the server says of errors is for people to read.
async function answer(response) {
  const body = await response.json().catch(() => null);
  if (!response.ok) throw new Error(body?.error ?? `The server answers ${response.status}.`);
  return body;
}

export const get = async path => answer(await fetch(`api/v1/${path}`, { cache: 'no-store' }));

export const post = async (path, body) => answer(await fetch(`api/v1/${path}`, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json', 'X-Polyjuice-View': '1' },
  body: JSON.stringify(body),
}));
