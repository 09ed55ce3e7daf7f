// Teams in a state file: members at once, owners with their consent, by name where that is clear.
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Caller } from '../../core/auth/caller.ts'
import { openMemoryGateway, type MemoryGateway } from '../core/gateway.ts'
import { signedIn } from '../support/signed-in.ts'

let weir: MemoryGateway
let root: Caller
const people: Record<string, Caller> = {}
beforeAll(async () => {
  weir = await openMemoryGateway()
  root = await weir.as('root')
  for (const username of ['ada', 'bob']) {
    await weir.ask(root, 'users.create', { username, password: 'long enough' })
    people[username] = signedIn((await weir.storage.users.findByLogin(username))!.user)
  }
})
afterAll(() => weir.close())

type Members = Record<string, { role?: string; budget_day?: number }>
const documentOf = (teams: Record<string, { members?: Members } | null>) => ({ document: { weir: 1, teams } })
const apply = (teams: Parameters<typeof documentOf>[0]) => weir.ask(root, 'state.apply', documentOf(teams))
const changes = async (teams: Parameters<typeof documentOf>[0]) =>
  ((await weir.ask(root, 'state.plan', documentOf(teams))) as { changes: unknown[] }).changes
const teamsCalled = async (name: string) =>
  (await weir.storage.teams.list(null, { offset: 0, limit: 50 })).items.filter((team) => team.name === name)
const rolesOf = async (id: number) =>
  (await weir.storage.teams.members(id)).map(({ username, role }) => `${username} ${role}`)

it('puts members in at once, and owners once they accept it', async () => {
  const wanted = { crew: { members: { ada: { role: 'owner' }, bob: { budget_day: 5 } } } }
  await apply(wanted)
  const [crew] = await teamsCalled('crew')
  expect(await rolesOf(crew!.id)).toEqual(['ada member', 'bob member'])
  const [invitation, ...others] = await weir.storage.teamInvitations.ofUser(people.ada!.user!.id)
  expect([invitation?.role, others]).toEqual(['owner', []])
  // Applied again it asks nobody twice, before it is accepted and behind it.
  expect(await changes(wanted)).toEqual([])
  await weir.ask(people.ada!, 'teams.accept', { invitation_id: invitation!.id })
  expect(await rolesOf(crew!.id)).toEqual(['ada owner', 'bob member'])
  expect(await changes(wanted)).toEqual([])
  // Whoever applies it makes themselves no owner of a team that has one, and no team is left without.
  const code = async (members: Members) =>
    ((await apply({ crew: { members } }).catch((error: unknown) => error)) as { message: string }).message
  expect(await code({ ada: { role: 'owner' }, 'the-root': { role: 'owner' } })).toMatch(/Administrators cannot/)
  expect(await code({ bob: { role: 'owner' } })).toMatch(/needs an owner/)
  // What a file says no more is asked no more.
  await apply({ crew: { members: { ada: { role: 'owner' }, bob: { role: 'owner' } } } })
  expect(await weir.storage.teamInvitations.ofUser(people.bob!.user!.id)).toHaveLength(1)
  await apply({ crew: { members: { ada: { role: 'owner' }, bob: { role: 'member' } } } })
  expect(await weir.storage.teamInvitations.ofUser(people.bob!.user!.id)).toHaveLength(0)
})

it('calls teams by name where that is clear, else by number', async () => {
  const [one, two] = [
    (await weir.ask(root, 'teams.create', { name: 'twins' })) as { id: number },
    (await weir.ask(root, 'teams.create', { name: 'twins' })) as { id: number },
  ]
  await weir.ask(root, 'teams.create', { name: '#12' })
  const { document } = (await weir.ask(root, 'state.export', { people: true })) as { document: { teams: object } }
  const keys = Object.keys(document.teams)
  expect(keys).toEqual(expect.arrayContaining(['crew', `#${one.id}`, `#${two.id}`]))
  expect(keys).not.toContain('twins')
  expect(keys).not.toContain('#12')
  await apply({ [`#${two.id}`]: { members: { 'the-root': { role: 'owner' }, bob: {} } } })
  expect([await rolesOf(one.id), await rolesOf(two.id)]).toEqual([['the-root owner'], ['the-root owner', 'bob member']])
  const refused = (await apply({ '#999999': {} }).catch((error: unknown) => error)) as { message: string }
  expect(refused.message).toMatch(/Team #999999 not found/)
})
