// The AI SDK, over its providers of each format.
import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { generateText, jsonSchema, Output, streamText, tool, type LanguageModel, type ModelMessage } from 'ai'
import { dataUrl, turns, type Client, type Question, type Reading, type Setup } from './client.ts'

type Options = NonNullable<Parameters<typeof generateText>[0]['providerOptions']>
type Body = Omit<Parameters<typeof generateText>[0], 'model' | 'prompt' | 'messages'> & { messages: ModelMessage[] }

/** Asks, and reads the stream to its end where there is one: there the library puts errors in the stream. */
async function ask(model: LanguageModel, streamed: boolean, body: Body) {
  if (!streamed) {
    const result = await generateText({ model, maxRetries: 0, ...body })
    const { text, reasoningText, toolCalls, finishReason, totalUsage, response } = result
    return { text, reasoningText, toolCalls, finishReason, totalUsage, messages: response.messages, result }
  }
  let error: unknown
  const result = streamText({
    model,
    maxRetries: 0,
    ...body,
    onError: (event) => {
      error = event.error
    },
  } as Parameters<typeof streamText>[0])
  await result.consumeStream()
  if (error) throw error
  const { messages } = await result.response
  const [text, reasoningText, toolCalls, finishReason, totalUsage] = await Promise.all([
    result.text,
    result.reasoningText,
    result.toolCalls,
    result.finishReason,
    result.totalUsage,
  ])
  return { text, reasoningText, toolCalls, finishReason, totalUsage, messages, result }
}

const clientFor = (
  provider: string,
  modelOf: (setup: Setup) => LanguageModel,
  providerOptions: Options,
  {
    budget,
    ...more
  }: Pick<Client, 'speaks' | 'blind' | 'returnsThoughts'> & {
    /** What the library puts on top of the limit, for thoughts. */
    budget?: number
  },
): Client => ({
  name: `ai with ${provider}`,
  finishes: { calls: 'tool-calls', stop: 'stop', length: 'length' },
  ...more,
  async converse(setup, { system, text, png, tools, limit, run }: Question): Promise<Reading[]> {
    const messages: ModelMessage[] = [
      {
        role: 'user',
        content: [
          { type: 'text', text },
          { type: 'image', image: dataUrl(png) },
        ],
      },
    ]
    const declared = Object.fromEntries(
      tools.map(({ name, description, parameters }) => [
        name,
        tool({ description, inputSchema: jsonSchema<Record<string, unknown>>(parameters) }),
      ]),
    )
    const body = { system, tools: declared, maxOutputTokens: limit - (budget ?? 0), providerOptions }
    return turns(async () => {
      const answer = await ask(modelOf(setup), setup.streamed, { messages, ...body })
      messages.push(...answer.messages)
      const results = answer.toolCalls.map(({ toolCallId, toolName, input }) => ({
        type: 'tool-result' as const,
        toolCallId,
        toolName,
        output: { type: 'text' as const, value: run(toolName, input) },
      }))
      if (results.length > 0) messages.push({ role: 'tool', content: results })
      const { inputTokens = 0, outputTokens = 0, inputTokenDetails, outputTokenDetails } = answer.totalUsage
      const reading = {
        text: answer.text,
        thought: answer.reasoningText ?? '',
        calls: answer.toolCalls.map(({ toolName, input }) => ({ name: toolName, args: input })),
        finish: answer.finishReason,
        usage: {
          prompt: inputTokens,
          cached: inputTokenDetails.cacheReadTokens ?? 0,
          completion: outputTokens,
          reasoning: outputTokenDetails.reasoningTokens ?? 0,
        },
      }
      return { reading, again: results.length > 0 }
    })
  },
  async json(setup, text, schema) {
    const output = Output.object({ schema: jsonSchema(schema) })
    const messages = [{ role: 'user' as const, content: text }]
    const { result } = await ask(modelOf(setup), setup.streamed, { messages, output } as Body)
    return (result as { output: unknown }).output
  },
  async ask(setup) {
    const messages = [{ role: 'user' as const, content: 'Hello' }]
    return (await ask(modelOf(setup), setup.streamed, { messages })).text
  },
})

const openai = ({ url, key }: Setup) => createOpenAI({ baseURL: `${url}/v1`, apiKey: key })

export const aiSdkClients: Client[] = [
  clientFor(
    '@ai-sdk/openai, chat',
    (setup) => openai(setup).chat(setup.model),
    { openai: { reasoningEffort: 'medium' } },
    { speaks: 'chat', blind: ['thought'], returnsThoughts: false },
  ),
  clientFor(
    '@ai-sdk/openai, responses',
    (setup) => openai(setup).responses(setup.model),
    {
      openai: {
        reasoningEffort: 'medium',
        reasoningSummary: 'auto',
        store: false,
        include: ['reasoning.encrypted_content'],
        forceReasoning: true,
      },
    },
    { speaks: 'responses', blind: [], returnsThoughts: true },
  ),
  clientFor(
    '@ai-sdk/anthropic',
    ({ url, key, model }) => createAnthropic({ baseURL: `${url}/v1`, apiKey: key })(model),
    { anthropic: { thinking: { type: 'enabled', budgetTokens: 1024 } } },
    { speaks: 'messages', blind: ['reasoning'], returnsThoughts: true, budget: 1024 },
  ),
  clientFor(
    '@ai-sdk/google',
    ({ url, key, model }) => createGoogleGenerativeAI({ baseURL: `${url}/v1beta`, apiKey: key })(model),
    { google: { thinkingConfig: { includeThoughts: true, thinkingBudget: 1024 } } },
    { speaks: 'gemini', blind: [], returnsThoughts: true },
  ),
]
