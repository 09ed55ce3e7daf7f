// The official client's Responses against a real server: straight through, and translated both ways.
import type OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import type { Caller } from '../support/caller.ts'
import { describeWithGateway } from '../support/gateway.ts'
import type { Json } from '../support/json.ts'
import { chatReply, chatStream, type TestReply } from '../support/upstream.ts'

const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 }
const weather: OpenAI.Responses.FunctionTool = {
  type: 'function',
  name: 'weather',
  parameters: { type: 'object', properties: { city: { type: 'string' } } },
  strict: false,
}

const frame = (type: string, more: object) =>
  `event: response.${type}\ndata: ${JSON.stringify({ type: `response.${type}`, ...more })}\n\n`
const response = (more: object = {}) => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  status: 'completed',
  model: 'gpt-4o-mini',
  output: [
    {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'Hello', annotations: [] }],
    },
  ],
  usage: { input_tokens: 100, output_tokens: 20, total_tokens: 120 },
  ...more,
})
const stream: TestReply = {
  chunks: [
    frame('created', { response: response({ status: 'in_progress', output: [], usage: null }) }),
    frame('output_item.added', {
      output_index: 0,
      item: { id: 'msg_1', type: 'message', role: 'assistant', content: [] },
    }),
    frame('content_part.added', {
      output_index: 0,
      content_index: 0,
      part: { type: 'output_text', text: '', annotations: [] },
    }),
    frame('output_text.delta', { output_index: 0, content_index: 0, item_id: 'msg_1', delta: 'Hello' }),
    frame('completed', { response: response() }),
  ],
}

/** A channel type that speaks chat alone. */
const CHAT_ONLY = 25

