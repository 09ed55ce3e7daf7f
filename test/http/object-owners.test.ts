// A provider's own objects: named in each place of each format by the account that has them, by others, and where root opens
// them; and got by an answer, whole or streamed.
import { beforeEach, describe, expect, it } from 'vitest'
import type { OwnedObject } from '../../core/calls/owned-object.ts'
import { anthropicMessages } from '../../core/dialects/anthropic-messages/index.ts'
import { geminiGenerate } from '../../core/dialects/gemini-generate/index.ts'
import { openaiChat } from '../../core/dialects/openai-chat/index.ts'
import { openaiResponses } from '../../core/dialects/openai-responses/index.ts'
import { deregisterUser } from '../../core/users/account.ts'
import { ledgerWrite } from '../storage/samples.ts'
import { createCaller, type Caller } from '../support/caller.ts'
import { describeWithGateway } from '../support/gateway.ts'
import type { Json } from '../support/json.ts'
import { listObjectPlaces, namingBody } from '../support/object-places.ts'
import { send } from '../support/server.ts'
import { sampleCases } from '../support/suite.ts'
import { joinTeam } from '../support/teams.ts'
import { chatReply } from '../support/upstream.ts'

const usage = { input_tokens: 3, output_tokens: 2, total_tokens: 5 }
const response = {
  id: 'resp_plain',
  object: 'response',
  status: 'completed',
  model: 'm',
  output: [] as object[],
  usage,
}
const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  stop_reason: 'end_turn',
  stop_sequence: null,
}
const said = { role: 'model', parts: [{ text: 'Hello' }] }
const counted = { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 }
const hello = [{ role: 'user', content: 'Hello' }]

const VENDORS = [
  {
    ...{ format: openaiResponses, type: 1, path: '/v1/responses', base: { input: 'Hello' }, refused: 404 },
    reply: { body: response },
  },
  {
    ...{ format: openaiChat, type: 1, path: '/v1/chat/completions', base: { messages: hello }, refused: 404 },
    reply: chatReply('Hello', { prompt_tokens: 3, completion_tokens: 2 }),
  },
  {
    ...{
      format: anthropicMessages,
      type: 14,
      path: '/v1/messages',
      base: { max_tokens: 9, messages: hello },
      refused: 404,
    },
    reply: { body: { ...message, content: [{ type: 'text', text: 'Hello' }], usage } },
  },
  {
    ...{ format: geminiGenerate, type: 24, path: '/v1beta/models/gpt-4o-mini:generateContent', refused: 403 },
    base: { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] },
    reply: { body: { candidates: [{ content: said, finishReason: 'STOP' }], usageMetadata: counted } },
  },
] as const

