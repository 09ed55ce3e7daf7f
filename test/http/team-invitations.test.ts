// Invitations to teams: they count for nothing until the person accepts them, and tell nobody which names there are.
import { expect, it } from 'vitest'
import { openMemoryGateway } from '../core/gateway.ts'
import { describeWithGateway, eventually } from '../support/gateway.ts'
import { joinTeam } from '../support/teams.ts'

const none = { code: 'team.no_invitation' }

describeWithGateway('invitations to a team', (weir) => {
  async function world() {
    const [owner, guest] = [await weir.addVisitor({ quota: 5000 }), await weir.addVisitor()]
    const { id } = await owner.client.teams.create({ name: 'crew' })
    const { username } = guest.user
    const invitations = () => guest.client.teams.invitations()
    const first = async () => (await invitations())[0]?.id ?? 0
    return { owner, guest, id, username, invitations, first }
  }

  it('make nobody a member before they are accepted: no look, no token, no limit', async () => {
    const { owner, guest, id, username, invitations, first } = await world()
    const invited = await owner.client.teams.putMember({ id, username, budget_day: 9 })
    expect(invited).toMatchObject({ team_id: id, username, role: 'member', budget_day: 9, invited: true, user_id: 0 })
    const { members, invitations: shown } = await owner.client.teams.get({ id })
    expect([members.length, shown.length]).toEqual([1, 1])
    expect(await invitations()).toMatchObject([
      { team_id: id, team_name: 'crew', username, role: 'member', invited_by: owner.user.username },
    ])
    const missing = { code: 'team.missing' }
    await expect(guest.client.teams.get({ id })).rejects.toMatchObject(missing)
    await expect(guest.client.tokens.create({ name: 'x', team_id: id })).rejects.toMatchObject(missing)
    const found = (await guest.client.attention.list()).find(({ kind }) => kind === 'own_invitation')
    expect(found).toMatchObject({ name: 'crew' })

    expect(await guest.client.teams.accept({ invitation_id: await first() })).toMatchObject({ role: 'member' })
    expect(await invitations()).toEqual([])
    expect((await guest.client.teams.get({ id })).members).toMatchObject([{}, { username, budget_day: 9 }])
    const rows = (await weir.root.client.audit.list({ target: String(id) })).items.map(({ action }) => action)
    expect(rows.slice(0, 2)).toEqual(['team.accept', 'team.invite'])
  })

  it('are declined by the person, withdrawn by an owner, and answered by nobody else', async () => {
    const { owner, guest, id, username, invitations, first } = await world()
    const eve = await weir.addVisitor()
    await owner.client.teams.putMember({ id, username })
    for (const { client } of [eve, owner, weir.root]) {
      await expect(client.teams.accept({ invitation_id: await first() })).rejects.toMatchObject(none)
      await expect(client.teams.decline({ invitation_id: await first() })).rejects.toMatchObject(none)
    }
    const invitation_id = await first()
    await expect(eve.client.teams.withdraw({ id, invitation_id })).rejects.toMatchObject({ code: 'team.missing' })
    await guest.client.teams.decline({ invitation_id })
    expect(await invitations()).toEqual([])
    await owner.client.teams.putMember({ id, username })
    const again = await first()
    await owner.client.teams.withdraw({ id, invitation_id: again })
    await expect(guest.client.teams.accept({ invitation_id: again })).rejects.toMatchObject(none)
    expect((await owner.client.teams.get({ id })).members).toHaveLength(1)
  })

  it('are how a member becomes an owner, and administrators do not make themselves owners', async () => {
    const { owner, guest, id, username, first } = await world()
    await joinTeam(weir.gateway, { id, username })
    const raised = await owner.client.teams.putMember({ id, username, role: 'owner', budget_day: 4 })
    expect(raised).toMatchObject({ role: 'member', budget_day: 4, invited: true })
    await expect(guest.client.teams.update({ id, name: 'mine' })).rejects.toMatchObject({ code: 'team.owner_only' })
    await guest.client.teams.accept({ invitation_id: await first() })
    expect((await guest.client.teams.update({ id, name: 'ours' })).name).toBe('ours')
    const self = { id, username: 'root', role: 'owner' } as const
    await expect(weir.root.client.teams.putMember(self)).rejects.toMatchObject({ code: 'team.own_owner' })
    await joinTeam(weir.gateway, { id, username: 'root' })
    await expect(weir.root.client.teams.putMember(self)).rejects.toMatchObject({ code: 'team.own_owner' })
    // An owner who is one no more has nobody invited.
    const eve = await weir.addVisitor()
    await guest.client.teams.putMember({ id, username: eve.user.username, role: 'owner' })
    await owner.client.teams.putMember({ id, username, role: 'member' })
    expect(await eve.client.teams.invitations()).toEqual([])
  })

  it('say the same of a name that nobody has', async () => {
    const { owner, guest, id, username } = await world()
    const answer = async (name: string) => {
      const { status, json } = await owner.send('PUT', '/api/team/member', { body: { id, username: name } })
      return {
        status,
        body: JSON.stringify(json)
          .replaceAll(name, 'NAME')
          .replaceAll(/\d{9,}/g, 'TIME'),
      }
    }
    expect(await answer('nobody-at-all')).toEqual(await answer(username))
    const { invitations } = await owner.client.teams.get({ id })
    const shapes = invitations.map(
      ({ id: _id, username: _name, created_time: _at, expires_time: _to, ...rest }) => rest,
    )
    expect(shapes).toHaveLength(2)
    expect(shapes[0]).toEqual(shapes[1])
    expect(await guest.client.teams.invitations()).toHaveLength(1)
  })

  it('do not outlast the team, nor the account of the person, whom no team can keep', async () => {
    const { owner, guest, id, username, invitations } = await world()
    await owner.client.teams.putMember({ id, username, role: 'owner' })
    await weir.root.client.users.manage({ id: guest.user.id, action: 'delete' })
    expect((await owner.client.teams.get({ id })).invitations).toEqual([])
    const other = await weir.addVisitor()
    await owner.client.teams.putMember({ id, username: other.user.username })
    await owner.client.teams.delete({ id })
    expect(await other.client.teams.invitations()).toEqual([])
    await expect(invitations()).rejects.toMatchObject({ code: expect.stringContaining('access.') })
  })

  it('are told the way the person has chosen', async () => {
    const { owner, guest, id, username } = await world()
    const { storage } = weir.gateway.ports
    await weir.changeUser(guest.user.id, { email: 'guest@example.test' })
    await owner.client.teams.putMember({ id, username })
    const counted = await eventually(
      () => storage.counter.add(`invitation:${guest.user.id}`, 86_400),
      ({ count }) => count > 1,
    )
    expect(counted.count).toBe(2)
  })
})

const MAIL = { ServerAddress: 'https://weir.example', SMTPServer: 'mail.example', SMTPFrom: 'weir@example.com' }

it('an invitation to a team is mailed, and lapses after seven days', async () => {
  const weir = await openMemoryGateway()
  const [root, guest] = [await weir.as('root'), await weir.as('user')]
  const { id } = (await weir.ask(root, 'teams.create', { name: 'crew' })) as { id: number }
  for (const [key, value] of Object.entries(MAIL)) await weir.client.settings.update({ key, value })
  await weir.storage.users.update(guest.user!.id, { email: 'guest@example.test' })
  await weir.ask(root, 'teams.putMember', { id, username: 'the-user' })
  await eventually(
    () => weir.mailer.mails,
    (mails) => mails.length === 1,
  )
  expect(weir.mailer.mails[0]?.text).toContain('the-root invites you to the team crew, as its member')
  const [invitation] = await weir.storage.teamInvitations.ofUser(guest.user!.id)
  weir.clock.advance(7 * 86_400_000)
  expect(await weir.ask(guest, 'teams.invitations')).toEqual([])
  expect(await weir.refusal(guest, 'teams.accept', { invitation_id: invitation!.id })).toBe('team.no_invitation')
  await weir.close()
})
