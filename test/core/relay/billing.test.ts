// What old dashboards are told: amounts of the token or of the account that pays, in the unit of the settings.
import { describe, expect, it } from 'vitest'
import type { CallCaller } from '../../../core/relay/call.ts'
import { getBilling } from '../../../core/relay/billing.ts'
import type { Storage } from '../../../core/ports/storage.ts'

const user = { id: 1, status: 1, DeletedAt: null, quota: 700, used_quota: 40 }
const team = { id: 9, quota: 5_000, used_quota: 600 }
const token = {
  ...{ id: 2, team_id: 0, status: 1, allow_ips: '', expired_time: -1 },
  ...{ remain_quota: 30, used_quota: 8, unlimited_quota: false },
}

const tell = (ofToken: Partial<typeof token>, DisplayTokenStatEnabled: boolean, DisplayInCurrencyEnabled = false) => {
  const stores = {
    users: { find: async () => user },
    teams: { find: async (id: number) => (id === team.id ? team : undefined) },
    tokens: { find: async () => ({ ...token, ...ofToken }) },
  }
  return getBilling(
    stores as unknown as Storage,
    { user: { id: user.id }, token: { id: token.id }, ip: '' } as unknown as CallCaller,
    { DisplayTokenStatEnabled, DisplayInCurrencyEnabled, QuotaPerUnit: 10 },
  )
}

describe('the billing of old dashboards', () => {
  it.each([
    { of: 'the token', more: {}, stat: true, used: 8, limit: 38 },
    { of: 'a token without a limit', more: { unlimited_quota: true }, stat: true, used: 8, limit: 100_000_000 },
    { of: 'the user', more: {}, stat: false, used: 40, limit: 740 },
    { of: 'the user, whatever the token has', more: { unlimited_quota: true }, stat: false, used: 40, limit: 740 },
    { of: 'the team that pays', more: { team_id: team.id }, stat: false, used: 600, limit: 5_600 },
    { of: 'the token of a team', more: { team_id: team.id }, stat: true, used: 8, limit: 38 },
  ])('tells what $of has used and may use', async ({ more, stat, used, limit }) => {
    const { subscription, usage } = await tell(more, stat)
    expect(usage).toEqual({ object: 'list', total_usage: used * 100 })
    expect(subscription).toMatchObject({
      ...{ soft_limit_usd: limit, hard_limit_usd: limit, system_hard_limit_usd: limit },
    })
  })

  it('tells it in dollars where the settings say so', async () => {
    const { subscription, usage } = await tell({}, false, true)
    expect(usage).toMatchObject({ total_usage: 400 })
    expect(subscription).toMatchObject({ hard_limit_usd: 74, access_until: 0 })
  })

  it('knows no token of a team that is gone', async () => {
    await expect(tell({ team_id: 77 }, false)).rejects.toMatchObject({ code: 'key.unknown' })
  })
})