describeWithGateway('a provider’s own objects', (weir) => {
  let made = 0
  const ask = (caller: Pick<Caller, 'key'>, path: string, body: object) =>
    send('POST', `${weir.url}${path}`, {
      headers: {
        authorization: `Bearer ${caller.key}`,
        'x-goog-api-key': caller.key,
        'anthropic-version': '2023-06-01',
      },
      body: { model: weir.model, ...body },
    })
  async function have(object: Partial<OwnedObject>): Promise<void> {
    const row: OwnedObject = {
      ...{ kind: 'file', id: '', channel_id: 0, key: '', account_id: 0, user_id: 0, token_id: 0, model: weir.model },
      ...{ stem: '', items: '', created_at: Date.now(), expires_at: null, ...object },
    }
    await weir.gateway.ports.storage.ledger.commit(ledgerWrite({ objects: [row] }))
  }

  describe.each(VENDORS.map((vendor) => [vendor.format.name, vendor] as const))('named by %s', (_name, vendor) => {
    const { format, type, path, base, refused } = vendor
    const places = listObjectPlaces(format.objects.request).filter(
      ({ path: [first] }) =>
        !['content', 'requests', 'generateContentRequest', 'generate_content_request'].includes(first!),
    )
    let ada: Caller, eve: Caller, mate: Caller, team: number, channel: number

    beforeEach(async () => {
      const channels = [await weir.addChannel({ type }), await weir.addChannel({ type })]
      channel = channels[1]!.id
      ada = await weir.addCaller({ quota: 1_000_000 })
      eve = await weir.addCaller({ quota: 1_000_000 })
      const owner = await weir.addVisitor({ quota: 1_000_000 })
      team = (await owner.client.teams.create({ name: `team ${++made}` })).id
      await owner.client.teams.transfer({ id: team, amount: 500_000 } as never)
      await joinTeam(weir.gateway, { id: team, username: eve.user.username })
      const token = await weir.addToken(eve.user, { team_id: team } as never)
      mate = createCaller(weir, eve.user, 'x', token)
      weir.upstream.reply(vendor.reply)
    })

    it('pass for the account that has them, at their channel, and where root opens them; for nobody else', async () => {
      for (const { kind, path: at } of sampleCases(places, 8)) {
        const place = at.join('.')
        const known = kind === 'item' ? ('response' as const) : kind
        const id = kind === 'file' ? `files/own-${++made}` : `own_${++made}`
        const row = (account_id: number) => ({
          ...{ kind: known, id: kind === 'item' ? `answer_of_${id}` : id, account_id, user_id: ada.user.id },
          ...{ channel_id: channel, items: kind === 'item' ? ` ${id} ` : '' },
        })
        const body = { ...base, ...namingBody(at, id) }
        const status = async (caller: Pick<Caller, 'key'>) => (await ask(caller, path, body)).status
        const no = kind === 'response' ? 400 : refused

        const sent = weir.upstream.requests.length
        const unknown = await ask(ada, path, body)
        expect([unknown.status, weir.upstream.requests.length], `unknown ${place}`).toEqual([no, sent])
        await have(row(ada.user.id))
        const others = await ask(eve, path, body)
        expect([others.status, weir.upstream.requests.length], `another’s ${place}`).toEqual([no, sent])
        expect(words(others.json)).toEqual(words(unknown.json))
        expect(await status(mate), `a team’s ${place}`).toBe(no)
        expect(await status(ada), `own ${place}`).toBe(200)
        const used = (await ada.logs())[0]!.channel
        expect(used, `the channel of ${place}`).toBe(channel)
        expect(JSON.stringify(weir.upstream.requests.at(-1)!.json)).toContain(id)

        await weir.set('objects.allowed', { default: [`${kind}:${id}`] })
        expect(await status(eve), `allowed ${place}`).toBe(200)
        await weir.set('objects.allowed', { default: [`${kind}:${id}x`], vip: ['*'] })
        expect(await status(eve), `another allowed ${place}`).toBe(no)
        await weir.set('objects.allowed', {})
      }
      await weir.set('objects.one_tenant', true)
      for (const { kind, path: at } of sampleCases(places, 12)) {
        if (kind === 'response') continue
        const body = { ...base, ...namingBody(at, kind === 'file' ? 'files/any' : 'any') }
        expect((await ask(eve, path, body)).status, at.join('.')).toBe(200)
      }
    })

    it('are a team’s together, and stay closed when who got them deregisters', async () => {
      const { kind, path: at } = places.find((each) => each.kind === 'file')!
      const [own, theirs] = [`files/own-${++made}`, `files/team-${++made}`]
      await have({ kind, id: own, account_id: ada.user.id, user_id: ada.user.id, channel_id: channel })
      await have({ kind, id: theirs, account_id: team, user_id: ada.user.id, channel_id: channel })
      const status = async (caller: Pick<Caller, 'key'>, id: string) =>
        (await ask(caller, path, { ...base, ...namingBody(at, id) })).status
      expect([await status(mate, theirs), await status(eve, theirs), await status(ada, theirs)]).toEqual([
        200,
        refused,
        refused,
      ])
      await weir.gateway.ports.storage.transaction((within) => deregisterUser(within, ada.user, 1_800_000_000))
      expect([await status(eve, own), await status(mate, own)]).toEqual([refused, refused])
      // Nor can an answer give it to somebody else.
      await have({ kind, id: own, account_id: eve.user.id, user_id: eve.user.id, channel_id: channel })
      expect(await status(eve, own)).toBe(refused)
    })
  })

  const output = (n: number): object[] => [
    {
      type: 'code_interpreter_call',
      id: `ci_${n}`,
      status: 'completed',
      code: '',
      container_id: `cntr_${n}`,
      outputs: [],
    },
    {
      ...{ type: 'message', id: `msg_${n}`, role: 'assistant', status: 'completed' },
      content: [
        {
          ...{ type: 'output_text', text: 'Hello', logprobs: [] },
          annotations: [
            { type: 'container_file_citation', container_id: `cntr_${n}`, file_id: `cfile_${n}`, filename: 'a' },
          ],
        },
      ],
    },
  ]
  const GIVEN: [string, (n: number) => Json, (n: number) => object[]][] = [
    [
      '/v1/responses',
      (n) => ({ ...response, id: `resp_${n}`, conversation: { id: `conv_${n}` }, output: output(n) }),
      (n) => [
        { previous_response_id: `resp_${n}` },
        { conversation: `conv_${n}` },
        {
          input: [
            { type: 'item_reference', id: `msg_${n}` },
            { role: 'user', content: 'x' },
          ],
        },
        { tools: [{ type: 'code_interpreter', container: `cntr_${n}` }] },
        { input: [{ role: 'user', content: [{ type: 'input_file', file_id: `cfile_${n}` }] }] },
      ],
    ],
    [
      '/v1/messages',
      (n) => ({
        ...{ ...message, usage, container: { id: `container_${n}`, expires_at: '2099-01-01T00:00:00Z' } },
        content: [
          {
            ...{ type: 'code_execution_tool_result', tool_use_id: 's' },
            content: {
              type: 'code_execution_result',
              content: [{ type: 'code_execution_output', file_id: `file_${n}` }],
            },
          },
          { type: 'text', text: 'Hello' },
        ],
      }),
      (n) => [
        { container: `container_${n}` },
        { messages: [{ role: 'user', content: [{ type: 'container_upload', file_id: `file_${n}` }] }] },
      ],
    ],
  ]
  const events: Record<string, (whole: Json) => object[]> = {
    '/v1/responses': (whole) => [
      { type: 'response.created', response: { ...whole, status: 'in_progress', output: [] } },
      { type: 'response.output_text.delta', item_id: 'm', output_index: 0, content_index: 0, delta: 'Hello' },
      { type: 'response.completed', response: whole },
    ],
    '/v1/messages': ({ content, container, ...whole }) => [
      { type: 'message_start', message: { ...whole, content: [], stop_reason: null } },
      ...content.map((content_block: object, index: number) => ({ type: 'content_block_start', index, content_block })),
      { type: 'message_delta', delta: { stop_reason: 'end_turn', container }, usage },
      { type: 'message_stop' },
    ],
  }
  const cases = GIVEN.flatMap(([path, whole, names]) =>
    [false, true].map((stream) => [path, stream ? 'streamed' : 'whole', { stream, whole, names }] as const),
  )
  it.each(cases)('got by an answer of %s, %s, are the account’s', async (path, _how, { stream, whole, names }) => {
    const type = path === '/v1/messages' ? 14 : 1
    const base = type === 14 ? { max_tokens: 9, messages: hello } : { input: 'Hello' }
    await weir.addChannel({ type })
    await weir.addChannel({ type })
    const [ada, eve] = [await weir.addCaller({ quota: 1_000_000 }), await weir.addCaller({ quota: 1_000_000 })]
    const n = ++made
    const chunks = () =>
      events[path]!(whole(n)).map((event) => `event: ${(event as Json).type}\ndata: ${JSON.stringify(event)}\n\n`)
    weir.upstream.reply(stream ? { chunks: chunks() } : { body: whole(n) })
    expect((await ask(ada, path, { ...base, stream })).status).toBe(200)
    const channel = (await ada.logs())[0]!.channel
    weir.upstream.reply({ body: whole(++made) })
    for (const named of names(n)) {
      const theirs = await ask(eve, path, { ...base, ...named })
      expect([400, 404], JSON.stringify(named)).toContain(theirs.status)
      expect((await ask(ada, path, { ...base, ...named })).status, JSON.stringify(named)).toBe(200)
      expect((await ada.logs())[0]!.channel).toBe(channel)
    }
    expect(weir.upstream.requests).toHaveLength(1 + names(n).length)
  })

  it('at two channels are in no call together, and public addresses are none', async () => {
    const [one, two] = [await weir.addChannel({ type: 24 }), await weir.addChannel({ type: 24 })]
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const { path, reply } = VENDORS[3]
    weir.upstream.reply(reply)
    await have({ kind: 'file', id: 'files/one', account_id: ada.user.id, channel_id: one.id })
    await have({ kind: 'file', id: 'files/two', account_id: ada.user.id, channel_id: two.id })
    const files = (...uris: string[]) => ({
      contents: [{ role: 'user', parts: uris.map((fileUri) => ({ fileData: { fileUri, mimeType: 'text/plain' } })) }],
    })
    expect((await ask(ada, path, files('files/one', 'files/two'))).status).toBe(400)
    const google = 'https://generativelanguage.googleapis.com/v1beta/files'
    expect((await ask(ada, path, files(`${google}/one`, 'https://youtu.be/x'))).status).toBe(200)
    expect((await ask(ada, path, files(`${google}/three`))).status).toBe(403)
  })

  it('are models that somebody has made, too', async () => {
    const tuned = 'ft:gpt-4o-mini:acme::1'
    const { id } = await weir.addChannel({ models: tuned })
    await weir.set('ModelRatio', { ...weir.gateway.settings().ModelRatio, [tuned]: 1 })
    const [ada, eve] = [await weir.addCaller({ quota: 1_000_000 }), await weir.addCaller({ quota: 1_000_000 })]
    weir.upstream.reply(VENDORS[1].reply)
    await have({ kind: 'model', id: tuned, account_id: ada.user.id, channel_id: id })
    const status = async (caller: Caller) =>
      (await ask(caller, '/v1/chat/completions', { model: tuned, messages: hello })).status
    expect([await status(ada), await status(eve)]).toEqual([200, 404])
    await weir.set('objects.allowed', { '*': ['model:ft:gpt-4o-mini:*'] })
    expect(await status(eve)).toBe(200)
  })
})

/** What a refusal says, whatever the id and the request. */
const words = (json: Json): string =>
  JSON.stringify(json)
    .replace(/\(request id: \w+\)|"request_id":"\w+"/g, '')
    .replace(/'[^']*own[-_]\d+'/g, 'it')
