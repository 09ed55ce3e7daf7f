// OpenAI's client at the older completions: texts alone.
import OpenAI from 'openai'
import { countedBy } from './openai-chat.ts'
import { createListener, type Client } from '../saying.ts'

export const completionsClient: Client = {
  name: 'OpenAI completions',
  apis: ['openai.completions'],
  plain: { prompt: 'Hello', stream_options: { include_usage: true } },
  async ask({ url, key }, model, body, streamed) {
    const { completions } = new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 })
    const { stream_options, ...params } = { ...body, model } as OpenAI.CompletionCreateParams
    if (!streamed) return [await completions.create({ ...params, stream: false })]
    const chunks = []
    for await (const chunk of await completions.create({
      ...params,
      stream_options: stream_options ?? null,
      stream: true,
    }))
      chunks.push(chunk)
    return chunks
  },
  raw: ({ url, key }, model, body, streamed) => ({
    url: `${url}/v1/completions`,
    headers: { authorization: `Bearer ${key}` },
    body: { ...body, model, stream: streamed },
  }),
  read(chunks) {
    const heard = createListener()
    for (const chunk of chunks) {
      for (const choice of chunk.choices ?? []) {
        if (choice.index > 0) continue
        heard.text(choice.text)
        if (choice.finish_reason === 'length' || choice.finish_reason === 'content_filter')
          heard.finish(choice.finish_reason)
        else if (choice.finish_reason) heard.finish('stop')
      }
      heard.usage(countedBy(chunk.usage))
    }
    return heard.heard()
  },
  // A refusal is a text there, and no tool can be called.
  able: ({ text, refusal, finish, usage }) => ({
    text: text + refusal,
    refusal: '',
    reasoning: '',
    calls: [],
    images: 0,
    sources: [],
    finish: finish === 'tool_calls' ? 'stop' : finish,
    usage,
  }),
}
