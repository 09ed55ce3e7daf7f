// Signed reasoning returns to the account that made it: short conversations also go back to that channel and key.
import { describe, expect, it } from 'vitest'
import type { Caller } from '../support/caller.ts'
import { describeWithGateway } from '../support/gateway.ts'
import type { Json } from '../support/json.ts'
import { send, type HttpAnswer } from '../support/server.ts'
import type { ReceivedRequest, TestReply } from '../support/upstream.ts'

/** A vendor whose every key is an account of its own: each takes back what it sealed itself, and refuses the rest. */
interface Vendor {
  name: string
  type: number
  model: string
  path(model: string, stream: boolean): string
  /** A first request, and one that goes on with the answer. */
  ask: object
  goOn(answer: Json): object
  keyOf(request: ReceivedRequest): string
  proofs(body: Json): string[]
  answer(proof: string): object
  stream(proof: string): string[]
  refusal: TestReply
}

const sse = (data: Json, event?: string) => `${event ? `event: ${event}\n` : ''}data: ${JSON.stringify(data)}\n\n`
const bearer = ({ headers }: ReceivedRequest) => String(headers.authorization).replace('Bearer ', '')
const said = (id: string) => ({
  ...{ id, type: 'message', role: 'assistant', status: 'completed' },
  content: [{ type: 'output_text', text: 'Hello', annotations: [] }],
})
const sealed = (proof: string) => ({ id: 'rs_68', type: 'reasoning', summary: [], encrypted_content: proof })
const responseOf = (proof: string) => ({
  ...{ id: 'resp_68abcdef', object: 'response', created_at: 1, status: 'completed', model: 'gpt-5-mini' },
  output: [sealed(proof), said('msg_68')],
  usage: { input_tokens: 9, output_tokens: 9, total_tokens: 18 },
})
const messageOf = (content: Json[]) => ({
  ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-sonnet-4-5', content },
  ...{ stop_reason: 'end_turn', stop_sequence: null, usage: { input_tokens: 9, output_tokens: 9 } },
})
const thinking = (signature: string) => ({ type: 'thinking', thinking: 'Well.', signature })
const partsOf = (thoughtSignature: string) => [{ text: 'Hello', thoughtSignature }]
const chunkOf = (parts: Json[], more: object = {}) => ({
  candidates: [{ content: { role: 'model', parts }, index: 0, ...more }],
  usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 9, totalTokenCount: 18 },
  ...{ responseId: 'r', modelVersion: 'gemini-3-flash-preview' },
})

