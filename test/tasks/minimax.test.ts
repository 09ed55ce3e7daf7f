// Films of MiniMax: Hailuo, whose file is asked for by its id, and H3; in their own formats and in OpenAI's.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { describeWithGateway } from '../support/gateway.ts'
import { ask, looks, tasksOf } from './site.ts'
import { MADE, startVendor, type RunningVendor } from './vendor.ts'
import { playedMinimax } from './vendors/minimax.ts'

const HAILUO = 'MiniMax-Hailuo-2.3'
const H3 = 'MiniMax-H3'
/** Quota units: 0.056 USD, 0.08 USD. */
const HAILUO_SECOND = 28_000
const H3_SECOND = 40_000
const QUOTA = 100 * H3_SECOND
const PICTURE = 'https://a.test/1.png'
const film = new TextDecoder().decode(MADE)

describeWithGateway('films of MiniMax', (weir) => {
  let vendor: RunningVendor
  beforeAll(async () => {
    vendor = await startVendor(playedMinimax)
  })
  afterAll(() => vendor.close())
  beforeEach(async () => {
    vendor.tasks.length = 0
    vendor.requests.length = 0
    const models = `${HAILUO},${HAILUO}-Fast,MiniMax-Hailuo-02,${H3},S2V-01`
    await weir.addChannel({ type: 35, base_url: vendor.url, models })
  })

  it.each([
    [
      { model: HAILUO, seconds: '10', input_reference: PICTURE },
      { model: HAILUO, prompt: 'a ferry', duration: 10, resolution: '768P', first_frame_image: PICTURE },
      10 * HAILUO_SECOND,
    ],
    [
      { model: HAILUO, seconds: '6', size: '1920x1080' },
      { model: HAILUO, prompt: 'a ferry', duration: 6, resolution: '1080P' },
      Math.round(6 * HAILUO_SECOND * 1.4584),
    ],
    [
      { model: H3, seconds: '4', size: '1440x2560' },
      {
        ...{ model: H3, content: [{ type: 'text', text: 'a ferry' }] },
        ...{ resolution: '2K', duration: 4, ratio: '9:16' },
      },
      4 * H3_SECOND * 1.625,
    ],
    [
      { model: H3, input_reference: PICTURE, last_frame: PICTURE },
      {
        model: H3,
        content: [
          { type: 'text', text: 'a ferry' },
          { type: 'image_url', image_url: { url: PICTURE }, role: 'first_frame' },
          { type: 'image_url', image_url: { url: PICTURE }, role: 'last_frame' },
        ],
        ...{ resolution: '768P', duration: 5, ratio: 'adaptive' },
      },
      5 * H3_SECOND,
    ],
  ])('are asked for in OpenAI’s words and written in MiniMax’s: %j', async (asked, sent, price) => {
    const ada = await weir.addCaller({ quota: QUOTA })
    const { status, json, text } = await ask(weir, ada, 'POST', '/v1/videos', { prompt: 'a ferry', ...asked })
    expect(status, text).toBe(200)
    expect(vendor.tasks[0]?.asked).toEqual(sent)
    expect((await ada.balances()).quota).toBe(QUOTA - price)
    await looks(weir, ada, 9)
    expect((await ask(weir, ada, 'GET', `/v1/videos/${String(json.id)}`)).json).toMatchObject({ status: 'completed' })
    expect((await ask(weir, ada, 'GET', `/v1/videos/${String(json.id)}/content`)).text).toBe(film)
    expect(await tasksOf(weir, ada)).toMatchObject([{ quota: price, refunded: 0 }])
  })

  it.each([
    [{ model: HAILUO, seconds: '10', size: '1920x1080' }, 'seconds: 6 at 1080p'],
    [{ model: HAILUO, seconds: '8' }, 'seconds: 6, 10'],
    [{ model: `${HAILUO}-Fast` }, 'first picture: at least 1'],
    [{ model: 'MiniMax-Hailuo-02', resolution: '512p' }, 'first picture: at least 1 at 512p'],
    [{ model: 'S2V-01' }, 'reference picture: at least 1'],
    [{ model: H3, sound: false }, 'sound: true'],
    [{ model: H3, size: '1280x720' }, 'resolution: 768p, 1440p'],
  ])('that it cannot make are refused with what it can: %j', async (asked, words) => {
    const ada = await weir.addCaller({ quota: QUOTA })
    const { status, text } = await ask(weir, ada, 'POST', '/v1/videos', { prompt: 'a ferry', ...asked })
    expect(status).toBe(400)
    expect(text).toContain(words)
    expect(vendor.requests).toHaveLength(0)
    expect((await ada.balances()).quota).toBe(QUOTA)
  })

  it('of Hailuo are asked for at its own paths, and their file by its id', async () => {
    const ada = await weir.addCaller({ quota: QUOTA })
    const asked = {
      model: HAILUO,
      prompt: 'a ferry',
      duration: 6,
      callback_url: 'https://ada.test/',
      prompt_optimizer: false,
    }
    const { json } = await ask(weir, ada, 'POST', '/v1/video_generation', asked)
    expect(json).toEqual({ task_id: expect.any(String), base_resp: { status_code: 0, status_msg: 'success' } })
    expect(vendor.tasks[0]?.asked).toEqual({ model: HAILUO, prompt: 'a ferry', duration: 6, prompt_optimizer: false })
    const query = `/v1/query/video_generation?task_id=${String(json.task_id)}`
    expect((await ask(weir, ada, 'GET', query)).json).toMatchObject({ status: 'Preparing', file_id: '' })
    await looks(weir, ada, 9)
    const { json: done } = await ask(weir, ada, 'GET', query)
    expect(done).toMatchObject({ status: 'Success', video_width: 1366, base_resp: { status_code: 0 } })
    const { json: file } = await ask(weir, ada, 'GET', `/v1/files/retrieve?file_id=${String(done.file_id)}`)
    expect(file).toMatchObject({
      file: { download_url: expect.stringContaining(vendor.url), purpose: 'video_generation' },
    })
    const eve = await weir.addCaller()
    expect((await ask(weir, eve, 'GET', query)).json).toMatchObject({ base_resp: { status_code: 2013 } })
  })

  it('of H3 are asked for at its own paths', async () => {
    const ada = await weir.addCaller({ quota: QUOTA })
    const content = [{ type: 'text', text: 'a ferry' }]
    const asked = { model: H3, content, duration: 5, resolution: '2K', ratio: '16:9', aigc_watermark: true }
    const { json } = await ask(weir, ada, 'POST', '/v2/video_generation', asked)
    expect(vendor.tasks[0]?.asked).toEqual(asked)
    await looks(weir, ada, 9)
    const { json: done } = await ask(weir, ada, 'GET', `/v2/query/video_generation/${String(json.task_id)}`)
    expect(done).toMatchObject({
      task: { id: json.task_id, status: 'succeeded', resolution: '2K', duration: 5, usage: { output_seconds: 5 } },
    })
    expect((await ada.balances()).quota).toBe(QUOTA - 5 * H3_SECOND * 1.625)
    const wrong = await ask(weir, ada, 'POST', '/v2/video_generation', { ...asked, duration: 3 })
    expect(wrong).toMatchObject({ status: 400, json: { type: 'error', error: { type: 'bad_request_error' } } })
  })
})
