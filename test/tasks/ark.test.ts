// Films of Volcengine Ark: in its own format and in OpenAI's, by the second that was made.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { describeWithGateway } from '../support/gateway.ts'
import { ask, looks, tasksOf } from './site.ts'
import { MADE, startVendor, type RunningVendor } from './vendor.ts'
import { playedArk } from './vendors/ark.ts'

const MODEL = 'doubao-seedance-2-0-260128'
const PATH = '/api/v3/contents/generations/tasks'
/** Quota units of a second at 720p: 0.138 USD. */
const SECOND = 69_000
const film = new TextDecoder().decode(MADE)

describeWithGateway('films of Ark', (weir) => {
  let vendor: RunningVendor
  beforeAll(async () => {
    vendor = await startVendor(playedArk)
  })
  afterAll(() => vendor.close())
  beforeEach(async () => {
    vendor.course('done')
    vendor.tasks.length = 0
    vendor.requests.length = 0
    await weir.addChannel({ type: 45, base_url: `${vendor.url}/api/v3`, models: MODEL })
  })

  it('are asked for in OpenAI’s words and written in Ark’s', async () => {
    const ada = await weir.addCaller({ quota: 100 * SECOND })
    const asked = {
      model: MODEL,
      prompt: 'a ferry at night',
      seconds: '6',
      size: '1920x1080',
      input_reference: 'https://a.test/1.png',
    }
    const { status, json, text } = await ask(weir, ada, 'POST', '/v1/videos', asked)
    expect(status, text).toBe(200)
    expect(json).toMatchObject({ object: 'video', status: 'queued', seconds: '6', size: '1920x1080', model: MODEL })
    expect(vendor.tasks[0]?.asked).toEqual({
      model: MODEL,
      content: [
        { type: 'text', text: 'a ferry at night' },
        { type: 'image_url', image_url: { url: 'https://a.test/1.png' }, role: 'first_frame' },
      ],
      ...{ resolution: '1080p', ratio: '16:9', duration: 6, generate_audio: true },
    })
    // 51 yuan for 1M tokens against 46, and 2.25 times as many pixels.
    expect((await ada.balances()).quota).toBe(100 * SECOND - Math.round(6 * SECOND * 2.4946))
    await looks(weir, ada, 9)
    const path = `/v1/videos/${String(json.id)}`
    expect((await ask(weir, ada, 'GET', path)).json).toMatchObject({ status: 'completed', progress: 100 })
    expect((await ask(weir, ada, 'GET', `${path}/content`)).text).toBe(film)
    expect((await ada.balances()).quota).toBe(100 * SECOND - Math.round(6 * SECOND * 2.4946))
  })

  it.each([
    [{ seconds: '16' }, 'seconds: 5, 4, 6'],
    [{ size: '1000x1000' }, 'resolution: 720p, 480p, 1080p, 4k'],
    [{ reference_images: Array.from({ length: 10 }, () => 'https://a.test/1.png') }, 'reference picture: at most 9'],
    [{ last_frame: 'https://a.test/1.png' }, 'last picture: only with a first picture'],
  ])('that the model cannot make are refused with what it can: %j', async (more, words) => {
    const ada = await weir.addCaller({ quota: 100 * SECOND })
    const { status, text } = await ask(weir, ada, 'POST', '/v1/videos', { model: MODEL, prompt: 'a ferry', ...more })
    expect(status).toBe(400)
    expect(text).toContain(words)
    expect(vendor.requests).toHaveLength(0)
    expect((await ada.balances()).quota).toBe(100 * SECOND)
  })

  it('are asked for at Ark’s own path by its clients, who are told by ids of ours', async () => {
    const ada = await weir.addCaller({ quota: 100 * SECOND })
    const asked = {
      ...{
        model: MODEL,
        content: [{ type: 'text', text: 'a ferry' }],
        duration: 5,
        watermark: true,
        return_last_frame: true,
      },
      callback_url: 'https://ada.test/told',
    }
    const { json } = await ask(weir, ada, 'POST', PATH, asked)
    expect(json).toEqual({ id: expect.stringMatching(/^cgt-\w{32}$/) })
    expect(vendor.tasks[0]?.asked).toMatchObject({ watermark: true, duration: 5 })
    expect(vendor.tasks[0]?.asked.callback_url).not.toBe('https://ada.test/told')
    expect((await ask(weir, ada, 'GET', `${PATH}/${String(json.id)}`)).json).toMatchObject({
      status: 'queued',
      error: null,
    })
    await looks(weir, ada, 9)
    const { json: done } = await ask(weir, ada, 'GET', `${PATH}/${String(json.id)}`)
    expect(done).toMatchObject({
      ...{ id: json.id, model: MODEL, status: 'succeeded', duration: 5, resolution: '720p' },
      usage: { completion_tokens: 108_900 },
      content: { video_url: expect.stringContaining(vendor.url), last_frame_url: expect.stringContaining('.png') },
    })
    expect((await ask(weir, ada, 'GET', PATH)).json).toMatchObject({ total: 1, items: [{ id: json.id }] })
    expect((await ask(weir, ada, 'GET', `/v1/videos/${String(json.id)}`)).json).toMatchObject({ status: 'completed' })
    const eve = await weir.addCaller()
    expect((await ask(weir, eve, 'GET', `${PATH}/${String(json.id)}`)).status).toBe(404)
    expect((await ask(weir, ada, 'DELETE', `${PATH}/${String(json.id)}`)).json).toEqual({})
    expect((await ask(weir, ada, 'GET', `${PATH}/${String(json.id)}`)).status).toBe(404)
  })

  it('whose length was the model’s to choose cost what was made', async () => {
    const ada = await weir.addCaller({ quota: 100 * SECOND })
    await ask(weir, ada, 'POST', PATH, { model: MODEL, content: [{ type: 'text', text: 'a ferry' }], duration: -1 })
    expect((await ada.balances()).quota).toBe(95 * SECOND)
    await looks(weir, ada, 9)
    expect((await ada.balances()).quota).toBe(93 * SECOND)
    expect(await tasksOf(weir, ada)).toMatchObject([{ quota: 7 * SECOND, refunded: 0 }])
  })

  it('are looked at together', async () => {
    const ada = await weir.addCaller({ quota: 100 * SECOND })
    for (const prompt of ['a ferry', 'a train', 'a kite'])
      await ask(weir, ada, 'POST', '/v1/videos', { model: MODEL, prompt })
    const before = vendor.requests.length
    await looks(weir, ada, 1)
    const [look] = vendor.requests.slice(before)
    expect(vendor.requests).toHaveLength(before + 1)
    expect(look?.query.getAll('filter.task_ids')).toHaveLength(3)
    await looks(weir, ada, 9)
    expect((await tasksOf(weir, ada)).map(({ status }) => status)).toEqual(['SUCCESS', 'SUCCESS', 'SUCCESS'])
  })

  it('that Ark refuses in the end are given back with its words', async () => {
    vendor.course('fails')
    const ada = await weir.addCaller({ quota: 100 * SECOND })
    const { json } = await ask(weir, ada, 'POST', '/v1/videos', { model: MODEL, prompt: 'a ferry' })
    await looks(weir, ada, 9)
    expect((await ask(weir, ada, 'GET', `/v1/videos/${String(json.id)}`)).json).toMatchObject({
      status: 'failed',
      error: { message: 'the prompt was refused by the content filter' },
    })
    expect((await ada.balances()).quota).toBe(100 * SECOND)
  })
})
