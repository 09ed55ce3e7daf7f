// Any amount, wherever quota moves, leaves the books exact and every reply that shows them readable.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { MAX_AMOUNT } from '../../core/contract/filter.ts'
import { endpointsByName } from '../../core/contracts.ts'
import { addTo } from '../storage/samples.ts'
import { describeWithGateway, eventually, type TestGateway } from '../support/gateway.ts'
import { Refused, type Visitor } from '../support/server.ts'
import { runsAllTests } from '../support/suite.ts'

const LARGEST = Number.MAX_SAFE_INTEGER
const BOUNDS = [0, 1, 500_000, MAX_AMOUNT - 1, MAX_AMOUNT, MAX_AMOUNT + 1, LARGEST - 1, LARGEST]
const EDGES = [...BOUNDS, ...BOUNDS.map((bound) => -bound), LARGEST + 1, 1e300, 0.5]

interface World {
  weir: TestGateway
  ada: Visitor & { user: { username: string } }
  id: number
  token: number
  team: number
}

const nameUser = () => `n${performance.now()}`.slice(0, 12)

/** Every endpoint that takes an amount of quota, and how it is asked with one. */
const MOVERS: Record<string, (world: World, amount: number) => Promise<unknown>> = {
  'users.create': ({ weir }, quota) =>
    weir.root.client.users.create({ username: nameUser(), password: 'long enough', quota }),
  'users.update': ({ weir, id }, quota) => weir.root.client.users.update({ id, quota }),
  'users.affTransfer': ({ ada }, quota) => ada.client.users.affTransfer({ quota }),
  'users.setting': ({ ada }, quota_warning_threshold) =>
    ada.client.users.setting({ notify_type: 'email', quota_warning_threshold }),
  'tokens.create': ({ ada }, amount) =>
    ada.client.tokens.create({ name: 'more', remain_quota: amount, budget_day: amount }),
  'tokens.update': ({ ada, token }, amount) =>
    ada.client.tokens.update({
      id: token,
      ...{ remain_quota: amount, budget_day: amount, budget_week: amount, budget_month: amount },
    }),
  'tokens.createOf': ({ weir, id }, amount) =>
    weir.root.client.tokens.createOf({ user_id: id, name: 'given', remain_quota: amount, budget_month: amount }),
  'tokens.updateOf': ({ weir, id, token }, amount) =>
    weir.root.client.tokens.updateOf({ user_id: id, id: token, remain_quota: amount, budget_day: amount }),
  'users.topUp': ({ weir, id }, quota) => weir.root.client.users.topUp({ user_id: id, quota }),
  async 'redemptions.create'({ weir, ada }, quota) {
    for (const key of (await weir.root.client.redemptions.create({ name: 'many', quota, count: 1 })).data) {
      await ada.client.redemptions.redeem({ key })
    }
  },
  async 'redemptions.update'({ weir, ada }, quota) {
    const [key = ''] = (await weir.root.client.redemptions.create({ name: 'one', quota: 5, count: 1 })).data
    const { items } = await weir.root.client.redemptions.list({})
    await weir.root.client.redemptions.update({ id: items[0]?.id ?? 0, quota })
    await ada.client.redemptions.redeem({ key })
  },
  'topups.amount': ({ ada }, amount) => ada.client.topups.amount({ amount }),
  'topups.pay': ({ ada }, amount) => ada.client.topups.pay({ amount }),
  'teams.transfer': ({ ada, team }, amount) => ada.client.teams.transfer({ id: team, amount }),
  'teams.adjust': ({ weir, team }, amount) => weir.root.client.teams.adjust({ id: team, amount }),
  'teams.putMember': ({ ada, team }, amount) =>
    ada.client.teams.putMember({ id: team, username: ada.user.username, budget_day: amount, budget_month: amount }),
  async 'settings.update'({ weir }, amount) {
    for (const key of ['QuotaForNewUser', 'QuotaForInvitee', 'QuotaForInviter', 'QuotaRemindThreshold']) {
      await weir.root.client.settings.update({ key, value: String(amount) })
    }
    await weir.root.client.users.create({ username: nameUser(), password: 'long enough' })
  },
}

/** Settings are named, not declared one by one. */
const NAMED = ['settings.update']
/** `min_quota` only filters. */
const AMOUNT = /(?<!^min_)quota|budget_|^amount$/

