// A team with its owners, members, tokens, invitations and money, and every change of it.
import { joinTeam } from '../support/teams.ts'
import type { Aggregate, PairWorld, Person } from './change-pairs.ts'

interface TeamThing {
  id: number
  people: Record<'ada' | 'bob' | 'carl' | 'dora', Person>
  invitation: number
}
export function pairedTeams({ weir, root, change, person, quotaOf }: PairWorld): Aggregate<TeamThing> {
  const { storage } = weir
  return {
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
}
