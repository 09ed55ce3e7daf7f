// Finds the endpoints that move quota to or from an account that is not the caller's alone, change a role, or grant a
// membership, by calling each endpoint once. Each of them must require reauthentication of a session.
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Caller } from '../../core/auth/caller.ts'
import { endpointsByName } from '../../core/contracts.ts'
import { changes, openChangesWorld, type ChangesWorld } from '../storage/changes-world.ts'

/** They do it, and ask for no proof: whoever registers has none yet. */
const EXEMPT = new Set(['auth.register', 'site.setup'])

/** Some of those that do it. */
const SEEN = `users.create users.topUp users.update users.manage tasks.manage
  teams.create teams.putMember teams.accept teams.transfer teams.adjust`

let world: ChangesWorld
beforeAll(async () => {
  world = await openChangesWorld('sqlite')
})
afterAll(() => world.close())

interface Seen {
  roles: Map<number, number>
  members: Map<string, string>
  entries: number
}

async function look(): Promise<Seen> {
  const { read } = world.raw
  await world.weir.applied()
  const users: { id: number; role: number }[] = await read('users').select('id', 'role')
  const members: { team_id: number; user_id: number; role: string }[] = await read('team_members').select()
  const last: { id: number } | undefined = await read('ledger_entries').orderBy('id', 'desc').first('id')
  return {
    roles: new Map(users.map(({ id, role }) => [id, role])),
    members: new Map(members.map(({ team_id, user_id, role }) => [`${team_id} ${user_id}`, role])),
    entries: last?.id ?? 0,
  }
}

/** What a call did that needs a fresh proof. */
async function noteEffects(before: Seen, caller: Caller): Promise<string[]> {
  const after = await look()
  const entries: { account_id: number }[] = await world.raw
    .read('ledger_entries')
    .where('id', '>', before.entries)
    .select('account_id')
  const others = entries.filter(({ account_id }) => account_id !== caller.user?.id)
  const roles = [...after.roles].filter(([id, role]) => before.roles.has(id) && before.roles.get(id) !== role)
  const members = [...after.members].filter(([member, role]) => before.members.get(member) !== role)
  return [
    ...(others.length > 0 ? ['moves quota of others'] : []),
    ...(roles.length > 0 ? ['changes a role'] : []),
    ...(members.length > 0 ? ['gives a membership'] : []),
  ]
}

it('every endpoint that moves quota of others, changes a role or gives a membership asks for a fresh proof', async () => {
  const { weir, root, carl } = world
  const found = new Map<string, Set<string>>()
  async function ask(caller: Caller, operation: string, input: Record<string, unknown>): Promise<unknown> {
    const before = await look()
    const reply = await weir.ask(caller, operation, input).catch((error: unknown) => error)
    for (const effect of await noteEffects(before, caller))
      found.set(operation, (found.get(operation) ?? new Set()).add(effect))
    return reply
  }
  await weir.ask(root, 'settings.update', { key: 'QuotaForNewUser', value: '100000' })
  for (const [, operation, input, by] of changes)
    await ask(by === 'carl' ? carl : root, operation, await world.inputOf(input))

  // What people do with what is theirs, and with teams.
  await weir.ask(root, 'users.create', { username: 'dora2', password: 'long enough' })
  const dora = { ...carl, user: (await weir.storage.users.findByLogin('dora2'))!.user }
  const eve = { ...dora, user: (await weir.storage.users.find((await made('eve')).id))! }
  async function made(username: string) {
    await ask(root, 'users.create', { username, password: 'long enough' })
    return (await weir.storage.users.findByLogin(username))!.user
  }
  const team = (await ask(dora, 'teams.create', { name: 'hers' })) as { id: number }
  await ask(dora, 'teams.transfer', { id: team.id, amount: 500 })
  await ask(dora, 'teams.putMember', { id: team.id, username: 'eve' })
  const invitation = async () => (await weir.storage.teamInvitations.ofUser(eve.user.id))[0]?.id ?? 0
  await ask(eve, 'teams.decline', { invitation_id: await invitation() })
  await ask(dora, 'teams.putMember', { id: team.id, username: 'eve', role: 'owner' })
  await ask(eve, 'teams.accept', { invitation_id: await invitation() })
  await ask(dora, 'teams.putMember', { id: team.id, username: 'eve', role: 'member' })
  await ask(dora, 'teams.transfer', { id: team.id, amount: -100 })
  await ask(eve, 'teams.removeMember', { id: team.id, user_id: eve.user.id })
  const { codes } = (await weir.ask(root, 'redemptions.create', { name: 'code', quota: 7, count: 1 })) as {
    codes: { key: string }[]
  }
  await ask(eve, 'redemptions.redeem', { key: codes[0]?.key ?? '' })
  await ask(eve, 'users.affTransfer', { quota: 500_000 })
  await ask(eve, 'users.updateSelf', { display_name: 'Eve' })
  await ask(eve, 'tokens.create', { name: 'own' })

  const asked = [...found].filter(([name]) => !EXEMPT.has(name))
  const undeclared = asked.filter(([name]) => endpointsByName.get(name)?.proof === undefined)
  expect(undeclared.map(([name, effects]) => `${name} ${[...effects].join(', ')}`)).toEqual([])
  // The walk sees what it is there for.
  expect([...found.keys()]).toEqual(expect.arrayContaining(SEEN.split(/\s+/)))
}, 60_000)