const vendors: Vendor[] = [
  {
    ...{ name: 'OpenAI', type: 1, model: 'gpt-5-mini', path: () => '/v1/responses' },
    ask: { model: 'gpt-5-mini', input: 'Hi', store: false, include: ['reasoning.encrypted_content'] },
    goOn: ({ output }) => ({ model: 'gpt-5-mini', store: false, input: [...output, { role: 'user', content: 'On' }] }),
    keyOf: bearer,
    proofs: ({ input }) => (Array.isArray(input) ? input.flatMap(({ encrypted_content: one }: Json) => one ?? []) : []),
    answer: responseOf,
    stream: (proof) => [
      sse({ type: 'response.created', response: { ...responseOf(proof), output: [] } }, 'response.created'),
      sse({ type: 'response.output_item.done', output_index: 0, item: sealed(proof) }, 'response.output_item.done'),
      sse({ type: 'response.output_text.delta', output_index: 1, delta: 'Hello' }, 'response.output_text.delta'),
      sse({ type: 'response.completed', response: responseOf(proof) }, 'response.completed'),
    ],
    refusal: {
      status: 400,
      body: {
        error: {
          message: 'The encrypted content gAAA...DQ== could not be verified.',
          ...{ type: 'invalid_request_error', param: null, code: 'invalid_encrypted_content' },
        },
      },
    },
  },
  {
    ...{ name: 'Anthropic', type: 14, model: 'claude-sonnet-4-5', path: () => '/v1/messages' },
    ask: { model: 'claude-sonnet-4-5', max_tokens: 2000, messages: [{ role: 'user', content: 'Hi' }] },
    goOn: ({ content }) => ({
      ...{ model: 'claude-sonnet-4-5', max_tokens: 2000 },
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content },
        { role: 'user', content: 'On' },
      ],
    }),
    keyOf: ({ headers }) => String(headers['x-api-key']),
    proofs: ({ messages }) =>
      messages.flatMap(({ content }: Json) =>
        Array.isArray(content) ? content.flatMap(({ signature }: Json) => signature ?? []) : [],
      ),
    answer: (proof) => messageOf([thinking(proof), { type: 'text', text: 'Hello' }]),
    stream: (proof) =>
      [
        { type: 'message_start', message: { ...messageOf([]), stop_reason: null } },
        { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Well.' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: proof } },
        { type: 'content_block_stop', index: 0 },
        { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
        { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Hello' } },
        { type: 'content_block_stop', index: 1 },
        { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 9 } },
        { type: 'message_stop' },
      ].map((event) => sse(event, event.type)),
    refusal: {
      status: 400,
      body: {
        type: 'error',
        error: {
          type: 'invalid_request_error',
          message: 'messages.1.content.0: Invalid `signature` in `thinking` block',
        },
      },
    },
  },
  {
    ...{ name: 'Gemini', type: 24, model: 'gemini-3-flash-preview' },
    path: (model, stream) => `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    ask: { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
    goOn: ({ candidates: [{ content }] }) => ({
      contents: [{ role: 'user', parts: [{ text: 'Hi' }] }, content, { role: 'user', parts: [{ text: 'On' }] }],
    }),
    keyOf: ({ headers }) => String(headers['x-goog-api-key']),
    proofs: ({ contents }) =>
      contents.flatMap(({ parts }: Json) => parts.flatMap(({ thoughtSignature }: Json) => thoughtSignature ?? [])),
    answer: (proof) => chunkOf(partsOf(proof), { finishReason: 'STOP' }),
    stream: (proof) => [sse(chunkOf(partsOf(proof))), sse(chunkOf([{ text: '' }], { finishReason: 'STOP' }))],
    refusal: {
      status: 400,
      body: {
        error: {
          ...{ code: 400, status: 'INVALID_ARGUMENT' },
          message: 'Unable to submit request because Thought signature is not valid.',
        },
      },
    },
  },
]

const [openai] = vendors as [Vendor]
const FEW = ['account-one-0123', 'account-two-0123', 'account-six-0123']

describeWithGateway('proofs of thought', (weir) => {
  /** Every key of it is an account that seals with its own name, whoever asks in which format. */
  function play(vendor: Vendor) {
    let made = 0
    weir.upstream.reply((request) => {
      const key = vendor.keyOf(request)
      // A vendor's own proof never begins as ours do.
      if (vendor.proofs(request.json).some((proof) => !proof.startsWith(`sealed.${key}`))) return vendor.refusal
      const proof = `sealed.${key}.${'a'.repeat(100)}${made++}`
      const streams = request.json.stream === true || request.path.includes('stream')
      return streams ? { chunks: vendor.stream(proof) } : { body: vendor.answer(proof) }
    })
  }
  const post = (ada: Caller, path: string, body: object): Promise<HttpAnswer> =>
    send('POST', `${weir.url}${path}`, { headers: { authorization: `Bearer ${ada.key}` }, body })
  async function caller(vendor: Vendor): Promise<Caller> {
    await weir.set('ModelRatio', { ...weir.gateway.settings().ModelRatio, [vendor.model]: 1 })
    return weir.addCaller({ quota: 100_000_000 })
  }
  const channels = async (vendor: Vendor, keys = FEW) => {
    for (const key of keys) await weir.addChannel({ type: vendor.type, models: vendor.model, key })
  }
  const several = (vendor: Vendor) =>
    weir.addChannel({ type: vendor.type, models: vendor.model, key: FEW.join('\n'), key_mode: 'random' })
  const sent = () => weir.upstream.requests.length

  describe.each(vendors.map((vendor) => [vendor.name, vendor] as const))('of %s', (_, vendor) => {
    const { model } = vendor
    it.each([
      ['channel', channels],
      ['key of one channel', several],
    ])('go back to the %s that made them, at the first try', async (_what, place) => {
      await place(vendor)
      play(vendor)
      const ada = await caller(vendor)
      for (let conversation = 0; conversation < 6; conversation++) {
        const first = await post(ada, vendor.path(model, false), vendor.ask)
        const before = sent()
        const second = await post(ada, vendor.path(model, false), vendor.goOn(first.json))
        expect(second.status, second.text).toBe(200)
        expect(sent() - before).toBe(1)
        expect(weir.upstream.requests.slice(-2).map(vendor.keyOf)).toEqual(
          Array(2).fill(vendor.keyOf(weir.upstream.requests.at(-1)!)),
        )
      }
    })

    it('go back where they were streamed from', async () => {
      await channels(vendor)
      play(vendor)
      const ada = await caller(vendor)
      for (let conversation = 0; conversation < 6; conversation++) {
        const streamed = await post(ada, vendor.path(model, true), {
          ...vendor.ask,
          ...(vendor.name === 'Gemini' ? {} : { stream: true }),
        })
        expect(streamed.status).toBe(200)
        const proof = /sealed\.[\w.-]+/.exec(streamed.text)![0]
        const before = sent()
        const second = await post(ada, vendor.path(model, false), vendor.goOn(vendor.answer(proof)))
        expect([second.status, sent() - before], second.text).toEqual([200, 1])
      }
    })

    it('whose maker nobody remembers are tried on the others, and the right one takes them', async () => {
      await channels(vendor)
      play(vendor)
      const ada = await caller(vendor)
      await weir.set('RetryTimes', 0)
      for (const key of FEW) {
        const answer = await post(
          ada,
          vendor.path(model, false),
          vendor.goOn(vendor.answer(`sealed.${key}.from-before`)),
        )
        expect(answer.status, answer.text).toBe(200)
        expect(vendor.keyOf(weir.upstream.requests.at(-1)!)).toBe(key)
        expect(answer.headers['x-weir-dropped']).toBeUndefined()
      }
    })

    it('whose maker is gone are left out, and named', async () => {
      await channels(vendor)
      play(vendor)
      const ada = await caller(vendor)
      const answer = await post(ada, vendor.path(model, false), vendor.goOn(vendor.answer('sealed.account-gone.x')))
      expect(answer.status, answer.text).toBe(200)
      expect(String(answer.headers['x-weir-dropped']).split(', ')).toContain('reasoning_content')
      const last = weir.upstream.requests.at(-1)!
      expect(vendor.proofs(last.json)).toEqual([])
      expect(JSON.stringify(last.json)).toContain('Hello')
      expect((await ada.balances()).request_count).toBe(1)
    })
  })

  it('tell a caller of another format whose they are: also to a Weir that remembers nothing', async () => {
    const claude = vendors[1]!
    await channels(claude)
    play(claude)
    const ada = await caller(claude)
    for (let conversation = 0; conversation < 6; conversation++) {
      const one = await post(ada, '/v1/responses', { model: claude.model, input: 'Hi', store: false })
      const sealedProof = one.json.output.find((item: Json) => item.type === 'reasoning').encrypted_content
      expect(sealedProof).toMatch(/^weia[a-z]{12}[0-9a-z]{8}sealed\./)
      const before = sent()
      const input = [...one.json.output, { role: 'user', content: 'On' }]
      const two = await post(ada, '/v1/responses', { model: claude.model, input, store: false })
      expect([two.status, sent() - before], two.text).toEqual([200, 1])
      expect(claude.proofs(weir.upstream.requests.at(-1)!.json)).toHaveLength(1)
    }
  })

  it('are not tried elsewhere where a channel was asked for by name', async () => {
    await channels(openai)
    play(openai)
    await weir.set('ModelRatio', { ...weir.gateway.settings().ModelRatio, [openai.model]: 1 })
    const ada = await weir.addCaller({ quota: 100_000_000, patch: { role: 10 } })
    const [one] = await weir.gateway.ports.storage.channels.all()
    const answer = await send('POST', `${weir.url}/v1/responses`, {
      headers: { authorization: `Bearer ${ada.key}-${one!.id}` },
      body: openai.goOn(openai.answer('sealed.account-gone.x') as Json),
    })
    expect([answer.status, sent()]).toEqual([400, 1])
    expect(answer.json.error.code).toBe('invalid_encrypted_content')
  })
})