describeWithGateway('the official client asks for responses', (weir) => {
  /** Runs a call and gives what it cost beside what it gave. */
  async function charged<T>(ada: Caller, ask: () => Promise<T>): Promise<{ value: T; quota: number }> {
    const before = await ada.balances()
    const value = await ask()
    return { value, quota: before.quota - (await ada.balances()).quota }
  }
  const due = () => weir.due({ prompt: 100, completion: 20 })

  describe('of a provider that speaks the format', () => {
    it('and its bytes pass, charged by their usage', async () => {
      await weir.addChannel()
      const ada = await weir.addCaller({ quota: 1_000_000 })
      weir.upstream.reply({ body: response({ id: 'resp_of_bytes' }) })
      const { id: previous_response_id } = await ada.openai.responses.create({ model: weir.model, input: 'Hi' })
      weir.upstream.reply({ body: response({ something_new: { kept: true } }) })
      const { value, quota } = await charged(ada, () =>
        ada.openai.responses.create({ model: weir.model, input: 'Hello', previous_response_id }),
      )
      expect(value).toMatchObject({ id: 'resp_1', output_text: 'Hello', something_new: { kept: true } })
      expect(quota).toBe(due())
      expect(weir.upstream.requests[1]).toMatchObject({
        path: '/v1/responses',
        json: { model: weir.model, input: 'Hello', previous_response_id: 'resp_of_bytes' },
      })
    })

    it('as a stream whose end leaves after the charge', async () => {
      await weir.addChannel()
      const ada = await weir.addCaller({ quota: 1_000_000 })
      weir.upstream.reply(stream)
      const { value, quota } = await charged(ada, async () => {
        const events: string[] = []
        const answer = ada.openai.responses.stream({ model: weir.model, input: 'Hello' })
        for await (const event of answer) events.push(event.type)
        return { events, final: await answer.finalResponse() }
      })
      expect(value.events).toEqual([
        'response.created',
        'response.output_item.added',
        'response.content_part.added',
        'response.output_text.delta',
        'response.completed',
      ])
      expect(value.final.output_text).toBe('Hello')
      expect(quota).toBe(due())
    })

    it('and pays for the searches it made', async () => {
      await weir.addChannel()
      const ada = await weir.addCaller({ quota: 10_000_000 })
      const searched = {
        type: 'web_search_call',
        id: 'ws_1',
        status: 'completed',
        action: { type: 'search', query: 'x' },
      }
      weir.upstream.reply({
        body: response({ output: [searched, ...response().output], tools: [{ type: 'web_search' }] }),
      })
      const { quota } = await charged(ada, () =>
        ada.openai.responses.create({ model: weir.model, input: 'Hello', tools: [{ type: 'web_search' }] }),
      )
      // 10 USD for a thousand searches.
      expect(quota).toBe(due() + (10 / 1000) * weir.gateway.settings().QuotaPerUnit)
    })

    it('and hears of a failure in its midst', async () => {
      await weir.addChannel()
      const ada = await weir.addCaller({ quota: 1_000_000 })
      const failed = frame('failed', {
        response: response({ status: 'failed', error: { code: 'server_error', message: 'no more' } }),
      })
      weir.upstream.reply({ chunks: [...stream.chunks!.slice(0, 4), failed] })
      const read = async () => {
        for await (const _ of await ada.openai.responses.create({ model: weir.model, input: 'Hello', stream: true }));
      }
      await expect(read()).rejects.toMatchObject({ error: { message: expect.stringContaining('no more') } })
    })
  })

  describe('of a provider that speaks chat', () => {
    it('and gets text, thought and usage in its own format', async () => {
      await weir.addChannel({ type: CHAT_ONLY })
      const ada = await weir.addCaller({ quota: 1_000_000 })
      const answer = chatReply('Hello', usage)
      ;(answer.body as Json).choices[0].message.reasoning_content = 'hm'
      weir.upstream.reply(answer)
      const { value, quota } = await charged(ada, () =>
        ada.openai.responses.create({
          model: weir.model,
          instructions: 'Be brief.',
          input: [{ role: 'user', content: [{ type: 'input_text', text: 'Hello' }] }],
          max_output_tokens: 50,
          text: { format: { type: 'json_schema', name: 'shape', schema: { type: 'object' } } },
        }),
      )
      expect(value.output_text).toBe('Hello')
      expect(value.output.map(({ type }) => type)).toEqual(['reasoning', 'message'])
      expect(value).toMatchObject({ status: 'completed', instructions: 'Be brief.', max_output_tokens: 50 })
      expect(value.usage).toMatchObject({ input_tokens: 100, output_tokens: 20, total_tokens: 120 })
      expect(quota).toBe(due())
      expect(weir.upstream.requests[0]).toMatchObject({
        path: '/v1/chat/completions',
        json: {
          messages: [
            { role: 'system', content: 'Be brief.' },
            { role: 'user', content: 'Hello' },
          ],
          max_tokens: 50,
          response_format: { type: 'json_schema', json_schema: { name: 'shape', schema: { type: 'object' } } },
        },
      })
    })

    it('as a stream', async () => {
      await weir.addChannel({ type: CHAT_ONLY })
      const ada = await weir.addCaller({ quota: 1_000_000 })
      weir.upstream.reply(chatStream(['Hel', 'lo'], usage))
      const { value, quota } = await charged(ada, async () => {
        const answer = ada.openai.responses.stream({ model: weir.model, input: 'Hello' })
        const pieces: string[] = []
        answer.on('response.output_text.delta', ({ delta }) => pieces.push(delta))
        return { final: await answer.finalResponse(), pieces }
      })
      expect(value.pieces).toEqual(['Hel', 'lo'])
      expect(value.final).toMatchObject({ status: 'completed', output_text: 'Hello' })
      expect(value.final.usage).toMatchObject({ input_tokens: 100, output_tokens: 20 })
      expect(quota).toBe(due())
    })

    it('with tools, over two turns', async () => {
      await weir.addChannel({ type: CHAT_ONLY })
      const ada = await weir.addCaller({ quota: 1_000_000 })
      const called = chatReply('', usage)
      ;(called.body as Json).choices[0] = {
        index: 0,
        finish_reason: 'tool_calls',
        message: {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Graz"}' } }],
        },
      }
      weir.upstream.reply(called)
      const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: 'And the weather?' }]
      const first = await ada.openai.responses.create({ model: weir.model, input, tools: [weather] })
      const [call] = first.output
      expect(call).toMatchObject({
        type: 'function_call',
        call_id: 'call_1',
        name: 'weather',
        arguments: '{"city":"Graz"}',
      })
      weir.upstream.reply(chatReply('Sunny', usage))
      const second = await ada.openai.responses.create({
        model: weir.model,
        input: [
          ...input,
          ...first.output,
          { type: 'function_call_output', call_id: 'call_1', output: '22' },
        ] as typeof input,
        tools: [weather],
      })
      expect(second.output_text).toBe('Sunny')
      expect(weir.upstream.requests[1]!.json.messages).toEqual([
        { role: 'user', content: 'And the weather?' },
        {
          role: 'assistant',
          content: null,
          // Kimi refuses a turn with calls that has no thought.
          reasoning_content: '',
          tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Graz"}' } }],
        },
        { role: 'tool', content: '22', tool_call_id: 'call_1' },
      ])
    })

    it('and is told what it cannot have', async () => {
      await weir.addChannel({ type: CHAT_ONLY })
      const ada = await weir.addCaller({ quota: 1_000_000 })
      const ask = (more: object) => ada.openai.responses.create({ model: weir.model, input: 'Hello', ...more })
      await expect(ask({ previous_response_id: 'resp_0' })).rejects.toMatchObject({
        status: 400,
        code: 'previous_response_not_found',
        message: expect.stringContaining('resp_0'),
      })
      await expect(ask({ conversation: 'conv_0' })).rejects.toMatchObject({ status: 400 })
      await expect(ask({ background: true, store: false })).rejects.toMatchObject({ status: 400 })
      expect(weir.upstream.requests).toHaveLength(0)
      weir.upstream.reply(chatReply('Hello', usage))
      const { response: raw } = await ask({ store: true, top_logprobs: 2 } as object).withResponse()
      expect(raw.headers.get('x-weir-dropped')).toBe('top_logprobs')
      expect(await ada.openai.responses.retrieve('resp_1').catch(({ status }) => status)).toBe(404)
    })

    it('unless another channel speaks the format', async () => {
      const own = await weir.addChannel()
      const ada = await weir.addCaller({ quota: 1_000_000 })
      weir.upstream.reply({ body: response({ id: 'resp_of_a_channel' }) })
      const { id: previous_response_id } = await ada.openai.responses.create({ model: weir.model, input: 'Hi' })
      await weir.addChannel({ type: CHAT_ONLY, priority: 10 })
      await weir.set('RetryTimes', 2)
      await ada.openai.responses.create({ model: weir.model, input: 'Hello', previous_response_id })
      const [row] = await ada.logs()
      expect(JSON.parse(row!.other).admin_info.use_channel).toEqual([String(own.id)])
    })
  })

  it('loses the fields that Groq refuses, and is told which', async () => {
    await weir.addChannel({ type: 1001 })
    const ada = await weir.addCaller({ quota: 1_000_000 })
    weir.upstream.reply({ body: response() })
    const kept = { model: weir.model, input: 'Hello', temperature: 0.5 }
    const include: OpenAI.Responses.ResponseIncludable[] = ['reasoning.encrypted_content']
    const refused = { include, prompt_cache_key: 'k', safety_identifier: 's', truncation: 'auto' as const }
    const { response: raw } = await ada.openai.responses.create({ ...kept, ...refused }).withResponse()
    expect(weir.upstream.requests[0]).toMatchObject({ path: '/v1/responses' })
    expect(weir.upstream.requests[0]!.json).toEqual(kept)
    expect(raw.headers.get('x-weir-dropped')?.split(', ').toSorted()).toEqual(Object.keys(refused))
  })

  it('chats with a model that is served as responses alone', async () => {
    await weir.addChannel({ models: 'gpt-5-pro' })
    await weir.set('ModelRatio', { ...weir.gateway.settings().ModelRatio, 'gpt-5-pro': 1 })
    const ada = await weir.addCaller({ quota: 10_000_000 })
    weir.upstream.reply({ body: response({ model: 'gpt-5-pro' }) })
    const answer = await ada.openai.chat.completions.create({
      model: 'gpt-5-pro',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hello' },
      ],
    })
    expect(answer.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: 'Hello' } })
    expect(answer.usage).toMatchObject({ prompt_tokens: 100, completion_tokens: 20 })
    expect(weir.upstream.requests[0]).toMatchObject({
      path: '/v1/responses',
      json: { instructions: 'Be brief.', input: [{ role: 'user', content: 'Hello' }], store: false },
    })
  })
})
