// Redemption codes: worth their quota once, whoever asks.
import { expect, it } from 'vitest'
import { describeWithGateway } from '../support/gateway.ts'

describeWithGateway('a redemption code', (weir) => {
  const create = async (fields: object = {}) =>
    (await weir.root.client.redemptions.create({ name: 'spring', quota: 5000, count: 1, ...fields })).data
  const idOf = async (key: string) =>
    (await weir.root.client.redemptions.list()).items.find((code) => code.key === key)?.id ?? 0

  it('is given with its id by what makes it', async () => {
    const { data, codes } = await weir.root.client.redemptions.create({ name: 'new', quota: 7, count: 3 })
    expect(codes.map(({ key }) => key)).toEqual(data)
    for (const code of codes) expect(await weir.root.client.redemptions.get({ id: code.id })).toEqual(code)
  })

  it('adds its quota once, with an entry and a log row', async () => {
    const ada = await weir.addVisitor({ quota: 10 })
    const [key = ''] = await create()
    expect(key).toMatch(/^[0-9A-Za-z]{32}$/)
    expect(await ada.client.redemptions.redeem({ key: ` ${key} ` })).toBe(5000)
    expect((await ada.client.users.self()).quota).toBe(5010)
    await expect(ada.client.redemptions.redeem({ key })).rejects.toMatchObject({ code: 'redemption.used' })
    const id = await idOf(key)
    expect(await weir.root.client.redemptions.get({ id })).toMatchObject({ status: 3, used_user_id: ada.user.id })
    const [row] = (await ada.client.logs.listSelf({ type: 1 })).items
    expect(row).toMatchObject({ quota: 5000, content: `Redeemed $0.010000 by code ${id}` })
    const [entry] = (await ada.client.quota.entriesSelf()).items
    expect(entry).toMatchObject({ kind: 'redemption', amount: 5000, reference: `redemption ${id}` })
  })

  it('D2: asked for by many at once is paid to one of them', async () => {
    await weir.set('ApiRateLimits', { redemption: [0, 60] })
    const people = await Promise.all([1, 2, 3].map(() => weir.addVisitor()))
    const [key = ''] = await create()
    const tries = [...people, ...people].map((each) => each.send('POST', '/api/user/topup', { body: { key } }))
    const outcomes = (await Promise.all(tries)).map(({ json }) => json.success)
    expect(outcomes.filter(Boolean)).toHaveLength(1)
    const quotas = await Promise.all(people.map(async ({ client }) => (await client.users.self()).quota))
    expect(quotas.sort((a, b) => b - a)).toEqual([5000, 0, 0])
    expect((await weir.root.client.quota.verify()).ok).toBe(true)
  })

  it('is refused with what is wrong with it', async () => {
    const ada = await weir.addVisitor()
    const refused = async (key: string) => (await ada.send('POST', '/api/user/topup/', { body: { key } })).json.code
    expect(await refused(' ')).toBe('redemption.empty')
    expect(await refused('nothing')).toBe('redemption.unknown')
    const [off = '', gone = ''] = await create({ count: 2 })
    await weir.root.client.redemptions.update({ id: await idOf(off), status: 2, status_only: 'true' })
    await weir.root.client.redemptions.delete({ id: await idOf(gone) })
    expect(await refused(off)).toBe('redemption.used')
    expect(await refused(gone)).toBe('redemption.unknown')
    await weir.root.client.redemptions.update({ id: await idOf(off), status: 1, status_only: '1' })
    expect(await ada.client.redemptions.redeem({ key: off })).toBe(5000)
  })

  it('is never redeemed after its end, which an administrator can change while it is unused', async () => {
    const { redemptions } = weir.root.client
    const ada = await weir.addVisitor()
    const now = Math.floor(Date.now() / 1000)
    const codeOf = (work: Promise<unknown>) =>
      work.then(
        () => 'done',
        (error: { code?: string }) => error.code,
      )
    const [over = '', open = '', endless = ''] = await create({ count: 3 })
    const [id, openId] = [await idOf(over), await idOf(open)]
    expect((await redemptions.get({ id })).expired_time).toBe(0)
    await weir.gateway.ports.storage.redemptions.update(
      id,
      { expired_time: now - 1 },
      { version: undefined, raises: true, from: undefined },
    )
    expect(await redemptions.update({ id: openId, expired_time: now + 3600 })).toMatchObject({
      ...{ expired_time: now + 3600, quota: 5000, name: 'spring' },
    })
    expect(await codeOf(ada.client.redemptions.redeem({ key: over }))).toBe('redemption.expired')
    // Also where the check before it was made in time.
    const at = { quota: 5000, user_id: ada.user.id, time: now }
    expect(await weir.gateway.ports.storage.redemptions.use(id, at)).toBe(false)
    expect((await ada.client.users.self()).quota).toBe(0)
    expect((await redemptions.get({ id })).status).toBe(1)
    expect(await ada.client.redemptions.redeem({ key: open })).toBe(5000)
    expect(await ada.client.redemptions.redeem({ key: endless })).toBe(5000)
    // A new name leaves the end that is over; a new end must be in the future.
    expect(await redemptions.update({ id, name: 'late', expired_time: now - 1 })).toMatchObject({ name: 'late' })
    expect(await codeOf(redemptions.update({ id, expired_time: now - 10 }))).toBe('redemption.expiry')
    expect(await codeOf(create({ expired_time: now - 10 }))).toBe('redemption.expiry')
    for (const expired_time of [-1, 1.5]) expect(await codeOf(create({ expired_time }))).not.toBe('done')
    await redemptions.update({ id, expired_time: 0 })
    expect(await ada.client.redemptions.redeem({ key: over })).toBe(5000)
    expect(await codeOf(redemptions.update({ id, expired_time: now + 5 }))).toBe('redemption.used')
  })

  it('has a remark, also when it is used, by which it is found', async () => {
    const { redemptions } = weir.root.client
    const [key = ''] = await create({ remark: 'for the stand at the fair' })
    const id = await idOf(key)
    const ada = await weir.addVisitor()
    await ada.client.redemptions.redeem({ key })
    expect(await redemptions.update({ id, remark: 'given to Ada 100%' })).toMatchObject({ remark: 'given to Ada 100%' })
    expect((await redemptions.search({ keyword: 'ADA 100%' })).items.map((code) => code.id)).toEqual([id])
    expect((await redemptions.search({ keyword: 'the fair' })).total).toBe(0)
    await expect(redemptions.update({ id, remark: 'x'.repeat(256) })).rejects.toThrow()
  })

  it('D2: is changed only while nobody used it, and found by id and beginning of the name', async () => {
    const { redemptions } = weir.root.client
    const [key = ''] = await create({ name: 'zz_100%' })
    const id = await idOf(key)
    expect(await redemptions.update({ id, name: 'zz_fifty', quota: 50 })).toMatchObject({ name: 'zz_fifty', quota: 50 })
    for (const keyword of ['zz_', String(id)]) {
      expect((await redemptions.search({ keyword })).items.map((code) => code.key)).toContain(key)
    }
    for (const keyword of ['fifty', 'z%', 'zzz']) expect((await redemptions.search({ keyword })).total).toBe(0)
    const ada = await weir.addVisitor()
    await ada.client.redemptions.redeem({ key })
    for (const change of [{ quota: 1e9 }, { status: 1, status_only: 'true' }]) {
      await expect(redemptions.update({ id, ...change })).rejects.toMatchObject({ code: 'redemption.used' })
    }
    for (const status of [0, 3, 7]) {
      const { json } = await weir.root.send('PUT', '/api/redemption/?status_only=true', { body: { id, status } })
      expect(json.code, String(status)).toBe('status.unknown')
    }
  })

  it.each([{ name: '' }, { name: 'x'.repeat(21) }, { count: 0 }, { count: 101 }, { count: 1.5 }])(
    'is not made with %j',
    async (wrong) => {
      await expect(create(wrong)).rejects.toMatchObject({
        code: 'redemption.limits',
        message: 'name 1 to 20 characters, count above 0 and at most 100 per batch',
      })
    },
  )

  it.each([{ quota: -5 }, { quota: 1.5 }, { quota: 2 ** 53 }])('is not made with %j', async (wrong) => {
    await expect(create(wrong)).rejects.toMatchObject({ code: 'request.invalid' })
  })
})
