// Jimeng's films: behind OpenAI's front by one name for every kind of film, and by its own path.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithGateway } from '../support/gateway.ts'
import { ask, looks, tasksOf } from './site.ts'
import { startVendor, type RunningVendor } from './vendor.ts'
import { JIMENG_KEY, playedJimeng } from './vendors/jimeng.ts'

const MODELS = 'jimeng_v30,jimeng_v30_1080p,jimeng_ti2v_v30_pro'
const PICTURE = 'data:image/png;base64,iVBORw0KGgo='
const SUBMIT = '/jimeng/?Action=CVSync2AsyncSubmitTask&Version=2022-08-31'
const RESULT = '/jimeng/?Action=CVSync2AsyncGetResult&Version=2022-08-31'

describeWithGateway('films of Jimeng', (weir) => {
  let vendor: RunningVendor
  beforeAll(async () => void (vendor = await startVendor(playedJimeng)))
  afterAll(() => vendor.close())
  const begun = async () => {
    await weir.addChannel({
      ...{ type: 51, key: `${JIMENG_KEY.id}|${JIMENG_KEY.secret}`, base_url: vendor.url, models: MODELS },
    })
    return weir.addCaller({ quota: 100_000_000 })
  }

  it.each([
    [{ model: 'jimeng_v30', seconds: '10' }, { req_key: 'jimeng_t2v_v30', frames: 241, aspect_ratio: '16:9' }, 0.389],
    [
      { model: 'jimeng_v30_1080p', input_reference: PICTURE },
      { req_key: 'jimeng_i2v_first_v30_1080', frames: 121, binary_data_base64: ['iVBORw0KGgo='] },
      0.4375,
    ],
    [{ model: 'jimeng_ti2v_v30_pro', size: '1080x1920' }, { frames: 121, aspect_ratio: '9:16' }, 0.6945],
  ])('are asked for as %j', async (asked, sent, usd) => {
    const ada = await begun()
    vendor.course('done')
    const answer = await ask(weir, ada, 'POST', '/v1/videos', { prompt: 'a ferry', ...asked })
    expect(answer.status, answer.text).toBe(200)
    expect(vendor.tasks.at(-1)?.asked).toMatchObject({ prompt: 'a ferry', ...sent })
    const [task] = await looks(weir, ada, 9)
    expect(task).toMatchObject({ status: 'SUCCESS', quota: Math.round(usd * 500_000) })
    expect(JSON.parse(task!.files)).toMatchObject([{ kind: 'video' }])
  })

  it('are refused with what is taken', async () => {
    const ada = await begun()
    for (const asked of [{ seconds: '7' }, { size: '1920x1080' }]) {
      const body = { model: 'jimeng_v30', prompt: 'a ferry', ...asked }
      const answer = await ask(weir, ada, 'POST', '/v1/videos', body)
      expect(answer.status).toBe(400)
      expect(answer.text).toMatch(/5, 10|720p/)
    }
    expect(await tasksOf(weir, ada)).toEqual([])
  })

  it('are told of at their own path in its own words, a failure as its code', async () => {
    const ada = await begun()
    vendor.course('fails')
    const submitted = await ask(weir, ada, 'POST', SUBMIT, { req_key: 'jimeng_ti2v_v30_pro', prompt: 'a ferry' })
    expect(submitted.json).toMatchObject({ code: 10_000, message: 'Success' })
    const { task_id } = submitted.json.data
    const read = async () => (await ask(weir, ada, 'POST', RESULT, { req_key: 'jimeng_ti2v_v30_pro', task_id })).json
    expect(await read()).toMatchObject({ code: 10_000, data: { status: 'in_queue' } })
    await looks(weir, ada, 2)
    expect(await read()).toMatchObject({ code: 10_000, data: { status: 'generating' } })
    await looks(weir, ada, 9)
    expect(await read()).toMatchObject({ code: 50_511, message: 'Post Img Risk Not Pass', data: null })
    expect(await ada.balances()).toMatchObject({ used_quota: 0 })
    expect((await ask(weir, ada, 'POST', '/jimeng/?Action=Another', {})).status).toBe(404)
  })
})
