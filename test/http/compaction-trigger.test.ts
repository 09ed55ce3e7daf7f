// Conversations that end in an item of type `compaction_trigger`, as Codex sends them to `/v1/responses`: the answer is one item that
// stands for all before it. A provider that knows the trigger answers it; any other channel's model writes a summary.
import { describe, expect, it } from 'vitest'
import { responseFaults, responseStreamFaults } from '../conformance/descriptions/check.ts'
import type { Caller } from '../support/caller.ts'
import { describeWithGateway } from '../support/gateway.ts'
import type { Json } from '../support/json.ts'
import { makers } from '../support/makers/index.ts'
import { answering, USAGE, sse, type Maker, type Said } from '../support/makers/maker.ts'
import { openSocket } from '../support/responses-socket.ts'
import { send } from '../support/server.ts'

const [openai, claude] = makers as [Maker, Maker, Maker]
const SUMMARY = 'Ada counts ships; there were seven.'
const user = (text: string): Json => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] })
const said = (text: string): Json => ({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] })
/** A server of OpenAI's format that has no words for it. */
const OTHER = 48
const HISTORY = [user('My name is Ada.'), said('Hello Ada.'), user('Count the ships.'), said('Seven.')]
const TRIGGER = { type: 'compaction_trigger' }
const TOOLS = [{ type: 'function', name: 'weather', parameters: { type: 'object' }, strict: false }]
const ITEM = { id: 'cmp_1', type: 'compaction', encrypted_content: 'gAAAA-of-openai' }

