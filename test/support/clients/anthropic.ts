// Anthropic's library.
import Anthropic from '@anthropic-ai/sdk'
import { turns, type Client, type Question, type Reading, type Setup } from './client.ts'

type Body = Omit<Anthropic.MessageCreateParamsNonStreaming, 'model' | 'stream'>

async function say(setup: Setup, body: Body): Promise<Anthropic.Message> {
  const { messages } = new Anthropic({ baseURL: setup.url, apiKey: setup.key, maxRetries: 0 })
  const { model } = setup
  return setup.streamed
    ? messages.stream({ model, ...body }).finalMessage()
    : messages.create({ model, ...body, stream: false })
}

const textOf = ({ content }: Anthropic.Message): string =>
  content.map((block) => (block.type === 'text' ? block.text : '')).join('')

async function converse(setup: Setup, { system, text, png, tools, limit, run }: Question): Promise<Reading[]> {
  const source = { type: 'base64' as const, media_type: 'image/png' as const, data: png }
  const messages: Anthropic.MessageParam[] = [
    {
      role: 'user',
      content: [
        { type: 'text', text },
        { type: 'image', source },
      ],
    },
  ]
  const body = {
    system,
    tools: tools.map(({ name, description, parameters }) => ({ name, description, input_schema: parameters })),
    thinking: { type: 'enabled' as const, budget_tokens: 1024 },
    max_tokens: limit,
  }
  return turns(async () => {
    const answer = await say(setup, { messages, ...body })
    const { content, stop_reason, usage } = answer
    messages.push({ role: 'assistant', content })
    const calls = content.flatMap((block) => (block.type === 'tool_use' ? [block] : []))
    if (calls.length > 0) {
      const results = calls.map(({ id, name, input }) => ({
        type: 'tool_result' as const,
        tool_use_id: id,
        content: run(name, input),
      }))
      messages.push({ role: 'user', content: results })
    }
    const cached = usage.cache_read_input_tokens ?? 0
    const reading = {
      text: textOf(answer),
      thought: content.map((block) => (block.type === 'thinking' ? block.thinking : '')).join(''),
      calls: calls.map(({ name, input }) => ({ name, args: input })),
      finish: stop_reason ?? '',
      usage: { prompt: usage.input_tokens + cached, cached, completion: usage.output_tokens },
    }
    return { reading, again: calls.length > 0 }
  })
}

export const anthropicClient: Client = {
  name: '@anthropic-ai/sdk',
  speaks: 'messages',
  finishes: { calls: 'tool_use', stop: 'end_turn', length: 'max_tokens' },
  blind: ['reasoning'],
  returnsThoughts: true,
  converse,
  async json(setup, text, schema) {
    const format = { type: 'json_schema' as const, schema }
    const messages = [{ role: 'user' as const, content: text }]
    return JSON.parse(textOf(await say(setup, { messages, max_tokens: 1000, output_config: { format } })))
  },
  ask: async (setup) => textOf(await say(setup, { messages: [{ role: 'user', content: 'Hello' }], max_tokens: 1000 })),
}