async function readable({ weir, ada, id, token, team }: World) {
  const { root } = weir
  expect((await root.client.quota.verify()).faults).toEqual([])
  const lists = await Promise.all([
    root.client.users.list({ page_size: 100 }),
    root.client.redemptions.list({}),
    root.client.quota.entries({ account_id: id }),
    root.client.quota.entries({ account_id: team }),
    ada.client.teams.list({}),
    root.client.logs.list({}),
    root.client.topups.list({}),
  ])
  for (const { items } of lists) for (const item of items) expect(item).not.toHaveProperty('unreadable')
  const self = await ada.client.users.self()
  const own = await ada.client.tokens.get({ id: token })
  expect((await ada.client.tokens.list({})).data).not.toEqual([])
  expect([self.quota, self.aff_quota, own.remain_quota].every(Number.isSafeInteger)).toBe(true)
}

describeWithGateway('amounts at their bounds', (weir, kind) => {
  it('has every endpoint that takes an amount', () => {
    const taking = [...endpointsByName].filter(([, { body, query }]) =>
      Object.keys({ ...body?.shape, ...query?.shape }).some((name) => AMOUNT.test(name)),
    )
    expect(Object.keys(MOVERS).sort()).toEqual([...taking.map(([name]) => name), ...NAMED].sort())
  })

  it(
    'are refused or booked exactly, from any balance, and nothing becomes unreadable',
    { timeout: 300_000 },
    async () => {
      const { storage } = weir.gateway.ports
      // As many moves as in `npm run test:all`, of fewer people.
      const moves = runsAllTests ? { minLength: 3, maxLength: 8 } : { minLength: 10, maxLength: 16 }
      const numRuns = !runsAllTests ? 9 : kind === 'sqlite' ? 25 : 10
      await weir.addUser()
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(0, 1, LARGEST - MAX_AMOUNT, LARGEST - 1, LARGEST, -LARGEST),
          fc.array(fc.tuple(fc.constantFrom(...Object.keys(MOVERS)), fc.constantFrom(...EDGES)), {
            ...moves,
          }),
          async (start, asked) => {
            await weir.set('QuotaForNewUser', 0)
            const ada = await weir.addVisitor()
            const made = await ada.client.tokens.create({ name: 'first' })
            const team = (await ada.client.teams.create({ name: `team of ${ada.user.id}` })).id
            const world = { weir, ada, id: ada.user.id, token: made.id, team }
            if (start !== 0) await addTo(storage, world.id, start)
            for (const [name, amount] of asked) {
              await MOVERS[name]?.(world, amount).catch((error: unknown) => {
                expect(error, `${name} ${amount}`).toBeInstanceOf(Refused)
                expect((error as Refused).code, `${name} ${amount}`).not.toBe('server.bug')
              })
            }
            await readable(world)
          },
        ),
        { numRuns, seed: 31 },
      )
    },
  )

  it('a code that no balance can bear is refused and stays unused', async () => {
    const ada = await weir.addVisitor()
    await addTo(weir.gateway.ports.storage, ada.user.id, LARGEST - 4)
    const [key = ''] = (await weir.root.client.redemptions.create({ name: 'much', quota: 5, count: 1 })).data
    await expect(ada.client.redemptions.redeem({ key })).rejects.toMatchObject({ code: 'quota.out_of_range' })
    await weir.root.client.redemptions.update({
      ...{ id: (await weir.root.client.redemptions.list({})).items[0]?.id ?? 0, quota: 4 },
    })
    expect(await ada.client.redemptions.redeem({ key })).toBe(4)
    expect((await ada.client.users.self()).quota).toBe(LARGEST)
  })

  it('a call of a balance at the bound is charged exactly', async () => {
    await weir.addChannel()
    const ada = await weir.addCaller({ quota: 0 })
    await addTo(weir.gateway.ports.storage, ada.user.id, LARGEST)
    weir.upstream.reply(() => ({
      body: {
        ...{ id: 'c', object: 'chat.completion', created: 1, model: weir.model },
        choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 1000, completion_tokens: 1000, total_tokens: 2000 },
      },
    }))
    expect((await ada.chat()).status).toBe(200)
    const due = weir.due({ prompt: 1000, completion: 1000 })
    expect(await eventually(ada.balances, ({ quota }) => quota !== LARGEST)).toMatchObject({
      ...{ quota: LARGEST - due, used_quota: due },
    })
  })
})
