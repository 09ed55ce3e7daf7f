// Maximum numbers of objects also hold for concurrent creations.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Caller } from '../../core/auth/caller.ts'
import { openMemoryGateway, type MemoryGateway } from '../core/gateway.ts'
import { listDatabaseKinds } from '../support/database-kinds.ts'
import { migratedDatabase } from '../support/postgres.ts'

describe.each(listDatabaseKinds())('made at once, on %s', (kind) => {
  let weir: MemoryGateway
  let root: Caller
  beforeAll(async () => {
    weir = await openMemoryGateway(kind === 'postgres' ? { place: { database: await migratedDatabase() } } : {})
    root = await weir.as('root')
  })
  afterAll(() => weir.close())

  const many = <T>(count: number, make: (at: number) => Promise<T>) =>
    Promise.allSettled(Array.from({ length: count }, (_, at) => make(at)))

  /** What there may be, how one is made, and how many there are. */
  const limited: Record<string, { most: number; make(at: number): Promise<unknown>; count(): Promise<number> }> = {
    'teams of one user': {
      most: 3,
      make: (at) => weir.ask(root, 'teams.create', { name: `team ${at}` }),
      count: () => weir.storage.teams.countOwned(root.user!.id),
    },
    'access tokens of one user': {
      most: 20,
      make: (at) => weir.ask(root, 'users.createAccessToken', { name: `token ${at}` }),
      count: async () => (await weir.storage.accessTokens.listOfUser(root.user!.id)).length,
    },
    'alert rules': {
      most: 100,
      make: (at) => weir.ask(root, 'alerts.create', { name: `rule ${at}`, kind: 'disk', threshold: 10 }),
      count: async () => (await weir.storage.alerts.rules()).length,
    },
    'invitations of one team': {
      most: 100,
      async make(at) {
        const [team] = (await weir.storage.teams.list(root.user!.id, { offset: 0, limit: 1 })).items
        return weir.ask(root, 'teams.putMember', { id: team!.id, username: `somebody ${at}` })
      },
      async count() {
        const [team] = (await weir.storage.teams.list(root.user!.id, { offset: 0, limit: 1 })).items
        return (await weir.storage.teamInvitations.ofTeam(team!.id)).length
      },
    },
    'views that one team shares': {
      most: 100,
      async make(at) {
        const [team] = (await weir.storage.teams.list(root.user!.id, { offset: 0, limit: 1 })).items
        return weir.ask(root, 'teams.shareView', { id: team!.id, list: 'logs', name: `view ${at}` })
      },
      async count() {
        const [team] = (await weir.storage.teams.list(root.user!.id, { offset: 0, limit: 1 })).items
        return (await weir.storage.teamViews.ofTeam(team!.id)).length
      },
    },
  }

  it.each(Object.entries(limited))('%s are no more than there may be', async (_, { most, make, count }) => {
    await weir.ask(root, 'settings.update', { key: 'teams.per_user', value: '3' })
    for (let at = await count(); at < most - 2; at += 1) await make(1000 + at)
    const made = await many(8, make)
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    expect(await count()).toBe(most)
  })
})
