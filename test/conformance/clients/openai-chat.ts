// OpenAI's client, chatting; it also reads what the many providers of this format add to it.
import OpenAI from 'openai'
import type { Json } from '../../support/json.ts'
import { createListener, type Client, type Counted, type Finish } from '../saying.ts'

const finishes: Record<string, Finish> = {
  length: 'length',
  max_tokens: 'length',
  model_length: 'length',
  tool_calls: 'tool_calls',
  function_call: 'tool_calls',
  content_filter: 'content_filter',
}

/** Mistral answers in parts, of which some are thoughts; Cloudflare in an object, where JSON was asked for. */
function contentOf(content: Json): { text: string; thoughts: string } {
  if (typeof content === 'string' || !content) return { text: content ?? '', thoughts: '' }
  if (!Array.isArray(content)) return { text: JSON.stringify(content), thoughts: '' }
  const joined = (parts: Json[]): string => parts.map(({ text }) => text ?? '').join('')
  const thoughts = content.flatMap(({ thinking }) => thinking ?? [])
  return { text: joined(content), thoughts: joined(thoughts) }
}

/** What a choice says: Perplexity repeats all that was said beside what is new. */
const saidIn = ({ delta, message }: Json, whole: boolean): Json => (whole ? message : delta) ?? message ?? delta ?? {}

/** xAI and Google count thoughts beside `completion_tokens`, but inside the total. */
export function countedBy(usage: Json): Counted | undefined {
  if (!usage?.prompt_tokens && !usage?.completion_tokens) return undefined
  const { prompt_tokens: prompt = 0, completion_tokens = 0, total_tokens = 0 } = usage
  return {
    prompt,
    // Some count more in the cache than in the prompt.
    cached: Math.min(usage.prompt_tokens_details?.cached_tokens ?? usage.prompt_cache_hit_tokens ?? 0, prompt),
    written: usage.prompt_tokens_details?.cache_write_tokens ?? 0,
    completion: Math.max(completion_tokens, total_tokens - prompt),
    reasoning: usage.completion_tokens_details?.reasoning_tokens ?? usage.reasoning_tokens ?? 0,
  }
}

export const chatClient: Client = {
  name: 'OpenAI chat',
  apis: ['openai.chat', 'mistral.chat'],
  plain: { messages: [{ role: 'user', content: 'Hello' }], stream_options: { include_usage: true } },
  async ask({ url, key }, model, body, streamed) {
    const { completions } = new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 }).chat
    const { stream_options, ...params } = { ...body, model, stream: streamed } as OpenAI.ChatCompletionCreateParams
    if (!streamed) return [await completions.create(params)]
    const chunks = []
    const stream = await completions.create({ ...params, stream_options: stream_options ?? null, stream: true })
    for await (const chunk of stream) chunks.push(chunk)
    return chunks
  },
  raw: ({ url, key }, model, body, streamed) => ({
    url: `${url}/v1/chat/completions`,
    headers: { authorization: `Bearer ${key}` },
    body: { ...body, model, stream: streamed },
  }),
  read(chunks) {
    const heard = createListener()
    for (const chunk of chunks) {
      for (const [position, choice] of (chunk.choices ?? []).entries()) {
        if ((choice.index ?? position) > 0) continue
        const said = saidIn(choice, chunk.object === 'chat.completion')
        const { text, thoughts } = contentOf(said.content)
        heard.reasoning(said.reasoning_content || said.reasoning || thoughts)
        heard.text(text || said.audio?.transcript)
        for (const _ of said.images ?? []) heard.image()
        for (const { url_citation } of said.annotations ?? []) heard.source(url_citation?.url)
        heard.refusal(said.refusal)
        for (const [at, call] of (said.tool_calls ?? []).entries()) {
          const { name, arguments: given, input } = call.function ?? call.custom ?? {}
          heard.call(call.index ?? at, name, given ?? input)
        }
        if (said.function_call) heard.call(0, said.function_call.name, said.function_call.arguments)
        if (choice.finish_reason) heard.finish(finishes[choice.finish_reason] ?? 'stop')
      }
      for (const url of chunk.citations ?? []) heard.source(url)
      heard.usage(countedBy(chunk.usage ?? chunk.x_groq?.usage))
    }
    return heard.heard()
  },
  able: (saying) => saying,
}
