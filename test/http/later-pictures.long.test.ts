// Pictures of a provider that answers later: their caller waits in the call, and is charged once for what was made.
import { expect, it } from 'vitest'
import { describeWithGateway, type TestGateway } from '../support/gateway.ts'

const MODEL = 'wan2.1-t2i-turbo'
const DASHSCOPE = 17
const SUBMIT = '/api/v1/services/aigc/text2image/image-synthesis'
const at = (n: number) => `https://pictures.test/${n}.png`

const told = (task_status: string, more: object = {}) => ({
  body: { output: { task_id: 't-1', task_status, ...more } },
})
const done = (...results: object[]) => told('SUCCEEDED', { end_time: '2026-11-24 10:00:00.000', results })

/** Takes a task, and tells of it so in turn. */
function plays(weir: TestGateway, ...turns: object[]) {
  const left = [...turns]
  weir.upstream.reply(({ method }) => (method === 'POST' ? told('PENDING') : (left.shift() ?? { status: 500 })))
}

describeWithGateway('pictures that come later', (weir) => {
  const begun = async () => {
    await weir.addChannel({ type: DASHSCOPE, models: `${MODEL},wan2.6-t2i` })
    return weir.addCaller({ quota: 1_000_000 })
  }

  it('are asked for until they are there', async () => {
    const ada = await begun()
    plays(weir, { status: 500, body: {} }, told('RUNNING'), done({ url: at(1) }, { url: at(2) }))
    const asked = { model: MODEL, prompt: 'a fish', n: 2, size: '1024x1024', quality: 'high' } as const
    const { data, response } = await ada.openai.images.generate(asked).withResponse()
    expect(data).toMatchObject({ data: [{ url: at(1) }, { url: at(2) }], created: Date.UTC(2026, 10, 24, 2) / 1000 })
    expect(response.headers.get('x-weir-dropped')).toBe('quality')
    const [first, ...looks] = weir.upstream.requests
    expect(first).toMatchObject({
      ...{ path: SUBMIT, headers: { 'x-dashscope-async': 'enable' } },
      json: { model: MODEL, input: { prompt: 'a fish' }, parameters: { n: 2, size: '1024*1024' } },
    })
    expect(looks.map(({ method, path }) => `${method} ${path}`)).toEqual(Array(3).fill('GET /api/v1/tasks/t-1'))
    expect(new Set([first, ...looks].map((request) => request?.headers.authorization)).size).toBe(1)
    // Twice 0.025 USD.
    expect((await ada.balances()).used_quota).toBe(25_000)
  })

  it('cost what was made of them', async () => {
    const ada = await begun()
    plays(weir, done({ url: at(1) }, { code: 'InternalError.Timeout', message: 'too slow' }))
    const { data } = await ada.openai.images.generate({ model: MODEL, prompt: 'a fish', n: 2 })
    expect(data).toEqual([{ url: at(1) }])
    expect((await ada.balances()).used_quota).toBe(12_500)
  })

  it('cost nothing where they fail, and are tried elsewhere where that may help', async () => {
    const ada = await begun()
    const refused = { code: 'DataInspectionFailed', message: 'Output data may contain inappropriate content.' }
    plays(weir, told('FAILED', refused))
    await expect(ada.openai.images.generate({ model: MODEL, prompt: 'a fish' })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('inappropriate'),
    })
    await weir.set('RetryTimes', 1)
    await weir.addChannel({ type: DASHSCOPE, models: MODEL })
    plays(weir, told('FAILED', { code: 'InternalError', message: 'oh' }), done({ url: at(3) }))
    expect(await ada.openai.images.generate({ model: MODEL, prompt: 'a fish' })).toMatchObject({
      data: [{ url: at(3) }],
    })
    expect((await ada.balances()).used_quota).toBe(12_500)
    await expect(
      ada.openai.images.generate({ model: MODEL, prompt: 'a fish', response_format: 'b64_json' }),
    ).rejects.toMatchObject({ status: 400 })
  })

  it('of newer models are asked for by a message', async () => {
    const ada = await begun()
    await weir.set('ModelPrice', { 'wan2.6-t2i': 0.03 })
    const content = [{ type: 'image', image: at(4) }]
    plays(weir, told('SUCCEEDED', { choices: [{ message: { role: 'assistant', content } }] }))
    const { data } = await ada.openai.images.generate({ model: 'wan2.6-t2i', prompt: 'a fish' })
    expect(data).toEqual([{ url: at(4) }])
    expect(weir.upstream.requests[0]).toMatchObject({
      path: '/api/v1/services/aigc/image-generation/generation',
      json: { input: { messages: [{ role: 'user', content: [{ text: 'a fish' }] }] } },
    })
  })
})
