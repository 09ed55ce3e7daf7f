// Calls of the user's, made as their programs make them.
import type { Ground } from './task.ts'

export const callWith = (url: string, key: string, content: string, model = 'sandbox-small') =>
  fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content }] }),
  })

/** A call of the user's; gives its request id once the log has it. */
export async function called({ url, key, root }: Ground, content: string, model?: string): Promise<string> {
  const answer = await callWith(url, key, content, model)
  await answer.text()
  const request_id = answer.headers.get('x-oneapi-request-id') ?? ''
  for (let tries = 0; tries < 50; tries += 1) {
    const known = await root.logs.explain({ request_id }).catch(() => undefined)
    if (known?.log) return request_id
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`the log has no call ${request_id}`)
}