describeWithGateway('a conversation that ends in a trigger', (weir) => {
  async function place(maker: Maker, ...answers: Said[]): Promise<Caller> {
    await weir.addChannel({ type: maker === openai ? OTHER : maker.type, models: maker.model })
    await weir.set('ModelRatio', { ...weir.gateway.settings().ModelRatio, [maker.model]: 1 })
    weir.upstream.reply(answering(maker, ...answers))
    return weir.addCaller({ quota: 100_000_000 })
  }
  const post = (key: string, body: Json) =>
    send('POST', `${weir.url}/v1/responses`, { headers: { authorization: `Bearer ${key}` }, body })
  async function stream(ada: Caller, body: Json): Promise<Json[]> {
    const events: Json[] = []
    const answer = await ada.openai.responses.create({ ...body, stream: true } as never)
    for await (const event of answer as unknown as AsyncIterable<Json>) events.push(event)
    return events
  }
  const asked = (): string[] => weir.upstream.requests.map(({ json }) => JSON.stringify(json))
  const typesOf = (events: Json[]) => events.map(({ type }) => type)

  describe.each(makers.map((one) => [one.name, one] as const))('on a channel of the format of %s', (_, one) => {
    it('gets the item alone, whole and streamed, as one call; its owner goes on from it', async () => {
      const ada = await place(one, { text: SUMMARY }, { text: SUMMARY, thought: 'Hm.' }, { text: 'You are Ada.' })
      const body = { model: one.model, store: false, tools: TOOLS, input: [...HISTORY, TRIGGER] }
      const whole = (await ada.openai.responses.create(body as never)) as Json
      expect(responseFaults(whole)).toEqual([])
      expect(whole).toMatchObject({ status: 'completed', output: [{ type: 'compaction' }] })
      const events = await stream(ada, body)
      expect(responseStreamFaults(events)).toEqual([])
      expect(typesOf(events)).toEqual([
        ...['response.created', 'response.in_progress', 'response.output_item.added', 'response.output_item.done'],
        'response.completed',
      ])
      const { response } = events.at(-1)!
      expect(response.output).toEqual([events[3]!.item])
      expect(response.usage).toMatchObject({ input_tokens: USAGE.prompt, output_tokens: USAGE.completion })
      expect(JSON.stringify([whole, events])).not.toContain(SUMMARY)
      const rows = await ada.logs()
      expect(rows).toHaveLength(2)
      expect((await ada.balances()).quota).toBe(100_000_000 - rows[0]!.quota - rows[1]!.quota)
      for (const request of weir.upstream.requests) {
        expect(one.hear(request).tools).toEqual([])
        expect(JSON.stringify(one.hear(request).turns)).toMatch(/My name is Ada.*Hello Ada.*Count the ships.*Seven/)
      }
      expect(asked().join()).not.toContain('compaction_trigger')

      // Codex keeps words of the user's before the item.
      const input = [user('Count the ships.'), ...response.output, user('Who am I?')]
      await ada.openai.responses.create({ model: one.model, store: false, input } as never)
      expect(asked().at(-1)).toMatch(new RegExp(`Count the ships.*${SUMMARY}.*Who am I`))
    })

    it('over a socket, as new input of the conversation; what goes on from the answer has the summary alone', async () => {
      const ada = await place(one, { text: 'Hello.' }, { text: SUMMARY }, { text: 'Ada.' })
      const client = await openSocket(weir.url, ada.key)
      try {
        const ask = async (input: Json[], before?: string) => {
          const continued = before === undefined ? {} : { previous_response_id: before }
          const events = await client.ask({ model: one.model, store: false, input, ...continued })
          return events.at(-1)!.response as Json
        }
        const first = await ask([user('My name is Ada.')])
        const second = await ask([TRIGGER], first.id)
        expect(second.output).toMatchObject([{ type: 'compaction' }])
        expect(asked().at(-1)).toMatch(/My name is Ada.*Hello/)
        await ask([user('Who am I?')], second.id)
        expect(asked().at(-1)).toMatch(new RegExp(`${SUMMARY}.*Who am I`))
        expect(asked().at(-1)).not.toMatch(/My name is Ada|compaction/)
      } finally {
        client.socket.terminate()
        await client.closed
      }
    })
  })

  it('fails where the model writes no summary', async () => {
    const ada = await place(claude, { calls: [{ name: 'weather', args: {} }] })
    const body = { model: claude.model, store: false, input: [...HISTORY, TRIGGER] }
    expect((await post(ada.key, body)).status).toBe(502)
    expect(typesOf(await stream(ada, body).catch((error: Error) => [{ type: error.message }])).at(-1)).not.toBe(
      'response.completed',
    )
  })

  it.each([404, 400])(
    'gets a summary of a server in OpenAI’s place that refuses the trigger with %s',
    async (status) => {
      await weir.addChannel({ type: openai.type, models: openai.model })
      await weir.set('ModelRatio', { [openai.model]: 1 })
      const ada = await weir.addCaller({ quota: 100_000_000 })
      const message = "Invalid value: 'compaction_trigger'. Supported values are: 'message' and 'function_call'."
      weir.upstream.reply((request, turn) =>
        JSON.stringify(request.json).includes('compaction_trigger')
          ? {
              status,
              body: { error: { message, type: 'invalid_request_error', param: 'input', code: 'invalid_value' } },
            }
          : answering(openai, { text: SUMMARY })(request, turn),
      )
      const answer = await post(ada.key, { model: openai.model, store: false, input: [...HISTORY, TRIGGER] })
      expect([answer.status, JSON.parse(answer.text).output]).toMatchObject([200, [{ type: 'compaction' }]])
      expect(weir.upstream.requests).toHaveLength(2)
      expect(await ada.logs()).toMatchObject([{ type: 2, prompt_tokens: USAGE.prompt }])
    },
  )

  it('is answered by a provider that knows the trigger, and the item goes back to the account that made it alone', async () => {
    await weir.addChannel({ type: openai.type, models: openai.model })
    await weir.set('ModelRatio', { [openai.model]: 1 })
    const ada = await weir.addCaller({ quota: 100_000_000 })
    const response = { id: 'resp_c', object: 'response', created_at: 1, status: 'completed', model: openai.model }
    const usage = { input_tokens: 500, output_tokens: 77, total_tokens: 577 }
    weir.upstream.reply((request, turn) =>
      request.json.input.at(-1).type !== 'compaction_trigger'
        ? answering(openai, { text: 'Ada.' })(request, turn)
        : {
            chunks: [
              sse({ type: 'response.created', response: { ...response, output: [] } }, 'response.created'),
              sse({ type: 'response.output_item.done', output_index: 0, item: ITEM }, 'response.output_item.done'),
              sse(
                { type: 'response.completed', response: { ...response, output: [ITEM], usage } },
                'response.completed',
              ),
            ],
          },
    )
    const input = [...HISTORY, TRIGGER]
    const events = await stream(ada, { model: openai.model, store: false, input })
    expect(events.at(-1)!.response.output).toEqual([ITEM])
    expect(weir.upstream.requests.map(({ path, json }) => [path, json.input])).toEqual([['/v1/responses', input]])
    expect(await ada.logs()).toMatchObject([{ prompt_tokens: 500, completion_tokens: 77 }])

    await weir.addChannel({ type: openai.type, models: openai.model, key: 'sk-other', priority: 100 })
    const next = { model: openai.model, store: false, input: [ITEM, user('Who am I?')] }
    expect((await post(ada.key, next)).status).toBe(200)
    expect(weir.upstream.requests.at(-1)!.headers.authorization).not.toContain('sk-other')
  })
})
