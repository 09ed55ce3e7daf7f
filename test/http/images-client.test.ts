// The official client's pictures against a real server: made of words, and of other pictures sent as a form or as JSON.
import { toFile } from 'openai'
import { describe, expect, it } from 'vitest'
import type { Caller } from '../support/caller.ts'
import { describeWithGateway } from '../support/gateway.ts'
import { formIn } from '../support/form.ts'

const picture = { created: 1, data: [{ url: 'https://pictures.test/1.png' }] }

describeWithGateway('pictures', (weir) => {
  async function charged<T>(ada: Caller, ask: () => Promise<T>): Promise<{ value: T; quota: number }> {
    const before = await ada.balances()
    const value = await ask()
    return { value, quota: before.quota - (await ada.balances()).quota }
  }

  it('are charged by size, quality and number', async () => {
    await weir.addChannel({ models: 'dall-e-3' })
    const ada = await weir.addCaller({ quota: 1_000_000 })
    weir.upstream.reply({ body: picture })
    const asked = { model: 'dall-e-3', prompt: 'a fish', size: '1024x1792', quality: 'hd' } as const
    const { value, quota } = await charged(ada, () => ada.openai.images.generate(asked))
    expect(value).toEqual(picture)
    expect(weir.upstream.requests[0]).toMatchObject({ path: '/v1/images/generations', json: asked })
    // 0.04 USD, twice for the size, one and a half times for the quality.
    expect(quota).toBe(60_000)
    expect((await ada.logs())[0]).toMatchObject({ prompt_tokens: 1, completion_tokens: 0, quota: 60_000 })
  })

  it('are held for before they are asked for', async () => {
    await weir.addChannel({ models: 'dall-e-3' })
    const ada = await weir.addCaller({ quota: 70_000 })
    weir.upstream.reply({ body: picture })
    const asked = (n: number) => ada.openai.images.generate({ model: 'dall-e-3', prompt: 'a fish', n })
    await expect(asked(4)).rejects.toMatchObject({ status: 403, code: 'insufficient_user_quota' })
    await expect(asked(1.5)).rejects.toMatchObject({ status: 400 })
    expect(weir.upstream.requests).toHaveLength(0)
    expect((await charged(ada, () => asked(1))).quota).toBe(20_000)
  })

  it('that are charged by tokens cost what is reported', async () => {
    await weir.addChannel({ models: 'gpt-image-1' })
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const details = { text_tokens: 10, image_tokens: 0 }
    const usage = { input_tokens: 10, output_tokens: 272, total_tokens: 282, input_tokens_details: details }
    weir.upstream.reply({ body: { ...picture, usage } })
    const { quota } = await charged(ada, () => ada.openai.images.generate({ model: 'gpt-image-1', prompt: 'a fish' }))
    // 10 tokens of input and 272 of output, eight times as dear, at ratio 2.5.
    expect(quota).toBe((10 + 272 * 8) * 2.5)
  })

  it('come as a stream of events', async () => {
    await weir.addChannel({ models: 'gpt-image-1' })
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const usage = { input_tokens: 10, output_tokens: 100, total_tokens: 110 }
    const event = (type: string, more: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`
    weir.upstream.reply({
      headers: { 'content-type': 'text/event-stream' },
      chunks: [
        event('image_generation.partial_image', { b64_json: 'AAAA', partial_image_index: 0 }),
        event('image_generation.completed', { b64_json: 'BBBB', usage }),
      ],
    })
    const { value, quota } = await charged(ada, async () => {
      const types: string[] = []
      const stream = await ada.openai.images.generate({ model: 'gpt-image-1', prompt: 'a fish', stream: true })
      for await (const { type } of stream) types.push(type)
      return types
    })
    expect(value).toEqual(['image_generation.partial_image', 'image_generation.completed'])
    expect(quota).toBe((10 + 100 * 8) * 2.5)
  })

  it('are changed: the form goes on with its files, under the name the channel knows', async () => {
    await weir.addChannel({
      models: 'gpt-image-1',
      model_mapping: '{"gpt-image-1":"theirs"}',
      param_override: '{"background":"opaque","user":null}',
    })
    const ada = await weir.addCaller({ quota: 1_000_000 })
    weir.upstream.reply({ body: { ...picture, usage: { input_tokens: 100, output_tokens: 0 } } })
    const large = Buffer.alloc(700_000, 'pixels "quoted"\r\n')
    const { value, quota } = await charged(ada, async () =>
      ada.openai.images.edit({
        image: [await toFile(large, 'a "b".png', { type: 'image/png' }), await toFile(Buffer.from('small'), 'c.png')],
        model: 'gpt-image-1',
        prompt: 'make it ä fish',
        n: 1,
        user: 'somebody',
      }),
    )
    expect(value).toMatchObject(picture)
    // The prompt at ratio 2.5, and the picture by the piece: nobody counted its tokens.
    expect(quota).toBe(250 + 3125)
    const [request] = weir.upstream.requests
    expect(request).toMatchObject({
      path: '/v1/images/edits',
      headers: { 'content-length': String(request!.body.length) },
    })
    const form = await formIn(request!)
    expect(Object.fromEntries([...form].filter(([, value]) => typeof value === 'string'))).toEqual({
      model: 'theirs',
      prompt: 'make it ä fish',
      n: '1',
      background: 'opaque',
    })
    const files = form.getAll('image[]') as File[]
    expect(files.map(({ type, size }) => [type, size])).toEqual([
      ['image/png', 700_000],
      ['application/octet-stream', 5],
    ])
    expect(Buffer.from(await files[0]!.arrayBuffer()).equals(large)).toBe(true)
  })

  it('are sent again, files and all, when the first channel fails', async () => {
    await weir.addChannel({ models: 'dall-e-2', priority: 9 })
    await weir.addChannel({ models: 'dall-e-2' })
    await weir.set('RetryTimes', 1)
    const ada = await weir.addCaller({ quota: 1_000_000 })
    weir.upstream.reply((_, turn) => (turn === 0 ? { status: 500, body: {} } : { body: picture }))
    const image = await toFile(Buffer.alloc(600_000, 7), 'a.png', { type: 'image/png' })
    expect(await ada.openai.images.createVariation({ image, model: 'dall-e-2' })).toEqual(picture)
    const bodies = weir.upstream.requests.map(({ body }) => Buffer.from(body))
    expect(bodies).toHaveLength(2)
    expect(bodies[0]!.equals(bodies[1]!)).toBe(true)
    expect(bodies[0]!.length).toBeGreaterThan(600_000)
    expect(weir.upstream.requests[1]!.path).toBe('/v1/images/variations')
  })

  it('lose the words that the provider refuses, and say so', async () => {
    await weir.addChannel({ type: 48, models: 'dall-e-3' })
    const ada = await weir.addCaller({ quota: 1_000_000 })
    weir.upstream.reply({ body: picture })
    const { response } = await ada.openai.images
      .generate({ model: 'dall-e-3', prompt: 'a fish', size: '1024x1024', n: 1 })
      .withResponse()
    expect(response.headers.get('x-weir-dropped')).toBe('size')
    expect(weir.upstream.requests[0]!.json).toEqual({ model: 'dall-e-3', prompt: 'a fish', n: 1 })
  })

  it('the sandbox makes them offline', async () => {
    await weir.addChannel({ type: 1000, key: '', base_url: '', models: 'sandbox-small' })
    const ada = await weir.addCaller({
      quota: 1_000_000,
      patch: { setting: '{"accept_unset_model_ratio_model":true}' },
    })
    const { data } = await ada.openai.images.generate({ model: 'sandbox-small', prompt: 'a fish', n: 2 })
    expect(data).toHaveLength(2)
    expect(Buffer.from(data![0]!.b64_json!, 'base64').subarray(1, 4).toString()).toBe('PNG')
  })

  describe('refused', () => {
    const form = (ada: Caller, body: string | FormData) =>
      fetch(`${weir.url}/v1/images/edits`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${ada.key}`,
          ...(typeof body === 'string' ? { 'content-type': 'multipart/form-data; boundary=B' } : {}),
        },
        body,
      })

    it('are forms that end early, that are too large, or that name no model', async () => {
      await weir.addChannel({ models: 'gpt-image-1' })
      await weir.set('relay.max_body_megabytes', 1)
      const ada = await weir.addCaller({ quota: 1_000_000 })
      const cut = await form(ada, '--B\r\ncontent-disposition: form-data; name="model"\r\n\r\ngpt')
      expect([cut.status, await cut.json()]).toMatchObject([
        400,
        { error: { message: expect.stringContaining('form') } },
      ])
      const large = new FormData()
      large.append('image', new Blob([Buffer.alloc(2_000_000)]), 'a.png')
      expect((await form(ada, large)).status).toBe(413)
      const nameless = new FormData()
      nameless.append('prompt', 'a fish')
      expect((await form(ada, nameless)).status).toBe(400)
      expect((await ada.balances()).quota).toBe(1_000_000)
    })
  })
})
