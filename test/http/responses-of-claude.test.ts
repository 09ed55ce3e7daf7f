// A client that asks for Responses on a Claude channel: what recorded answers say, in its own format, and back again.
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestGateway, type Caller, type TestGateway } from '../support/gateway.ts'
import type { Json } from '../support/json.ts'
import { recordingsHere, recordingsOf, recordingsTitle, type Recording } from '../support/recordings.ts'
import { recorded } from '../support/upstream.ts'

/** The recorded blocks by hand: texts, thoughts with their proofs, calls of the caller's tools. */
function blocksOf({ response }: Recording): Json[] {
  if (!response.sse) return (response.body as Json).content
  const blocks: Json[] = []
  for (const event of response.sse) {
    const data = /^data: ?(\{.*)$/m.exec(event)?.[1]
    const { type, index, content_block, delta }: Json = data ? JSON.parse(data) : {}
    if (type === 'content_block_start') blocks[index] = { ...content_block, json: '' }
    if (type !== 'content_block_delta') continue
    const block = blocks[index]
    block.text = (block.text ?? '') + (delta.text ?? '')
    block.thinking = (block.thinking ?? '') + (delta.thinking ?? '')
    block.signature = (block.signature ?? '') + (delta.signature ?? '')
    block.json += delta.partial_json ?? ''
  }
  return blocks
}

const recordings = recordingsOf('anthropic.messages').filter(({ response }) => {
  const ends = response.sse?.filter((event) => event.includes('"message_stop"')).length
  return response.status === 200 && (ends === undefined || ends === 1)
})

describe.skipIf(!recordingsHere)(recordingsTitle('recorded answers of Claude as Responses'), () => {
  let weir: TestGateway
  let ada: Caller
  beforeAll(async () => {
    weir = await openTestGateway()
    await weir.addChannel({ type: 14 })
    ada = await weir.addCaller({ quota: 1_000_000_000_000 })
  }, 60_000)
  afterAll(() => weir.close())

  it.each(recordings.map((one) => [`${one.provider}: ${one.id}`, one] as const))('%s', async (_, recording) => {
    weir.upstream.reply(recorded(recording))
    const params = { model: weir.model, input: 'Hello' }
    const answer = recording.response.sse
      ? await ada.openai.responses.stream(params).finalResponse()
      : await ada.openai.responses.create(params)
    const blocks = blocksOf(recording)
    const of = (type: string) => blocks.filter((block) => block.type === type)
    expect(answer.output_text).toBe(
      of('text')
        .map(({ text }) => text)
        .join(''),
    )
    const output = answer.output as Json[]
    const calls = output.filter((item) => item.type === 'function_call')
    expect(calls.map(({ call_id, name }) => ({ id: call_id, name }))).toEqual(
      of('tool_use').map(({ id, name }) => ({ id, name })),
    )
    const thoughts = output.filter((item) => item.type === 'reasoning')
    expect(thoughts.map(({ summary }) => summary.map(({ text }: Json) => text).join('')).join('')).toBe(
      of('thinking')
        .map(({ thinking }) => thinking)
        .join(''),
    )
    const proofs = of('thinking')
      .map(({ signature }) => signature)
      .filter(Boolean)
    expect(
      thoughts
        .flatMap(({ encrypted_content }) => encrypted_content ?? [])
        .filter((one) => !one.startsWith('redacted.')),
    ).toEqual(proofs)

    // What the client sends back reaches Claude with its proofs.
    weir.upstream.requests.length = 0
    const input = [{ role: 'user', content: 'Hello' }, ...answer.output, { role: 'user', content: 'And?' }]
    await ada.openai.responses.create({ ...params, input: input as OpenAI.Responses.ResponseInput }).catch(() => {})
    const sent = JSON.stringify(weir.upstream.requests[0]?.json.messages ?? [])
    for (const proof of proofs) expect(sent).toContain(proof)
  })
})
