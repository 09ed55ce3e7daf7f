// OpenAI's library: chat completions and responses.
import OpenAI from 'openai'
import type { Json } from '../json.ts'
import { dataUrl, turns, type Client, type Question, type Reading, type Setup } from './client.ts'

const clientOf = ({ url, key }: Setup) => new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 })

type Messages = OpenAI.ChatCompletionMessageParam[]
type Body = Omit<OpenAI.ChatCompletionCreateParamsNonStreaming, 'model' | 'stream'>

/** The library puts pieces together that it knows; thoughts are not among them. */
async function chat(setup: Setup, body: Body): Promise<OpenAI.ChatCompletion> {
  const { completions } = clientOf(setup).chat
  const { model } = setup
  if (!setup.streamed) return completions.create({ model, ...body })
  const stream = completions.stream({ model, ...body, stream: true, stream_options: { include_usage: true } })
  let thought = ''
  let signature: string | undefined
  stream.on('chunk', ({ choices }) => {
    const delta: Json = choices[0]?.delta
    thought += delta?.reasoning_content ?? ''
    signature = delta?.reasoning_signature ?? signature
  })
  const whole = await stream.finalChatCompletion()
  const said = { reasoning_content: thought, ...(signature ? { reasoning_signature: signature } : {}) }
  if (thought || signature) Object.assign(whole.choices[0]!.message, said)
  return whole
}

async function chatTurns(setup: Setup, { system, text, png, tools, limit, run }: Question): Promise<Reading[]> {
  const messages: Messages = [
    { role: 'system', content: system },
    {
      role: 'user',
      content: [
        { type: 'text', text },
        { type: 'image_url', image_url: { url: dataUrl(png) } },
      ],
    },
  ]
  const body = {
    tools: tools.map((tool) => ({ type: 'function' as const, function: tool })),
    reasoning_effort: 'medium' as const,
    max_completion_tokens: limit,
  }
  return turns(async () => {
    const { choices, usage } = await chat(setup, { messages, ...body })
    const { message, finish_reason } = choices[0]!
    messages.push(message)
    const calls = (message.tool_calls ?? []).flatMap((call) =>
      call.type === 'function'
        ? [{ id: call.id, name: call.function.name, args: JSON.parse(call.function.arguments) }]
        : [],
    )
    for (const { id, name, args } of calls) messages.push({ role: 'tool', tool_call_id: id, content: run(name, args) })
    const reading = {
      text: message.content ?? '',
      thought: (message as Json).reasoning_content ?? '',
      calls: calls.map(({ name, args }) => ({ name, args })),
      finish: finish_reason,
      usage: {
        prompt: usage?.prompt_tokens ?? 0,
        cached: usage?.prompt_tokens_details?.cached_tokens ?? 0,
        completion: usage?.completion_tokens ?? 0,
        reasoning: usage?.completion_tokens_details?.reasoning_tokens ?? 0,
      },
    }
    return { reading, again: calls.length > 0 }
  })
}

export const openaiChatClient: Client = {
  name: 'openai, chat',
  speaks: 'chat',
  finishes: { calls: 'tool_calls', stop: 'stop', length: 'length' },
  blind: [],
  returnsThoughts: true,
  converse: chatTurns,
  async json(setup, text, schema) {
    const { choices } = await chat(setup, {
      messages: [{ role: 'user', content: text }],
      response_format: { type: 'json_schema', json_schema: { name: 'place', schema, strict: true } },
    })
    return JSON.parse(choices[0]!.message.content ?? '')
  },
  async ask(setup) {
    const { choices } = await chat(setup, { messages: [{ role: 'user', content: 'Hello' }] })
    return choices[0]!.message.content ?? ''
  },
}

type Responses = Omit<OpenAI.Responses.ResponseCreateParamsNonStreaming, 'model' | 'stream'>

async function respond(setup: Setup, body: Responses): Promise<OpenAI.Responses.Response> {
  const { responses } = clientOf(setup)
  const { model } = setup
  return setup.streamed
    ? responses.stream({ model, ...body }).finalResponse()
    : responses.create({ model, ...body, stream: false })
}

async function responseTurns(setup: Setup, { system, text, png, tools, limit, run }: Question): Promise<Reading[]> {
  const input: OpenAI.Responses.ResponseInput = [
    {
      role: 'user',
      content: [
        { type: 'input_text', text },
        { type: 'input_image', image_url: dataUrl(png), detail: 'auto' },
      ],
    },
  ]
  const body: Responses = {
    instructions: system,
    tools: tools.map((tool) => ({ type: 'function', strict: false, ...tool })),
    reasoning: { effort: 'medium', summary: 'auto' },
    include: ['reasoning.encrypted_content'],
    store: false,
    max_output_tokens: limit,
  }
  return turns(async () => {
    const { output, output_text, usage, status, incomplete_details } = await respond(setup, { input, ...body })
    input.push(...(output as OpenAI.Responses.ResponseInput))
    const calls = output.flatMap((item) =>
      item.type === 'function_call'
        ? [{ call_id: item.call_id, name: item.name, args: JSON.parse(item.arguments) }]
        : [],
    )
    for (const { call_id, name, args } of calls) {
      input.push({ type: 'function_call_output', call_id, output: run(name, args) })
    }
    const thoughts = output.flatMap((item) => (item.type === 'reasoning' ? item.summary : []))
    const reading = {
      text: output_text,
      thought: thoughts.map((part) => part.text).join(''),
      calls: calls.map(({ name, args }) => ({ name, args })),
      finish: incomplete_details?.reason ?? status ?? '',
      usage: {
        prompt: usage?.input_tokens ?? 0,
        cached: usage?.input_tokens_details.cached_tokens ?? 0,
        completion: usage?.output_tokens ?? 0,
        reasoning: usage?.output_tokens_details.reasoning_tokens ?? 0,
      },
    }
    return { reading, again: calls.length > 0 }
  })
}

export const openaiResponsesClient: Client = {
  name: 'openai, responses',
  speaks: 'responses',
  finishes: { calls: 'completed', stop: 'completed', length: 'max_output_tokens' },
  blind: [],
  returnsThoughts: true,
  converse: responseTurns,
  async json(setup, text, schema) {
    const format = { type: 'json_schema' as const, name: 'place', schema, strict: true }
    return JSON.parse((await respond(setup, { input: text, text: { format } })).output_text)
  },
  ask: async (setup) => (await respond(setup, { input: 'Hello' })).output_text,
}
