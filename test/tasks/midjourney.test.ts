// Drawings by a Midjourney proxy: what callers ask, what the proxy is asked, what is charged and what is told.
import { describe, expect, it } from 'vitest'
import { describeWithGateway } from '../support/gateway.ts'
import { CENTS_10, CENTS_5, drawingSite } from './drawings.ts'
import { ask, looks, tasksOf } from './site.ts'

const PICTURE = 'data:image/png;base64,AAAA'

describeWithGateway('drawings', (weir) => {
  const { played, post, channel, asked, fetched, drawn } = drawingSite(weir)

  it('are charged when the proxy takes them, told of as they grow, and shown with their buttons', async () => {
    await channel()
    const ada = await weir.addCaller({ quota: 10 * CENTS_10 })
    const taken = await post(ada, '/mj/submit/imagine', { prompt: 'a cat', state: 'mine' })
    expect(taken.json).toMatchObject({ code: 1, description: 'success', result: expect.stringMatching(/^\d{16}$/) })
    const id = taken.json.result as string
    expect(await ada.balances()).toMatchObject({ quota: 9 * CENTS_10, used_quota: CENTS_10, token_used: CENTS_10 })
    const [log] = await ada.logs()
    expect(log).toMatchObject({ type: 2, model_name: 'mj_imagine', quota: CENTS_10 })
    expect(JSON.parse(log!.other)).toMatchObject({ task_id: id, model_price: 0.1, group_ratio: 1 })
    expect(await fetched(ada, id)).toMatchObject({ id, status: 'NOT_START', progress: '0%', imageUrl: '' })
    await looks(weir, ada, 3)
    const growing = await fetched(ada, id)
    expect(growing).toMatchObject({ status: 'IN_PROGRESS', progress: '60%' })
    expect(growing.imageUrl).toMatch(/\/mj\/image\/\w{32}\?rand=60$/)
    await looks(weir, ada, 3)
    const done = await fetched(ada, id)
    expect(done).toMatchObject({
      action: 'IMAGINE',
      status: 'SUCCESS',
      progress: '100%',
      prompt: 'a cat',
      state: 'mine',
    })
    expect(done).toMatchObject({ startTime: 1_700_000_002_000, finishTime: 1_700_000_060_000, failReason: '' })
    expect(done.buttons).toHaveLength(9)
    expect(done.imageUrl).toMatch(/\/mj\/image\/\w{32}$/)
    const many = await post(ada, '/mj/task/list-by-condition', { ids: [id, '404'] })
    expect(many.json).toEqual([done])
    expect((await post(ada, '/mj/task/list-by-condition', { ids: [] })).json).toEqual([])
    expect((await ask(weir, ada, 'GET', `/mj/task/${id}/image-seed`)).json).toMatchObject({
      code: 1,
      result: '1421536243',
    })
    expect(await ada.balances()).toMatchObject({ quota: 9 * CENTS_10 })
  })

  const FOLLOWS: [path: string, body: object, action: string, model: string, price: number][] = [
    ['change', { action: 'UPSCALE', index: 2 }, 'UPSCALE', 'mj_upscale', CENTS_5],
    ['change', { action: 'REROLL' }, 'REROLL', 'mj_reroll', CENTS_10],
    ['action', { customId: 'MJ::JOB::variation::1::x' }, 'VARIATION', 'mj_variation', CENTS_10],
    ['action', { customId: 'MJ::JOB::high_variation::1::x' }, 'HIGH_VARIATION', 'mj_high_variation', CENTS_10],
    ['action', { customId: 'MJ::JOB::low_variation::1::x' }, 'LOW_VARIATION', 'mj_low_variation', CENTS_10],
    ['action', { customId: 'MJ::JOB::pan_up::1::x::SOLO' }, 'PAN', 'mj_pan', CENTS_10],
    ['action', { customId: 'MJ::Outpaint::50::1::x::SOLO' }, 'ZOOM', 'mj_zoom', CENTS_10],
  ]
  const FRESH: typeof FOLLOWS = [
    ['describe', { base64: PICTURE }, 'DESCRIBE', 'mj_describe', CENTS_5],
    ['blend', { base64Array: [PICTURE, PICTURE] }, 'BLEND', 'mj_blend', CENTS_10],
    ['shorten', { prompt: 'a very long cat' }, 'SHORTEN', 'mj_shorten', CENTS_10],
    ['swap', { sourceBase64: PICTURE, targetBase64: PICTURE }, 'SWAP_FACE', 'swap_face', CENTS_5],
  ]

  it.each(FRESH)('%s %j is %s, priced as %s', async (kind, body, action, model, price) => {
    await channel()
    const ada = await weir.addCaller({ quota: 10 * CENTS_10 })
    const path = kind === 'swap' ? '/mj/insight-face/swap' : `/mj/submit/${kind}`
    const id = await drawn(ada, path, body)
    expect(asked()).toMatchObject({ path, json: body })
    expect(await fetched(ada, id)).toMatchObject({ action, status: 'SUCCESS' })
    expect((await tasksOf(weir, ada))[0]).toMatchObject({ action, model, quota: price, platform: 'mj' })
    expect((await ada.balances()).quota).toBe(10 * CENTS_10 - price)
  })

  it.each(FOLLOWS)('%s %j goes on with a drawing: %s, priced as %s', async (kind, body, action, model, price) => {
    await channel()
    const ada = await weir.addCaller({ quota: 10 * CENTS_10 })
    const origin = await drawn(ada)
    const id = await drawn(ada, `/mj/submit/${kind}`, { taskId: origin, ...body })
    expect(asked().json).toMatchObject({ taskId: origin, ...body })
    expect(await fetched(ada, id)).toMatchObject({ action, status: 'SUCCESS', prompt: 'a cat' })
    expect((await tasksOf(weir, ada))[0]).toMatchObject({ action, model, quota: price })
    expect((await ada.balances()).quota).toBe(9 * CENTS_10 - price)
  })

  describe('a window', () => {
    it.each([
      ['Inpaint::1::x::SOLO', 'INPAINT', false],
      ['CustomZoom::x', 'CUSTOM_ZOOM', false],
      ['CustomZoom::x', 'CUSTOM_ZOOM', true],
    ])('that %s opens costs nothing; what it is filled in with does (%s)', async (button, action, newModalIds) => {
      played.says.newModalIds = newModalIds
      await channel()
      const ada = await weir.addCaller({ quota: 10 * CENTS_10 })
      const origin = await drawn(ada)
      const opened = await post(ada, '/mj/submit/action', { taskId: origin, customId: `MJ::${button}` })
      expect(opened.json).toMatchObject({ code: 21, properties: { remix: true } })
      const window = opened.json.result as string
      expect((await ada.balances()).quota).toBe(9 * CENTS_10)
      await looks(weir, ada, 2)
      expect(await fetched(ada, window)).toMatchObject({ action, status: 'MODAL' })
      const filled = await post(ada, '/mj/submit/modal', { taskId: window, prompt: 'a hat', maskBase64: PICTURE })
      expect(filled.json).toMatchObject({ code: 1 })
      const id = filled.json.result as string
      expect(id === window).toBe(!newModalIds)
      await looks(weir, ada, 2)
      if (!newModalIds) {
        // The window is not open any more: its time is over.
        const rows = (await tasksOf(weir, ada)).filter(({ upstream_id }) => upstream_id === window)
        expect(rows.map((row) => [row.action, row.status, row.quota])).toEqual([
          ['MODAL', 'IN_PROGRESS', CENTS_10],
          [action, 'IN_PROGRESS', 0],
        ])
      }
      await looks(weir, ada, 6)
      expect(await fetched(ada, id)).toMatchObject({ action: 'MODAL', status: 'SUCCESS', prompt: 'a hat' })
      expect((await post(ada, '/mj/task/list-by-condition', { ids: [id] })).json).toMatchObject([{ action: 'MODAL' }])
      expect((await ada.balances()).quota).toBe(8 * CENTS_10)
    })

    it('of a proxy that mixes drawings is one too, whatever the button', async () => {
      await channel()
      const ada = await weir.addCaller({ quota: 10 * CENTS_10 })
      const origin = await drawn(ada)
      played.says.code = 21
      const answer = played.answer
      played.answer = (request, shelf) => {
        const reply = answer.call(played, request, shelf)
        const told = reply?.json as { properties?: object } | undefined
        if (told?.properties) told.properties = { remix: true }
        return reply
      }
      const opened = await post(ada, '/mj/submit/action', { taskId: origin, customId: 'MJ::JOB::pan_up::1::x' })
      played.answer = answer
      expect(opened.json).toMatchObject({ code: 21 })
      expect((await ada.balances()).quota).toBe(9 * CENTS_10)
    })
  })

  it('may be gone on with only when they are done, unless the operator says otherwise', async () => {
    await channel()
    const ada = await weir.addCaller({ quota: 10 * CENTS_10 })
    const { json } = await post(ada, '/mj/submit/imagine', { prompt: 'a cat' })
    const early = () => post(ada, '/mj/submit/change', { taskId: json.result, action: 'UPSCALE', index: 1 })
    const refused = await early()
    expect(refused.json).toMatchObject({ code: 4, type: 'upstream_error' })
    expect(refused.json.description).toMatch(/^task_status_not_success /)
    await weir.set('MjActionCheckSuccessEnabled', 'false')
    expect((await early()).json).toMatchObject({ code: 1 })
    const bob = await weir.addCaller({ quota: CENTS_10 })
    const others = await post(bob, '/mj/submit/change', { taskId: json.result, action: 'UPSCALE', index: 1 })
    expect(others.json.description).toMatch(/^task_not_found /)
    expect((await fetched(bob, json.result)).description).toContain('task_no_found')
  })

  it.each(['fast', 'relax', 'turbo'])(
    'in %s mode are asked so of Plus, and priced so where there is a price',
    async (mode) => {
      await channel()
      const ada = await weir.addCaller({ quota: 10 * CENTS_10 })
      const path = `/mj-${mode}/mj/submit/imagine`
      expect((await post(ada, path, { prompt: 'a cat' })).json).toMatchObject({ code: 1 })
      expect(asked().path).toBe(path)
      expect((await ada.balances()).quota).toBe(9 * CENTS_10)
      const { ModelPrice } = weir.gateway.settings()
      await weir.set('ModelPrice', { ...ModelPrice, [`mj_${mode}_imagine`]: 0.3 })
      expect((await post(ada, path, { prompt: 'a cat' })).json).toMatchObject({ code: 1 })
      expect((await ada.balances()).quota).toBe(6 * CENTS_10)
      expect((await tasksOf(weir, ada))[0]).toMatchObject({ model: `mj_${mode}_imagine` })
      for (const { id } of await weir.gateway.ports.storage.channels.all())
        await weir.root.client.channels.delete({ id })
      await channel({ type: 2 })
      expect((await post(ada, path, { prompt: 'a cat' })).json).toMatchObject({ code: 1 })
      expect(asked().path).toBe('/mj/submit/imagine')
      expect((await post(ada, '/mj-loud/mj/submit/imagine', { prompt: 'a cat' })).status).toBe(404)
    },
  )

  it('go out as operators allow: accounts, callbacks and words of speed', async () => {
    await weir.set('ServerAddress', weir.url)
    await channel()
    const ada = await weir.addCaller({ quota: 100 * CENTS_10 })
    const body = {
      prompt: 'a cat --turbo --v 7',
      accountFilter: { modes: ['FAST'] },
      notifyHook: 'https://ada.example/',
      beside: 1,
    }
    await post(ada, '/mj/submit/imagine', body)
    expect(asked().json).toEqual({ prompt: 'a cat --turbo --v 7', beside: 1 })
    await weir.set('MjAccountFilterEnabled', 'true')
    await weir.set('MjModeClearEnabled', 'true')
    await weir.set('MjNotifyEnabled', 'true')
    await post(ada, '/mj/submit/imagine', body)
    expect(asked().json).toEqual({
      prompt: 'a cat --v 7',
      accountFilter: { modes: ['FAST'] },
      beside: 1,
      // Ours, which nobody can guess: the caller's stays here.
      notifyHook: expect.stringMatching(new RegExp(`^${weir.url}/tasks/notify/\\w{32}$`)),
    })
  })

  it('that are cancelled at the proxy have failed, and are given back once', async () => {
    await channel()
    const ada = await weir.addCaller({ quota: 10 * CENTS_10 })
    const { json: taken } = await post(ada, '/mj/submit/imagine', { prompt: 'a cat' })
    played.says.cancels = true
    await looks(weir, ada, 3)
    const told = await fetched(ada, taken.result as string)
    expect(told).toMatchObject({ status: 'FAILURE', progress: '100%', failReason: 'cancelled' })
    expect(await ada.balances()).toMatchObject({ quota: 10 * CENTS_10, used_quota: 0, token_used: 0 })
    expect(await tasksOf(weir, ada)).toMatchObject([{ status: 'FAILURE', quota: CENTS_10, refunded: CENTS_10 }])
    expect(await weir.gateway.ports.storage.ledger.faults()).toEqual([])
  })

  it('whose ids are numbers are found by them', async () => {
    played.says.numbers = true
    await channel()
    const ada = await weir.addCaller({ quota: 10 * CENTS_10 })
    const id = await drawn(ada)
    expect((await post(ada, '/mj/task/list-by-condition', { ids: [Number(id)] })).json).toMatchObject([
      { status: 'SUCCESS' },
    ])
    const change = await post(ada, '/mj/submit/change', { taskId: Number(id), action: 'UPSCALE', index: 1 })
    expect(change.json).toMatchObject({ code: 1 })
  })
})
