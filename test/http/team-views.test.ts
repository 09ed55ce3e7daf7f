// Views of lists that a team shares: its members see them, its owners and administrators change them, and nobody else
// learns of them.
import { expect, it } from 'vitest'
import { MAX_VIEW_NAME, MAX_VIEW_QUERY } from '../../core/teams/team.ts'
import { describeWithGateway } from '../support/gateway.ts'
import { joinTeam } from '../support/teams.ts'

const missing = { code: 'team.missing' }
const ownerOnly = { code: 'team.owner_only' }
const errors = { list: 'logs', name: 'Errors', query: '?type=5' }

describeWithGateway('the views of a team', (weir) => {
  async function world() {
    const [owner, member, stranger] = [await weir.addVisitor(), await weir.addVisitor(), await weir.addVisitor()]
    const { id } = await owner.client.teams.create({ name: 'crew' })
    await joinTeam(weir.gateway, { id, username: member.user.username })
    return { owner, member, stranger, id }
  }

  it('are seen by every member, with the name of the team, and by nobody else', async () => {
    const { owner, member, stranger, id } = await world()
    const made = await owner.client.teams.shareView({ id, ...errors })
    expect(made).toMatchObject({ ...errors, team_id: id, team_name: 'crew' })
    expect(await owner.client.teams.views({})).toEqual({ views: [made], managed: [{ id, name: 'crew' }] })
    expect(await member.client.teams.views({})).toEqual({ views: [made], managed: [] })
    expect(await member.client.teams.views({ id })).toEqual({ views: [made], managed: [] })
    expect(await stranger.client.teams.views({})).toEqual({ views: [], managed: [] })
    await expect(stranger.client.teams.views({ id })).rejects.toMatchObject(missing)
    // An administrator who is no member looks at them by the team, and has none of them in the own lists.
    expect(await weir.root.client.teams.views({ id })).toEqual({ views: [made], managed: [{ id, name: 'crew' }] })
    expect((await weir.root.client.teams.views({})).views).not.toContainEqual(made)
    await owner.client.teams.removeMember({ id, user_id: member.user.id })
    expect((await member.client.teams.views({})).views).toEqual([])
  })

  it('are saved, renamed and deleted by owners and administrators alone', async () => {
    const { owner, member, stranger, id } = await world()
    const { id: view_id } = await owner.client.teams.shareView({ id, ...errors })
    for (const [{ client }, refused] of [
      [member, ownerOnly],
      [stranger, missing],
    ] as const) {
      await expect(client.teams.shareView({ id, ...errors, name: 'Mine' })).rejects.toMatchObject(refused)
      await expect(client.teams.renameView({ id, view_id, name: 'Mine' })).rejects.toMatchObject(refused)
      await expect(client.teams.deleteView({ id, view_id })).rejects.toMatchObject(refused)
    }
    expect(await weir.root.client.teams.renameView({ id, view_id, name: 'Failures' })).toMatchObject({
      name: 'Failures',
    })
    const names = async () => (await member.client.teams.views({})).views.map(({ name }) => name)
    expect(await names()).toEqual(['Failures'])
    await owner.client.teams.deleteView({ id, view_id })
    expect(await names()).toEqual([])
    const rows = (await weir.root.client.audit.list({ target: String(id) })).items.map(({ action }) => action)
    expect(rows.slice(0, 3)).toEqual(['team.delete_view', 'team.rename_view', 'team.share_view'])
    await expect(owner.client.teams.deleteView({ id, view_id })).rejects.toMatchObject({ code: 'team.no_view' })
  })

  it('belong to one team: the owner of another neither renames nor deletes them', async () => {
    const { owner, stranger, id } = await world()
    const { id: view_id } = await owner.client.teams.shareView({ id, ...errors })
    const { id: other } = await stranger.client.teams.create({ name: 'others' })
    const noView = { code: 'team.no_view' }
    await expect(stranger.client.teams.deleteView({ id: other, view_id })).rejects.toMatchObject(noView)
    await expect(stranger.client.teams.renameView({ id: other, view_id, name: 'x' })).rejects.toMatchObject(noView)
    expect((await owner.client.teams.views({})).views).toHaveLength(1)
  })

  it('have a name of their own in their list, and are no longer than they may be', async () => {
    const { owner, id } = await world()
    const share = (change: object) => owner.client.teams.shareView({ id, ...errors, ...change })
    await share({ name: '  Errors ' })
    await expect(share({})).rejects.toMatchObject({ code: 'team.view_exists' })
    const { id: view_id } = await share({ name: 'Slow' })
    await expect(owner.client.teams.renameView({ id, view_id, name: 'Errors' })).rejects.toMatchObject({
      code: 'team.view_exists',
    })
    expect(await owner.client.teams.renameView({ id, view_id, name: 'Slow' })).toMatchObject({ name: 'Slow' })
    expect(await share({ list: 'tokens' })).toMatchObject({ list: 'tokens', name: 'Errors' })
    const longest = { name: 'n'.repeat(MAX_VIEW_NAME), query: `?${'q'.repeat(MAX_VIEW_QUERY - 1)}` }
    expect(await share(longest)).toMatchObject(longest)
    for (const wrong of [
      { name: ' ' },
      { name: `${longest.name}n` },
      { query: `${longest.query}q` },
      { query: '/user' },
      { query: '?a#b' },
      { list: '../user' },
      { list: '' },
    ])
      await expect(share({ name: 'other', ...wrong }), JSON.stringify(wrong)).rejects.toMatchObject({
        code: 'request.invalid',
      })
  })

  it('go with the team', async () => {
    const { owner, member, id } = await world()
    await owner.client.teams.shareView({ id, ...errors })
    await owner.client.teams.delete({ id })
    expect((await member.client.teams.views({})).views).toEqual([])
    expect(await weir.gateway.ports.storage.teamViews.ofTeam(id)).toEqual([])
  })
})
