// Ways to ask that no library of their own stands for: the older completions, and Google's stream as one JSON array.
import OpenAI from 'openai'
import type { Json } from '../json.ts'
import { send } from '../server.ts'
import type { Client, Setup } from './client.ts'

/** A way to just ask for a text. */
export type Door = Pick<Client, 'name' | 'ask'>

const completions: Door = {
  name: 'openai, completions',
  async ask({ url, key, model }: Setup) {
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 })
    let text = ''
    for await (const { choices } of await client.completions.create({ model, prompt: 'Hello', stream: true })) {
      text += choices[0]?.text ?? ''
    }
    return text
  },
}

/** What the array says, as the reader of Google's own examples puts it together. */
const jsonArray: Door = {
  name: 'a Gemini array',
  async ask({ url, key, model }: Setup) {
    const { json } = await send('POST', `${url}/v1beta/models/${model}:streamGenerateContent`, {
      headers: { 'x-goog-api-key': key },
      body: { contents: [{ parts: [{ text: 'Hello' }] }] },
    })
    const chunks: Json[] = Array.isArray(json) ? json : [json]
    const failed = chunks.find(({ error }) => error)
    if (failed) throw new Error(failed.error.status, { cause: failed.error })
    return chunks.map(({ candidates }) => candidates[0].content.parts.map(({ text }: Json) => text).join('')).join('')
  },
}

export const doors: Door[] = [completions, jsonArray]
