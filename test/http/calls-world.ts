// The installation for the calls of the specification: users, and one object of every kind that a call may name.
import { newTask } from '../storage/samples.ts'
import type { TestGateway } from '../support/gateway.ts'
import type { Visitor } from '../support/server.ts'
import type { EndpointAccess } from '../../core/contract/endpoint.ts'
import type { RedemptionCode } from '../../core/redemptions/redemption.ts'

export interface CallsWorld {
  weir: TestGateway
  askers: Record<Exclude<EndpointAccess, 'public'>, Visitor>
  /** A name that nothing has. */
  fresh(prefix: string): string
  account: { username: string; password: string }
  ids: { user: number; token: number; channel: number; balance: number }
  /** A new channel, token, tag or redemption code. */
  /** A new open task of somebody. */
  task(): Promise<number>
  channel(fields?: { status?: number; tag?: string }): Promise<number>
  token(): Promise<number>
  tagged(): Promise<string>
  code(): Promise<RedemptionCode>
  /** Somebody who is to leave asks, in place of the user. */
  leaver(): Promise<Asked>
  /** Who asks next in place of the user; once. */
  standIn?: Visitor
}

export async function callsWorld(weir: TestGateway): Promise<CallsWorld> {
  const { upstream } = weir
  upstream.reply(({ path }) => {
    if (path.includes('/models')) return { body: { data: [{ id: 'a-model' }] } }
    if (path.includes('subscription')) return { body: { hard_limit_usd: 20, has_payment_method: true } }
    if (path.includes('usage')) return { body: { total_usage: 750 } }
    const message = { role: 'assistant', content: 'Hello' }
    return {
      body: { choices: [{ message, finish_reason: 'stop' }], usage: { prompt_tokens: 3, completion_tokens: 2 } },
    }
  })
  const options = {
    ServerAddress: 'https://weir.example',
    PayAddress: 'https://pay.example',
    EpayId: '1001',
    EpayKey: 'k',
  }
  for (const [key, value] of Object.entries({ ...options, AllowedNetworks: '["127.0.0.0/8"]' }))
    await weir.set(key, value)
  const user = await weir.addVisitor()
  const admin = await weir.addVisitor({ patch: { role: 10 } })
  const target = await weir.addUser()
  const serving = await weir.addChannel()
  const own = await user.client.tokens.create({ name: 'own' })
  let made = 0

  const world: CallsWorld = {
    weir,
    askers: { user, admin, root: weir.root },
    fresh: (prefix) => `${prefix}${Date.now() % 1e6}${++made}`,
    account: { username: user.user.username, password: user.password },
    ids: { user: target.user.id, token: own.id, channel: serving.id, balance: serving.id },
    async task() {
      const { tasks } = weir.gateway.ports.storage
      const task_id = world.fresh('task')
      const whose = { user_id: target.user.id, account_id: target.user.id }
      await tasks.add(newTask({ ...whose, task_id, finish_time: 0, status: 'NOT_START' }))
      return (await tasks.findOwn(target.user.id, task_id))?.id ?? 0
    },
    async channel({ tag, ...fields } = {}) {
      const { id } = await weir.addChannel({ group: 'svip', ...fields })
      if (tag) await weir.root.client.channels.tagMany({ ids: [id], tag })
      return id
    },
    token: async () => (await user.client.tokens.create({ name: 'spare' })).id,
    async tagged() {
      const tag = world.fresh('tag')
      await world.channel({ tag })
      return tag
    },
    async code() {
      await weir.root.client.redemptions.create({ name: 'code', quota: 5 })
      return (await weir.root.client.redemptions.list()).items[0]!
    },
    async leaver() {
      world.standIn = await weir.addVisitor()
      return {}
    },
  }
  return world
}

export interface Asked {
  /** In place of those in the path. */
  params?: Record<string, string | number>
  query?: Record<string, string | number | boolean>
  body?: object
}
