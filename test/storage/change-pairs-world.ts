// The objects that people change, each with its changes: a fresh one, the possible changes, and its state afterwards.
import { createHash } from 'node:crypto'
import { getKeyFingerprint } from '../../core/channels/keys.ts'
import { GatewayError } from '../../core/errors.ts'
import type { MemoryGateway } from '../core/gateway.ts'
import { pairedTeams } from './change-pairs-teams.ts'
import { openPairWorld, type Aggregate, type Person } from './change-pairs.ts'

export async function pairedAggregates(weir: MemoryGateway): Promise<Record<string, Aggregate>> {
  const { storage } = weir
  const world = await openPairWorld(weir)
  const { root, fresh, person, quotaOf, change } = world

  interface CodeThing {
    id: number
    key: string
    one: Person
    two: Person
  }
  const redemptions: Aggregate<CodeThing> = {
    async make() {
      const made = { name: 'code', quota: 7, count: 1 }
      const { codes } = (await weir.ask(root, 'redemptions.create', made)) as { codes: { id: number; key: string }[] }
      const { id, key } = codes[0]!
      return { id, key, one: await person(), two: await person() }
    },
    changes: [
      change('one redeems', ({ one, key }) => [one, 'redemptions.redeem', { key }]),
      change('two redeems', ({ two, key }) => [two, 'redemptions.redeem', { key }]),
      change('is worth more', ({ id }) => [root, 'redemptions.update', { id, quota: 70 }]),
      change('is disabled', ({ id }) => [root, 'redemptions.update', { id, status: 2, status_only: 'true' }]),
      change('is deleted', ({ id }) => [root, 'redemptions.delete', { id }]),
    ],
    async look({ id, one, two }) {
      const code = await storage.redemptions.find(id)
      const quotas = [await quotaOf(one.id), await quotaOf(two.id)]
      return { code: code && [code.status, code.quota], quotas }
    },
  }

  const users: Aggregate<Person> = {
    make: () => person(5),
    changes: [
      ...(['promote', 'demote', 'disable', 'enable', 'delete'] as const).map((action) =>
        change<Person>(action, ({ id }) => [root, 'users.manage', { id, action }]),
      ),
      change(
        'is renamed',
        ({ id, name }) =>
          [...[root, 'users.update', { id, username: name, display_name: 'Other', password: '' }]] as never,
      ),
      change('is paid', ({ id }) => [root, 'users.topUp', { user_id: id, quota: 3 }]),
      change('makes a token', (self) => [self, 'tokens.create', { name: 'more' }]),
      change('makes a team', (self) => [self, 'teams.create', { name: 'own' }]),
    ],
    async look({ id }) {
      const user = await storage.users.find(id)
      const { items } = await storage.tokens.listOfUser(id, {}, { offset: 0, limit: 9 })
      const { role, status, display_name, quota, DeletedAt } = user!
      const teams = (await storage.teams.ofUser(id)).map(({ role: as }) => as)
      return {
        role,
        status,
        display_name: display_name === 'Other',
        quota,
        gone: DeletedAt !== null,
        tokens: items.length,
        teams,
      }
    },
  }

  interface TokenThing {
    id: number
    owner: Person
  }
  const tokens: Aggregate<TokenThing> = {
    async make() {
      const owner = await person()
      const { id } = (await weir.ask(owner, 'tokens.create', { name: 'first' })) as { id: number }
      return { id, owner }
    },
    changes: [
      change('is renamed', ({ id, owner }) => [owner, 'tokens.update', { id, name: 'one', group: '' }]),
      change('gets a budget', ({ id, owner }) => [owner, 'tokens.update', { id, name: 'two', remain_quota: 9 }]),
      change('is disabled', ({ id, owner }) => [owner, 'tokens.update', { id, status: 2, status_only: 'true' }]),
      change('is disabled by root', ({ id }) => [root, 'tokens.manage', { id, action: 'disable' }]),
      change('is deleted', ({ id, owner }) => [owner, 'tokens.delete', { id }]),
      change('is deleted by root', ({ id }) => [root, 'tokens.manage', { id, action: 'delete' }]),
    ],
    async look({ id }) {
      const token = await storage.tokens.find(id)
      return token && [token.name, token.status, token.remain_quota]
    },
  }

  const channels: Aggregate<{ id: number }> = {
    async make() {
      const form = {
        name: fresh('c'),
        type: 1,
        key: 'k1\nk2',
        key_mode: 'turn',
        models: 'm',
        base_url: 'https://a.example',
      }
      const [made] = (await weir.ask(root, 'channels.create', form)) as { id: number }[]
      return { id: made!.id }
    },
    changes: [
      change('weighs more', ({ id }) => [root, 'channels.update', { id, weight: 5 }]),
      change('has other models', ({ id }) => [root, 'channels.update', { id, models: 'n' }]),
      change('is disabled', ({ id }) => [root, 'channels.update', { id, status: 2 }]),
      change('gets a key', ({ id }) => [root, 'channels.addKeys', { id, key: 'k3' }]),
      change('gets another key', ({ id }) => [root, 'channels.addKeys', { id, key: 'k4' }]),
      change(
        'loses a key',
        ({ id }) =>
          [...[root, 'channels.manageKeys', { id, keys: [getKeyFingerprint('k1')], action: 'remove' }]] as never,
      ),
      change(
        'loses the other key',
        ({ id }) =>
          [...[root, 'channels.manageKeys', { id, keys: [getKeyFingerprint('k2')], action: 'remove' }]] as never,
      ),
      change(
        'switches a key off',
        ({ id }) =>
          [...[root, 'channels.manageKeys', { id, keys: [getKeyFingerprint('k1')], action: 'disable' }]] as never,
      ),
      change('is deleted', ({ id }) => [root, 'channels.delete', { id }]),
    ],
    async look({ id }) {
      const channel = await storage.channels.find(id)
      if (!channel) return null
      const { weight, models, status, key, other_info } = channel
      return { weight, models, status, keys: key.split('\n').sort(), off: /k1|by_hand/.test(other_info) }
    },
  }

  const groups: Aggregate<{ name: string }> = {
    async make() {
      const name = fresh('g')
      await weir.ask(root, 'groups.set', { name, ratio: 1 })
      return { name }
    },
    changes: [
      change('costs more', ({ name }) => [root, 'groups.set', { name, ratio: 3 }]),
      change('is described', ({ name }) => [root, 'groups.set', { name, description: 'said' }]),
      change('is removed', ({ name }) => [root, 'groups.remove', { name }]),
    ],
    look: async ({ name }) => {
      const { GroupRatio, UserUsableGroups } = weir.settings()
      return [GroupRatio[name], UserUsableGroups[name]]
    },
  }
  const alerts: Aggregate<{ id: number }> = {
    make: () =>
      weir.ask(root, 'alerts.create', { name: 'disk', kind: 'disk', threshold: 10 }) as Promise<{ id: number }>,
    changes: [
      change('is renamed', ({ id }) => [root, 'alerts.update', { id, name: 'other' }]),
      change('is switched off', ({ id }) => [root, 'alerts.update', { id, enabled: false }]),
      change('is deleted', ({ id }) => [root, 'alerts.delete', { id }]),
    ],
    async look({ id }) {
      const rule = await storage.alerts.find(id)
      if (rule) await weir.ask(root, 'alerts.delete', { id })
      return rule && [rule.name, rule.enabled]
    },
  }

  /** What the gateway of the merchant signs. */
  function notice(fields: Record<string, string>): Record<string, string> {
    const text = Object.keys(fields)
      .sort()
      .map((name) => `${name}=${fields[name]}`)
      .join('&')
    return { ...fields, sign: createHash('md5').update(`${text}epay-key`).digest('hex'), sign_type: 'MD5' }
  }
  interface OrderThing {
    trade_no: string
    buyer: Person
  }
  const paid = async ({ trade_no }: OrderThing) => {
    const fields = { pid: '1001', trade_no: 'E1', out_trade_no: trade_no, type: 'alipay', name: 'x', money: '73.00' }
    const report = { fields: notice({ ...fields, trade_status: 'TRADE_SUCCESS' }), headers: {}, body: '' }
    const answer = await weir.takeNotice('epay', async () => report)
    if (!JSON.stringify(answer).includes('success')) throw new GatewayError('topup.notice')
  }
  const topups: Aggregate<OrderThing> = {
    async make() {
      const options = {
        ServerAddress: 'https://w.example',
        PayAddress: 'https://p.example',
        EpayId: '1001',
        EpayKey: 'epay-key',
      }
      for (const [key, value] of Object.entries(options)) await weir.client.settings.update({ key, value })
      const buyer = await person()
      const { data } = (await weir.ask(buyer, 'topups.pay', { amount: 10, payment_method: 'zfb' })) as {
        data: { out_trade_no: string }
      }
      return { trade_no: data.out_trade_no, buyer }
    },
    changes: [
      { name: 'is reported paid', run: paid },
      {
        name: 'lapses',
        run: async ({ trade_no }) => storage.topups.expire((await storage.topups.findByTradeNo(trade_no))?.id ?? 0),
      },
      change('its buyer is deregistered', ({ buyer }) => [root, 'users.manage', { id: buyer.id, action: 'delete' }]),
    ],
    look: async ({ trade_no, buyer }) => [
      (await storage.topups.findByTradeNo(trade_no))?.status,
      await quotaOf(buyer.id),
    ],
  }
  // Each is given none but what it has made.
  const all = { teams: pairedTeams(world), redemptions, users, tokens, channels, groups, alerts, topups }
  return all as unknown as Record<string, Aggregate>
}
