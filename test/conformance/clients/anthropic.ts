// Anthropic's client at the Messages API.
import Anthropic from '@anthropic-ai/sdk'
import { createListener, type Client, type Finish } from '../saying.ts'

const finishes: Record<string, Finish> = {
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool_calls',
  refusal: 'content_filter',
}

const IMAGE = /!\[image\]\((?:data:|https?:)[^)]*\)/g

const sum = (...counts: (number | null | undefined)[]): number =>
  counts.reduce<number>((all, one) => all + (one ?? 0), 0)

export const anthropicClient: Client = {
  name: 'Anthropic Messages',
  apis: ['anthropic.messages', 'bedrock.invoke.anthropic'],
  plain: { max_tokens: 100_000, messages: [{ role: 'user', content: 'Hello' }] },
  async ask({ url, key }, model, body, streamed) {
    const { messages } = new Anthropic({ baseURL: url, apiKey: key, maxRetries: 0, timeout: 600_000 })
    const { stream: _, ...params } = { ...body, model } as unknown as Anthropic.MessageCreateParams
    if (!streamed) return messages.create({ ...params, stream: false })
    const stream = messages.stream(params)
    let usage = {}
    stream.on('streamEvent', (event) => {
      // The client forgets the turns of which a stream's usage is the sum.
      if (event.type === 'message_delta') usage = event.usage
    })
    const message = await stream.finalMessage()
    return { ...message, usage: { ...usage, ...message.usage } }
  },
  raw: ({ url, key }, model, body, streamed) => ({
    url: `${url}/v1/messages`,
    headers: { 'x-api-key': key },
    body: { ...body, model, stream: streamed },
  }),
  read({ content, stop_reason, usage }) {
    const heard = createListener()
    for (const [at, block] of content.entries()) {
      if (block.type === 'text') {
        // Pictures stand in texts, for lack of a word.
        heard.text(block.text.replace(IMAGE, () => (heard.image(), '')))
        for (const { url } of block.citations ?? []) heard.source(url)
      } else if (block.type === 'thinking') heard.reasoning(block.thinking)
      else if (block.type === 'tool_use') heard.call(at, block.name, block.input)
    }
    if (stop_reason) heard.finish(finishes[stop_reason] ?? 'stop')
    // Where the model was asked several times for one answer, only its turns sum up.
    const turns = usage.iterations?.length ? usage.iterations : [usage]
    const all = (key: string) => sum(...turns.map((turn: Record<string, number>) => turn[key]))
    heard.usage({
      prompt: all('input_tokens') + all('cache_read_input_tokens') + all('cache_creation_input_tokens'),
      cached: all('cache_read_input_tokens'),
      written: all('cache_creation_input_tokens'),
      completion: all('output_tokens'),
      reasoning: usage.output_tokens_details?.thinking_tokens ?? 0,
    })
    return heard.heard()
  },
  // A refusal is a text there, and the reason to stop. Arguments are objects, as far as the client can read them.
  able: (saying) => ({
    ...saying,
    text: saying.text + saying.refusal,
    refusal: '',
    calls: saying.calls.map((call) => (typeof call.arguments === 'string' ? { ...call, arguments: {} } : call)),
    // It has to say a reason, also where none was said.
    finish: saying.refusal ? 'content_filter' : (saying.finish ?? 'stop'),
  }),
}
