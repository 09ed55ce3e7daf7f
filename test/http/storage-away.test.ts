// Charges that are not booked, as the super administrator sees them and sees to them.
import { expect, it } from 'vitest'
import { describeWithOwnGateway } from '../support/gateway.ts'
import { refuseCharge } from '../support/refused-charge.ts'

describeWithOwnGateway('a charge that was refused', (weir) => {
  const quota = () => weir.root.client.quota

  it('is told, stands in the list, and is booked once when it is asked for again', async () => {
    const { storage } = weir.gateway.ports
    const ada = await weir.addCaller({ quota: 1000 })
    const letter = await refuseCharge(storage, { account_id: ada.user.id, token_id: ada.token.id, quota: 70 })
    expect(await quota().pending()).toMatchObject({
      waiting: { charges: 0, waited_ms: 0, safe: true },
      refused: [{ hold_id: letter.hold_id, quota: 70, reason: 'it was too much' }],
    })
    expect(JSON.stringify(await quota().pending())).not.toContain('"charge":')
    const told = await weir.root.client.attention.list()
    expect(told[0]).toMatchObject({ kind: 'charges_refused', severity: 'error', calls: 1 })
    await expect(quota().retry({ hold_ids: [letter.hold_id, 'none'] })).rejects.toMatchObject({
      code: 'charge.missing',
    })
    expect((await storage.users.find(ada.user.id))?.quota).toBe(1000)
    expect(await quota().retry({ hold_ids: [letter.hold_id] })).toEqual([
      { hold_id: letter.hold_id, booked: true, reason: '' },
    ])
    expect((await storage.users.find(ada.user.id))?.quota).toBe(930)
    expect((await storage.tokens.find(ada.token.id))?.used_quota).toBe(70)
    expect((await quota().pending()).refused).toEqual([])
    const { items } = await weir.root.client.audit.list({ action: 'charge.retry' })
    expect(items).toMatchObject([
      { target: letter.hold_id, after: JSON.stringify({ account_id: ada.user.id, quota: 70 }) },
    ])
    await expect(quota().retry({ hold_ids: [letter.hold_id] })).rejects.toMatchObject({ code: 'charge.missing' })
    expect((await weir.root.client.attention.list()).map(({ kind }) => kind)).not.toContain('charges_refused')
    expect(await quota().verify({})).toMatchObject({ ok: true })
  })

  it('stays where it is when it is refused again, and says why', async () => {
    const { storage } = weir.gateway.ports
    const ada = await weir.addCaller({ quota: 1000 })
    const huge = Number.MAX_SAFE_INTEGER
    const of = { account_id: ada.user.id, token_id: ada.token.id }
    const letter = await refuseCharge(storage, { ...of, quota: huge })
    await quota().retry({ hold_ids: [letter.hold_id] })
    const again = await refuseCharge(storage, { ...of, quota: huge })
    expect(await quota().retry({ hold_ids: [again.hold_id] })).toMatchObject([
      { hold_id: again.hold_id, booked: false, reason: expect.stringMatching(/counted exactly/) as string },
    ])
    expect((await quota().pending()).refused).toMatchObject([{ hold_id: again.hold_id }])
  })
})
