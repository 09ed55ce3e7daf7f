// Providers that are asked in ways of their own, each with an answer that it really gave: what is sent to them, and
// what callers of other formats get.
import { generateKeyPair, exportPKCS8 } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Caller } from '../support/caller.ts'
import { eventually, openTestGateway, type TestGateway } from '../support/gateway.ts'
import { recordingById } from '../support/at-hand.ts'
import { recordingsHere, recordingsTitle, type Recording } from '../support/recordings.ts'
import { recorded } from '../support/upstream.ts'

const messages = [{ role: 'user' as const, content: 'Hello' }]
const BETAS = 'interleaved-thinking-2025-05-14, oauth-2025-04-20'

describe.skipIf(!recordingsHere)(recordingsTitle('clouds'), () => {
  let weir: TestGateway
  let ada: Caller
  let account: string
  beforeAll(async () => {
    weir = await openTestGateway()
    await weir.set('SelfUseModeEnabled', true)
    const { privateKey } = await generateKeyPair('RS256', { extractable: true })
    account = JSON.stringify({
      ...{ project_id: 'p1', client_email: 'weir@p1.iam.gserviceaccount.com' },
      ...{ private_key: await exportPKCS8(privateKey), token_uri: `${weir.upstream.url}/token` },
    })
    await weir.addChannel({ type: 3, models: 'azure-chat,claude-sonnet-4-6' })
    await weir.addChannel({ type: 3, models: 'azure-dated', other: '2024-02-01' })
    await weir.addChannel({ type: 33, models: 'claude-haiku-4-5,claude-opus-4-8', key: 'AKID|a secret key|us-east-1' })
    await weir.addChannel({ type: 39, models: '@cf/meta/llama-3.3-70b-instruct-fp8-fast', other: 'acc' })
    await weir.addChannel({ type: 41, models: 'claude-opus-4-1,gemini-2.5-flash', other: 'global', key: account })
    await weir.addChannel({ type: 38, models: 'an-embedding' })
    ada = await weir.addCaller({ quota: 1_000_000_000_000 })
  }, 60_000)
  afterAll(() => weir.close())

  const replay = (api: string, id: string): Recording => {
    const recording = recordingById(api, id)!
    weir.upstream.requests.splice(0)
    weir.upstream.reply(({ path }) =>
      path === '/token' ? { body: { access_token: 'a token', expires_in: 3600 } } : recorded(recording),
    )
    return recording
  }
  const asked = () => weir.upstream.requests.findLast(({ path }) => path !== '/token')!
  const chat = (model: string) => ada.openai.chat.completions.create({ model, messages })
  const streamed = async (model: string) => {
    const chunks = []
    const stream = await ada.openai.chat.completions.create({ model, messages, stream: true })
    for await (const chunk of stream) chunks.push(chunk)
    return chunks
  }
  type Row = Awaited<ReturnType<Caller['logs']>>[number]
  const logged = (wanted: (row: Row) => boolean) =>
    eventually(
      () => ada.logs(),
      (rows) => rows.some(wanted),
    )
  const said = (chunks: Awaited<ReturnType<typeof streamed>>) =>
    chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')

  it('Azure: the current address, and the one with a version; its filters break nothing', async () => {
    const recording = replay('openai.chat', 'gpt-5-nano-tool-round-trip-2-4a9c69d2')
    const body = recording.response.body as { choices: { message: { content: string } }[] }
    expect((await chat('azure-chat')).choices[0]!.message.content).toBe(body.choices[0]!.message.content)
    expect(asked()).toMatchObject({ path: '/openai/v1/chat/completions', headers: { 'api-key': expect.any(String) } })
    expect(asked().headers.authorization).toBeUndefined()
    await chat('azure-dated')
    expect(asked().path).toBe('/openai/deployments/azure-dated/chat/completions?api-version=2024-02-01')
    replay('openai.chat', 'gpt-5-1-chat-object-streaming-73489280')
    expect(await streamed('azure-chat')).not.toEqual([])
    await logged(({ model_name, is_stream, quota }) => model_name === 'azure-chat' && is_stream && quota > 0)
  })

  it('Cloudflare: the account in the address', async () => {
    replay('openai.chat', 'cloudflare-respects-turns-interface-1028294f')
    expect(said(await streamed('@cf/meta/llama-3.3-70b-instruct-fp8-fast'))).not.toBe('')
    expect(asked().path).toBe('/client/v4/accounts/acc/ai/v1/chat/completions')
  })

  it('Bedrock: a signed invocation, whole', async () => {
    const recording = replay('bedrock.invoke.anthropic', 'bedrock-prompt-caching-metrics-test-prompt-cache-ce705930')
    const body = recording.response.body as { content: { text: string }[]; usage: { output_tokens: number } }
    expect((await chat('claude-haiku-4-5')).choices[0]!.message.content).toBe(body.content[0]!.text)
    const { path, headers, json } = asked()
    expect(path).toBe(`/model/${encodeURIComponent('us.anthropic.claude-haiku-4-5-20251001-v1:0')}/invoke`)
    expect(headers.authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=AKID\/\d{8}\/us-east-1\/bedrock\/aws4_request/)
    expect(json).toMatchObject({ anthropic_version: 'bedrock-2023-05-31', max_tokens: expect.any(Number) })
    expect(json).not.toHaveProperty('model')
    expect(json).not.toHaveProperty('stream')
    await logged(
      ({ model_name, completion_tokens }) =>
        model_name === 'claude-haiku-4-5' && completion_tokens === body.usage.output_tokens,
    )
  })

  it('Bedrock: a stream out of its binary framing, and betas as fields', async () => {
    replay('bedrock.invoke.anthropic', 'invoke-model-with-response-stream-no-content-tool-call-ant-9e7fe2ef')
    const chunks = await streamed('claude-haiku-4-5')
    const calls = chunks.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? [])
    expect(calls.some((call) => call.function?.name)).toBe(true)
    const argumentsOf = (index: number) =>
      calls.flatMap((call) => (call.index === index ? (call.function?.arguments ?? '') : [])).join('')
    expect(JSON.parse(argumentsOf(0))).toBeTypeOf('object')
    expect(chunks.some(({ choices }) => choices[0]?.finish_reason === 'tool_calls')).toBe(true)
    const answer = await fetch(`${weir.url}/v1/messages`, {
      method: 'POST',
      headers: { 'x-api-key': ada.key, 'content-type': 'application/json', 'anthropic-beta': BETAS },
      body: JSON.stringify({ model: 'claude-haiku-4-5', max_tokens: 50, stream: true, messages, speed: 'fast' }),
    })
    const text = await answer.text()
    expect(text).toMatch(/^event: message_start\ndata: {/)
    expect(text).toContain('event: message_stop')
    expect(asked().json).toMatchObject({ anthropic_beta: ['interleaved-thinking-2025-05-14'] })
    expect(asked().headers['anthropic-beta']).toBeUndefined()
    expect(asked().json).not.toHaveProperty('speed')
    expect(answer.headers.get('x-weir-dropped')).toBe('oauth-2025-04-20, speed')
    expect(asked().path).toMatch(/\/invoke-with-response-stream$/)
  })

  it('Bedrock: later models at its copy of the format, under its own name', async () => {
    replay('anthropic.messages', 'claude-opus-4-1-20250805-reasoning-basic-d7df2964')
    await chat('claude-opus-4-8')
    expect(asked()).toMatchObject({
      path: '/anthropic/v1/messages',
      headers: { 'anthropic-version': '2023-06-01' },
      json: { model: 'anthropic.claude-opus-4-8' },
    })
    expect(asked().headers.authorization).toContain('/bedrock-mantle/aws4_request')
  })

  it('Bedrock: an error keeps its status and its words', async () => {
    const recording = replay('bedrock.invoke.anthropic', 'amazon-bedrock-amazon-bedrock-basic-a61b459f')
    const { message } = recording.response.body as { message: string }
    await expect(chat('claude-haiku-4-5')).rejects.toMatchObject({
      status: 503,
      message: expect.stringContaining(message),
    })
  })

  it('Vertex: Claude with a token for the service account', async () => {
    const recording = replay('anthropic.messages', 'claude-opus-4-1-20250805-reasoning-basic-d7df2964')
    const { content } = recording.response.body as { content: { type: string; text?: string }[] }
    const { choices } = await chat('claude-opus-4-1')
    expect(choices[0]!.message.content).toBe(content.find(({ type }) => type === 'text')!.text)
    expect(asked()).toMatchObject({
      path: '/v1/projects/p1/locations/global/publishers/anthropic/models/claude-opus-4-1@20250805:rawPredict',
      headers: { authorization: 'Bearer a token' },
      json: { anthropic_version: 'vertex-2023-10-16' },
    })
    expect(asked().json).not.toHaveProperty('model')
    replay('anthropic.messages', 'vertex-claude-3-7-sonnet-tool-streaming-71e628fb')
    await streamed('claude-opus-4-1')
    expect(asked().path).toMatch(/:streamRawPredict$/)
    expect(asked().json).toMatchObject({ stream: true })
  })

  it.each([
    ['claude-opus-4-1', '/v1/projects/p1/locations/global/publishers/anthropic/models/count-tokens:rawPredict'],
    ['claude-sonnet-4-6', '/anthropic/v1/messages/count_tokens'],
  ])('Vertex and Azure: the prompt of %s is counted there', async (model, path) => {
    weir.upstream.reply((request) =>
      request.path === '/token'
        ? { body: { access_token: 'a token', expires_in: 3600 } }
        : { body: { input_tokens: 44 } },
    )
    const answer = await fetch(`${weir.url}/v1/messages/count_tokens`, {
      method: 'POST',
      headers: { 'x-api-key': ada.key, 'content-type': 'application/json', 'anthropic-beta': BETAS },
      body: JSON.stringify({ model, messages }),
    })
    expect(await answer.json()).toEqual({ input_tokens: 44 })
    expect(answer.headers.get('x-weir-estimated')).toBeNull()
    expect(asked()).toMatchObject({ path, headers: { 'anthropic-beta': 'interleaved-thinking-2025-05-14' } })
    expect(asked().json.model).toMatch(model)
  })

  it('Vertex: Gemini, whose calls go without ids', async () => {
    replay('google.generateContent', 'vertex-gemini-2-5-flash-multi-tool-streaming-0b79a37b')
    const call = { id: 'call_1', type: 'function' as const, function: { name: 'f', arguments: '{"id":1}' } }
    const turns = [
      ...messages,
      { role: 'assistant' as const, tool_calls: [call] },
      { role: 'tool' as const, tool_call_id: 'call_1', content: '{"id":2}' },
    ]
    const stream = await ada.openai.chat.completions.create({
      model: 'gemini-2.5-flash',
      messages: turns,
      stream: true,
    })
    let chunks = 0
    for await (const chunk of stream) chunks += chunk.choices.length
    expect(chunks).toBeGreaterThan(0)
    expect(asked()).toMatchObject({
      path: '/v1/projects/p1/locations/global/publishers/google/models/gemini-2.5-flash:streamGenerateContent?alt=sse',
      headers: { authorization: 'Bearer a token' },
    })
    const sent = JSON.stringify(asked().json)
    expect(sent).toContain('functionResponse')
    expect(sent).not.toContain('call_1')
    expect(sent).toContain('"id":1')
  })

  it('a type that serves no such calls refuses, and nothing is sent or charged', async () => {
    weir.upstream.requests.splice(0)
    const before = (await ada.balances()).quota
    await expect(chat('an-embedding')).rejects.toMatchObject({ message: expect.stringContaining('cannot serve') })
    expect(weir.upstream.requests).toEqual([])
    expect((await ada.balances()).quota).toBe(before)
  })
})
