// One text over everything: what it finds, in which order, and for whom.
import { expect, it } from 'vitest'
import { describeWithGateway } from '../support/gateway.ts'
import { chatReply } from '../support/upstream.ts'
import { joinTeam } from '../support/teams.ts'

describeWithGateway('the search', (weir) => {
  type Hits = Awaited<ReturnType<typeof weir.root.client.search.find>>
  const names = (hits: Hits, kind: Hits[number]['kind']) =>
    hits.filter((hit) => hit.kind === kind).map(({ name }) => name)
  const find = (text: string, limit = 5) => weir.gateway.client.search.find({ text, limit })

  it('finds users, channels, tokens, models and calls, each with its id and a line', async () => {
    const channel = await weir.addChannel({ name: 'Findable 渠道', tag: 'blue', models: `${weir.model},findable-7b` })
    const ada = await weir.addCaller({ quota: 1_000_000, token: { name: 'findable token' } })
    await weir.gateway.ports.storage.users.update(ada.user.id, {
      display_name: 'Findable 张伟',
      email: 'w@example.com',
    })
    const hits = await find('FINDABLE')
    expect(hits).toEqual([
      {
        kind: 'user',
        id: String(ada.user.id),
        name: ada.user.username,
        rank: 2,
        line: 'Findable 张伟 · w@example.com · default',
      },
      {
        kind: 'channel',
        id: String(channel.id),
        name: 'Findable 渠道',
        rank: 1,
        line: expect.stringContaining(weir.model),
      },
      {
        kind: 'token',
        id: String(ada.token.id),
        name: 'findable token',
        rank: 1,
        line: expect.stringContaining(ada.user.username),
      },
      { kind: 'model', id: 'findable-7b', name: 'findable-7b', rank: 1, line: 'Findable 渠道' },
    ])
    weir.upstream.reply(chatReply('Hello', { prompt_tokens: 10, completion_tokens: 10 }))
    await ada.chat()
    const [row] = await ada.logs()
    expect(await find(row!.request_id)).toMatchObject([
      { kind: 'call', id: row!.request_id, name: weir.model, rank: 0 },
    ])
    // Its row may be gone: its charge says that it was.
    await weir.gateway.ports.storage.logs.deleteOutdated({ before: 4_000_000_000 }, 1000)
    expect(await find(row!.request_id)).toMatchObject([{ kind: 'call', id: row!.request_id }])

    for (const text of ['张伟', '渠道', 'blue', 'w@EXAMPLE.com'])
      expect((await find(text))[0]?.name, text).toBeDefined()
    expect(await find(`sk-${ada.token.key}`)).toMatchObject([{ kind: 'token', id: String(ada.token.id), rank: 0 }])
    expect(JSON.stringify(await find('findable'))).not.toContain(ada.token.key)
    expect(names(await find(String(ada.user.id)), 'user')).toContain(ada.user.username)
  })

  it('gives the best few of each kind: the whole name, then its beginning, then the newest', async () => {
    for (const name of ['x rank', 'ranking', 'rank', 'y rank', 'z rank']) await weir.addChannel({ name })
    expect(names(await find('rank'), 'channel')).toEqual(['rank', 'ranking', 'z rank', 'y rank', 'x rank'])
    expect(names(await find('rank', 2), 'channel')).toEqual(['rank', 'ranking'])
    await expect(find('rank', 21)).rejects.toMatchObject({ code: 'request.invalid' })
  })

  it.each(['%', '_', '!', '\\', "'", '-', ' ', '*', '"', '9'.repeat(200)])('takes %j as it is', async (text) => {
    const found = await find(text)
    for (const { rank, kind, name, line } of found)
      if (rank > 0 && kind !== 'user') expect(`${name} ${line}`).toContain(text.trim())
    expect(text.trim() === '' ? found : []).toEqual([])
  })

  it('shows users what is theirs alone', async () => {
    await weir.addChannel({ name: 'mine channel', models: 'mine-model', group: 'default' })
    await weir.addChannel({ name: 'elsewhere', models: 'mine-secret', group: 'svip' })
    const ada = await weir.addCaller({ quota: 1_000_000, token: { name: 'mine: ada' } })
    const bob = await weir.addCaller({ quota: 1_000_000, token: { name: 'mine: bob' } })
    await weir.addChannel()
    weir.upstream.reply(chatReply('Hello', { prompt_tokens: 10, completion_tokens: 10 }))
    await ada.chat()
    const [row] = await ada.logs()
    const session = async ({ user, password }: typeof ada) => {
      const visitor = weir.visitor()
      await visitor.login(user.username, password)
      return visitor.client.search
    }
    const [hers, his] = [await session(ada), await session(bob)]
    expect(await hers.find({ text: 'mine' })).toMatchObject([
      { kind: 'token', name: 'mine: ada' },
      { kind: 'model', name: 'mine-model', line: 'default' },
    ])
    expect(await hers.find({ text: row!.request_id })).toMatchObject([{ kind: 'call', id: row!.request_id }])
    expect(await his.find({ text: row!.request_id })).toEqual([])
    expect(await his.find({ text: String(ada.token.id) })).toEqual([])
    expect(await his.find({ text: `sk-${ada.token.key}` })).toEqual([])
    expect(await his.find({ text: ada.user.username })).toEqual([])
    await weir.root.client.users.delete({ id: ada.user.id })
    expect(names(await find(ada.user.username), 'user')).toEqual([])
  })

  it('finds teams: all of them for administrators, to others those that they are in', async () => {
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const bob = await weir.addCaller({ quota: 1_000_000 })
    const { id } = await weir.root.client.teams.create({ name: 'crewmates' })
    await joinTeam(weir.gateway, { id, username: ada.user.username, role: 'member' })
    const session = async ({ user, password }: typeof ada) => {
      const visitor = weir.visitor()
      await visitor.login(user.username, password)
      return names(await visitor.client.search.find({ text: 'CREWM' }), 'team')
    }
    expect(await find('crewm')).toMatchObject([{ kind: 'team', id: String(id), name: 'crewmates', rank: 1 }])
    expect(names(await find(String(id)), 'team')).toEqual(['crewmates'])
    expect(await session(ada)).toEqual(['crewmates'])
    expect(await session(bob)).toEqual([])
    await weir.root.client.teams.delete({ id })
    expect(await find('crewm')).toEqual([])
  })
})
