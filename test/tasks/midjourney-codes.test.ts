// The result of a drawing by the code of its submission.
import { expect, it } from 'vitest'
import { describeWithGateway } from '../support/gateway.ts'
import { CENTS_10, drawingSite } from './drawings.ts'
import { looks, tasksOf } from './site.ts'
import { startVendor } from './vendor.ts'
import { playMidjourney } from './vendors/midjourney.ts'

describeWithGateway('a drawing by code', (weir) => {
  const { played, vendor, post, channel, drawn } = drawingSite(weir)

  it('22 reads as taken', async () => {
    played.says.code = 22
    await channel()
    const ada = await weir.addCaller({ quota: 10 * CENTS_10 })
    const { json } = await post(ada, '/mj/submit/imagine', { prompt: 'a cat' })
    expect(json).toMatchObject({ code: 1, properties: { numberOfQueues: 3 } })
    expect((await tasksOf(weir, ada))[0]).toMatchObject({ code: 22, status: 'SUBMITTED', quota: CENTS_10 })
  })

  it('21 is charged once to whoever asks, however often, and told without the address of the proxy', async () => {
    await channel()
    const [ada, bob] = [await weir.addCaller({ quota: 10 * CENTS_10 }), await weir.addCaller({ quota: 10 * CENTS_10 })]
    const first = await drawn(ada)
    played.says.code = 21
    const again = await post(ada, '/mj/submit/imagine', { prompt: 'a cat' })
    expect(again.json).toMatchObject({ code: 1, result: first, properties: { status: 'SUCCESS' } })
    expect(again.text).not.toContain(vendor.url)
    expect((await ada.balances()).quota).toBe(9 * CENTS_10)
    await post(bob, '/mj/submit/imagine', { prompt: 'a cat' })
    expect((await bob.balances()).quota).toBe(9 * CENTS_10)
    await post(bob, '/mj/submit/imagine', { prompt: 'a cat' })
    expect((await bob.balances()).quota).toBe(9 * CENTS_10)
    // Also where it is asked for several times at once.
    const eve = await weir.addCaller({ quota: 10 * CENTS_10 })
    await Promise.all([1, 2, 3].map(() => post(eve, '/mj/submit/imagine', { prompt: 'a cat' })))
    expect((await tasksOf(weir, eve)).map(({ quota }) => quota).sort()).toEqual([0, 0, CENTS_10])
    expect((await eve.balances()).quota).toBe(9 * CENTS_10)
  })

  it.each([4, 24] as const)('%i is told as it is, kept with its reason, and paid by nobody', async (code) => {
    played.says.code = code
    await channel()
    await channel({ key: 'other' })
    const ada = await weir.addCaller({ quota: 10 * CENTS_10 })
    const answer = await post(ada, '/mj/submit/imagine', { prompt: 'a naked cat' })
    expect(answer.status).toBe(200)
    expect(answer.json).toMatchObject({ code, description: expect.any(String), result: null })
    if (code === 24) expect(answer.json.properties).toEqual({ promptEn: 'a naked cat', bannedWord: 'naked' })
    const [row] = await tasksOf(weir, ada)
    expect(row).toMatchObject({
      status: 'FAILURE',
      progress: '100%',
      code: 0,
      quota: 0,
      fail_reason: answer.json.description,
    })
    expect((await ada.balances()).quota).toBe(10 * CENTS_10)
    await looks(weir, ada, 3)
    expect((await ada.balances()).quota).toBe(10 * CENTS_10)
  })

  it.each([3, 9, 23] as const)('%i leads to the next channel', async (code) => {
    played.says.code = code
    const able = await startVendor(playMidjourney())
    await channel({ priority: 9 })
    await channel({ base_url: able.url })
    const ada = await weir.addCaller({ quota: 10 * CENTS_10 })
    expect((await post(ada, '/mj/submit/imagine', { prompt: 'a cat' })).json).toMatchObject({ code: 1 })
    expect(able.tasks).toHaveLength(1)
    expect((await ada.balances()).quota).toBe(9 * CENTS_10)
    await able.close()
  })

  it.each([3, 9, 23] as const)('%i of the last channel is told as it is, and kept with its reason', async (code) => {
    played.says.code = code
    await channel()
    const ada = await weir.addCaller({ quota: 10 * CENTS_10 })
    const answer = await post(ada, '/mj/submit/imagine', { prompt: 'a cat' })
    expect(answer.status).toBe(200)
    expect(answer.json).toMatchObject({ code, result: null })
    expect((await tasksOf(weir, ada))[0]).toMatchObject({
      status: 'FAILURE',
      code: 0,
      quota: 0,
      fail_reason: answer.json.description,
    })
    expect((await ada.balances()).quota).toBe(10 * CENTS_10)
  })
})
