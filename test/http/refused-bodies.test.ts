// Bodies that Weir refuses before anybody is asked: status, body, the client's own error class, and money untouched.
import { gzipSync } from 'node:zlib'
import { APIError } from 'openai'
import { expect, it } from 'vitest'
import { describeWithGateway } from '../support/gateway.ts'
import { listFailures } from '../support/list-failures.ts'
import { refuses } from '../support/refusals.ts'
import { send } from '../support/server.ts'
import { chatReply } from '../support/upstream.ts'

describeWithGateway('a call is refused', (weir) => {
  const quota = 1_000_000

  const bodies: [name: string, body: object | string, message: string | RegExp, code: string, param?: string][] = [
    ['that is no JSON', '{"model": ', 'Invalid request, the body is not valid JSON', 'invalid_json'],
    ['that is empty', '', 'Invalid request, the body is not valid JSON', 'invalid_json'],
    ['that is a list', '[]', 'Invalid request, the body is not valid JSON', 'invalid_json'],
    [
      'without a model',
      { model: undefined },
      'Invalid request, no model is named',
      'missing_required_parameter',
      'model',
    ],
    [
      'with an empty model',
      { model: ' ' },
      'Invalid request, no model is named',
      'missing_required_parameter',
      'model',
    ],
    [
      'with a number for a model',
      { model: 5 },
      'Invalid request, no model is named',
      'missing_required_parameter',
      'model',
    ],
    ['without messages', { messages: undefined }, /messages is required/, 'invalid_text_request', 'messages'],
    ['with no messages', { messages: [] }, /messages is required/, 'invalid_text_request', 'messages'],
    [
      'with messages that are texts',
      { messages: ['hi'] },
      /messages\[0\] must be an object/,
      'invalid_text_request',
      'messages[0]',
    ],
    ['with stream as a text', { stream: 'true' }, /stream must be true or false/, 'invalid_text_request', 'stream'],
    [
      'with a negative max_tokens',
      { max_tokens: -1 },
      /max_tokens must be a whole number/,
      'invalid_text_request',
      'max_tokens',
    ],
    [
      'with an endless max_tokens',
      { max_tokens: 1e300 },
      /max_tokens must be a whole number/,
      'invalid_text_request',
      'max_tokens',
    ],
    [
      'nested 100,000 deep',
      `{"model":"gpt-4o-mini","messages":${'['.repeat(1e5)}`,
      /nested more than 128 levels deep/,
      'invalid_text_request',
      'messages',
    ],
  ]

  it('with a body that cannot be read', async () => {
    await weir.addChannel()
    const ada = await weir.addCaller({ quota })
    const before = await ada.balances()
    const wrong = await listFailures(
      bodies,
      ([name]) => name,
      async ([, body, message, code, param]) => {
        const answer =
          typeof body === 'string'
            ? await send('POST', `${weir.url}/v1/chat/completions`, { headers: { authorization: ada.key }, body })
            : await ada.chat(body)
        expect(answer.status).toBe(400)
        expect(answer.json.error.message).toMatch(message)
        expect(answer.json.error).toMatchObject({ type: 'new_api_error', code, param: param ?? null })
        expect(await ada.balances()).toEqual(before)
      },
    )
    expect(wrong).toEqual([])
    expect(weir.upstream.requests).toHaveLength(0)
  })

  it('with a body that is too large, told by its length or found out on the way', async () => {
    await weir.set('relay.max_body_megabytes', 1)
    const ada = await weir.addCaller({ quota })
    const content = 'x'.repeat(1024 * 1024)
    const told = await ada.chat({ messages: [{ role: 'user', content }] })
    expect(told.status).toBe(413)
    expect(told.json.error).toMatchObject({ type: 'new_api_error', param: null, code: 'request_too_large' })
    expect(told.json.error.message).toContain('The request body is larger than 1 MiB')
    const raises = APIError
    const large = () =>
      ada.openai.chat.completions.create({
        model: weir.model,
        messages: [{ role: 'user', content: content.repeat(5) }],
      })
    await refuses(large, {
      status: 413,
      code: 'request_too_large',
      message: 'The request body is larger than 1 MiB',
      raises,
    })
    async function* pieces() {
      for (let piece = 0; piece < 64; piece++) yield Buffer.alloc(64 * 1024, 'x')
    }
    const streamed = await fetch(`${weir.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: ada.key },
      body: pieces() as unknown as ReadableStream,
      duplex: 'half',
    } as RequestInit)
    expect(streamed.status).toBe(413)
  })

  it('with a small body that unpacks to a huge one', async () => {
    await weir.set('relay.max_body_megabytes', 1)
    const ada = await weir.addCaller({ quota })
    const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024, ' '))
    expect(bomb.length).toBeLessThan(1024 * 1024)
    const before = process.memoryUsage().rss
    const answer = await send('POST', `${weir.url}/v1/chat/completions`, {
      headers: { authorization: ada.key, 'content-encoding': 'gzip' },
      body: bomb,
    })
    expect(answer.status).toBe(413)
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024)
  })

  it('never when the body is packed and small', async () => {
    await weir.addChannel()
    const ada = await weir.addCaller({ quota })
    weir.upstream.reply(chatReply('Hello', { prompt_tokens: 1, completion_tokens: 1 }))
    const body = gzipSync(JSON.stringify({ model: weir.model, messages: [{ role: 'user', content: 'Hello' }] }))
    const answer = await send('POST', `${weir.url}/v1/chat/completions`, {
      headers: { authorization: ada.key, 'content-encoding': 'gzip' },
      body,
    })
    expect(answer.json.choices[0].message.content).toBe('Hello')
    const broken = await send('POST', `${weir.url}/v1/chat/completions`, {
      headers: { authorization: ada.key, 'content-encoding': 'gzip' },
      body: 'this is not gzip',
    })
    expect(broken.status).toBe(400)
  })
})
