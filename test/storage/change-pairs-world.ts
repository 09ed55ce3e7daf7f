// The aggregates that people change, each with its changes: what a fresh one is, what can be done with it, and how it stands then.
import { createHash } from 'node:crypto'
import type { Caller } from '../../core/auth/caller.ts'
import { fingerprintOf } from '../../core/channels/keys.ts'
import { GatewayError } from '../../core/errors.ts'
import type { MemoryGateway } from '../core/gateway.ts'
import { signedIn } from '../support/signed-in.ts'
import { joinTeam } from '../support/teams.ts'

/** A change of one thing. Its name says what it does; whoever asks is one of the people of the thing. */
export interface PairedChange<Thing> {
  name: string
  run(thing: Thing): Promise<unknown>
}
type Ask<Thing> = (thing: Thing) => [caller: Caller, endpoint: string, input: Record<string, unknown>]

export interface Aggregate<Thing = any> {
  make(): Promise<Thing>
  changes: PairedChange<Thing>[]
  /** How it stands, without numbers and times that differ from one to the next. */
  look(thing: Thing): Promise<unknown>
}

export async function pairedAggregates(weir: MemoryGateway): Promise<Record<string, Aggregate>> {
  const { storage } = weir
  const root = await weir.as('root')
  const change = <Thing>(name: string, ask: Ask<Thing>): PairedChange<Thing> => ({
    name,
    run: (thing) => weir.ask(...ask(thing)),
  })
  let names = 0
  const fresh = (prefix: string) => `${prefix}${(names += 1)}`

  async function person(quota = 0): Promise<Caller & { name: string; id: number }> {
    const name = fresh('p')
    await weir.ask(root, 'users.create', { username: name, password: 'long enough' })
    const { user } = (await storage.users.findByLogin(name))!
    if (quota > 0) await weir.ask(root, 'users.topUp', { user_id: user.id, quota })
    return { ...signedIn(user), name, id: user.id }
  }
  const quotaOf = async (id: number) => (await storage.users.find(id))?.quota

  interface TeamThing {
    id: number
    people: Record<'ada' | 'bob' | 'carl' | 'dora', Caller & { name: string; id: number }>
    invitation: number
  }
  const teams: Aggregate<TeamThing> = {
    /** Ada and bob own it, carl is a member with a token, dora is invited. */
    async make() {
      const people = { ada: await person(100), bob: await person(), carl: await person(), dora: await person() }
      const { id } = (await weir.ask(people.ada, 'teams.create', { name: 'crew' })) as { id: number }
      await joinTeam(weir, { id, username: people.bob.name, role: 'owner' })
      await joinTeam(weir, { id, username: people.carl.name })
      await weir.ask(people.carl, 'tokens.create', { name: 'first', team_id: id })
      await weir.ask(people.ada, 'teams.putMember', { id, username: people.dora.name })
      const [invitation] = await storage.teamInvitations.ofUser(people.dora.id)
      return { id, people, invitation: invitation!.id }
    },
    changes: [
      change('ada leaves', ({ id, people: { ada } }) => [ada, 'teams.removeMember', { id, user_id: ada.id }]),
      change('bob leaves', ({ id, people: { bob } }) => [bob, 'teams.removeMember', { id, user_id: bob.id }]),
      change(
        'ada demotes bob',
        ({ id, people: { ada, bob } }) =>
          [...[ada, 'teams.putMember', { id, username: bob.name, role: 'member' }]] as never,
      ),
      change(
        'bob demotes ada',
        ({ id, people: { ada, bob } }) =>
          [...[bob, 'teams.putMember', { id, username: ada.name, role: 'member' }]] as never,
      ),
      change('ada is deregistered', ({ people: { ada } }) => [root, 'users.manage', { id: ada.id, action: 'delete' }]),
      change('bob is deregistered', ({ people: { bob } }) => [root, 'users.manage', { id: bob.id, action: 'delete' }]),
      change(
        'carl is put out',
        ({ id, people: { ada, carl } }) => [...[ada, 'teams.removeMember', { id, user_id: carl.id }]] as never,
      ),
      change('carl makes a token', ({ id, people: { carl } }) => [
        carl,
        'tokens.create',
        { name: 'more', team_id: id },
      ]),
      change(
        'dora accepts',
        ({ people: { dora }, invitation }) => [...[dora, 'teams.accept', { invitation_id: invitation }]] as never,
      ),
      change(
        'dora declines',
        ({ people: { dora }, invitation }) => [...[dora, 'teams.decline', { invitation_id: invitation }]] as never,
      ),
      change(
        'dora is deregistered',
        ({ people: { dora } }) => [...[root, 'users.manage', { id: dora.id, action: 'delete' }]] as never,
      ),
      change(
        'the invitation is withdrawn',
        ({ id, people: { bob }, invitation }) =>
          [...[bob, 'teams.withdraw', { id, invitation_id: invitation }]] as never,
      ),
      change('ada fills', ({ id, people: { ada } }) => [ada, 'teams.transfer', { id, amount: 60 }]),
      change('root fills', ({ id }) => [root, 'teams.adjust', { id, amount: 5 }]),
      change('root empties', ({ id }) => [root, 'teams.adjust', { id, amount: -5 }]),
      change('bob renames', ({ id, people: { bob } }) => [bob, 'teams.update', { id, name: 'other' }]),
      change('ada deletes', ({ id, people: { ada } }) => [ada, 'teams.delete', { id }]),
    ],
    async look({ id, people }) {
      const names = new Map(Object.entries(people).map(([name, { id: number }]) => [number, name]))
      const team = await storage.teams.find(id)
      const account = await storage.ledger.transact(({ accounts }) => accounts([id], []))
      const tokens = await storage.tokens.listOfTeam(id, { offset: 0, limit: 50 })
      return {
        team: team && team.name,
        quota: account.accounts[0]?.quota,
        members: (await storage.teams.members(id)).map(({ user_id, role }) => `${names.get(user_id)} ${role}`).sort(),
        invitations: (await storage.teamInvitations.ofTeam(id)).length,
        tokens: tokens.items.map(({ name, user_id }) => `${name} of ${names.get(user_id)}`).sort(),
        people: await Promise.all(Object.values(people).map(async ({ id: one }) => quotaOf(one))),
      }
    },
  }

  interface CodeThing {
    id: number
    key: string
    one: Caller & { id: number }
    two: Caller & { id: number }
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

  const users: Aggregate<Caller & { id: number; name: string }> = {
    make: () => person(5),
    changes: [
      ...(['promote', 'demote', 'disable', 'enable', 'delete'] as const).map((action) =>
        change<Caller & { id: number }>(action, ({ id }) => [root, 'users.manage', { id, action }]),
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
    owner: Caller & { id: number }
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
        ({ id }) => [...[root, 'channels.manageKeys', { id, keys: [fingerprintOf('k1')], action: 'remove' }]] as never,
      ),
      change(
        'loses the other key',
        ({ id }) => [...[root, 'channels.manageKeys', { id, keys: [fingerprintOf('k2')], action: 'remove' }]] as never,
      ),
      change(
        'switches a key off',
        ({ id }) => [...[root, 'channels.manageKeys', { id, keys: [fingerprintOf('k1')], action: 'disable' }]] as never,
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
    buyer: Caller & { id: number }
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
  return { teams, redemptions, users, tokens, channels, groups, alerts, topups }
}
