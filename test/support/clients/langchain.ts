// LangChain, over OpenAI's two formats.
import { AIMessageChunk, HumanMessage, SystemMessage, ToolMessage, type BaseMessage } from '@langchain/core/messages'
import { ChatOpenAI } from '@langchain/openai'
import type { Json } from '../json.ts'
import { dataUrl, turns, type Client, type Question, type Reading, type Setup } from './client.ts'

const clientFor = (
  useResponsesApi: boolean,
  more: Pick<Client, 'name' | 'speaks' | 'finishes' | 'blind' | 'returnsThoughts'>,
): Client => {
  const modelOf = ({ url, key, model }: Setup, fields: object = {}) =>
    new ChatOpenAI({
      model,
      apiKey: key,
      configuration: { baseURL: `${url}/v1` },
      maxRetries: 0,
      useResponsesApi,
      ...fields,
    })

  return {
    ...more,
    async converse(setup, { system, text, png, tools, limit, run }: Question): Promise<Reading[]> {
      const messages: BaseMessage[] = [
        new SystemMessage(system),
        new HumanMessage({
          content: [
            { type: 'text', text },
            { type: 'image_url', image_url: { url: dataUrl(png) } },
          ],
        }),
      ]
      // The library thinks that only OpenAI's own models can: what they are asked is said past it.
      const modelKwargs = useResponsesApi
        ? { reasoning: { effort: 'medium', summary: 'auto' }, include: ['reasoning.encrypted_content'], store: false }
        : { reasoning_effort: 'medium' }
      return turns(async () => {
        const model = modelOf(setup, { maxTokens: limit, modelKwargs })
        const bound = model.bindTools(tools.map((one) => ({ type: 'function' as const, function: one })))
        const answer = setup.streamed ? await joined(await bound.stream(messages)) : await bound.invoke(messages)
        messages.push(answer)
        const calls = answer.tool_calls ?? []
        for (const { id = '', name, args } of calls) {
          messages.push(new ToolMessage({ tool_call_id: id, content: run(name, args) }))
        }
        const { usage_metadata: usage, response_metadata: told } = answer
        const thoughts = answer.contentBlocks.map((block) => (block.type === 'reasoning' ? block.reasoning : ''))
        const reading = {
          text: answer.text,
          thought: thoughts.join(''),
          calls: calls.map(({ name, args }) => ({ name, args })),
          finish: String(
            (told as Json).finish_reason ?? (told as Json).incomplete_details?.reason ?? (told as Json).status,
          ),
          usage: {
            prompt: usage?.input_tokens ?? 0,
            cached: usage?.input_token_details?.cache_read ?? 0,
            completion: usage?.output_tokens ?? 0,
            reasoning: usage?.output_token_details?.reasoning ?? 0,
          },
        }
        return { reading, again: calls.length > 0 }
      })
    },
    async json(setup, text, schema) {
      if (setup.streamed) {
        const json_schema = { name: 'place', schema, strict: true }
        const chunks = await modelOf(setup).stream(text, { response_format: { type: 'json_schema', json_schema } })
        return JSON.parse((await joined(chunks)).text)
      }
      const shape = { title: 'place', ...schema }
      return modelOf(setup).withStructuredOutput(shape, { method: 'jsonSchema', strict: true }).invoke(text)
    },
    async ask(setup) {
      const model = modelOf(setup)
      return (setup.streamed ? await joined(await model.stream('Hello')) : await model.invoke('Hello')).text
    },
  }
}

async function joined(stream: AsyncIterable<AIMessageChunk>): Promise<AIMessageChunk> {
  let whole: AIMessageChunk | undefined
  for await (const chunk of stream) whole = whole ? whole.concat(chunk) : chunk
  if (!whole) throw new Error('the stream was empty')
  return whole
}

export const langchainClients: Client[] = [
  clientFor(false, {
    name: '@langchain/openai, chat',
    speaks: 'chat',
    finishes: { calls: 'tool_calls', stop: 'stop', length: 'length' },
    blind: ['thought'],
    returnsThoughts: false,
  }),
  clientFor(true, {
    name: '@langchain/openai, responses',
    speaks: 'responses',
    finishes: { calls: 'completed', stop: 'completed', length: 'max_output_tokens' },
    blind: [],
    returnsThoughts: true,
  }),
]
