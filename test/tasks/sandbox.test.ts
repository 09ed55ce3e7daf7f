// The sandbox plays tasks: a drawing, a song and a film, without a network and without a key.
import { expect, it } from 'vitest'
import type { Caller } from '../support/caller.ts'
import { describeWithGateway, eventually } from '../support/gateway.ts'
import { ask, looks, tasksOf } from './site.ts'

describeWithGateway('the sandbox', (weir) => {
  const opened = async () => {
    await weir.addChannel({ type: 1000, models: 'mj_imagine,suno_music,sandbox-film', base_url: '' })
    return weir.addCaller({ quota: 10_000_000 })
  }
  const over = (ada: Caller) =>
    eventually(
      () => looks(weir, ada, 1),
      (rows) => rows.length > 0 && rows.every(({ finish_time }) => finish_time > 0),
      20_000,
    )

  it('draws, sings and films, each in its own time', async () => {
    const ada = await opened()
    const drawn = await ask(weir, ada, 'POST', '/mj/submit/imagine', { prompt: 'a weir' })
    expect(drawn.json, drawn.text).toMatchObject({ code: 1 })
    expect((await ask(weir, ada, 'POST', '/suno/submit/music', { prompt: 'water' })).status).toBe(200)
    const film = await ask(weir, ada, 'POST', '/v1/videos', { model: 'sandbox-film', prompt: 'a river', seconds: '4' })
    expect(film.json, film.text).toMatchObject({ object: 'video', status: 'queued', seconds: '4' })
    const early = await ask(weir, ada, 'GET', `/v1/videos/${film.json.id}/content`)
    expect(early.status).toBe(400)
    const rows = await over(ada)
    expect(rows.map(({ status, platform }) => `${platform} ${status}`).sort()).toEqual([
      'mj SUCCESS',
      'suno SUCCESS',
      'video SUCCESS',
    ])
    const content = await ask(weir, ada, 'GET', `/v1/videos/${film.json.id}/content`)
    expect(content.status).toBe(200)
    expect(content.text).toContain('ftypisom')
    expect((await ask(weir, ada, 'GET', `/v1/videos/${film.json.id}`)).json).toMatchObject({ status: 'completed' })
    expect((await ask(weir, ada, 'DELETE', `/v1/videos/${film.json.id}`)).json).toMatchObject({ deleted: true })
    expect((await ask(weir, ada, 'GET', `/v1/videos/${film.json.id}`)).status).toBe(404)
    const remixed = await ask(weir, ada, 'POST', `/v1/videos/${film.json.id}/remix`, { prompt: 'by night' })
    expect(remixed.status).toBe(404)
    // 4 seconds of film, a drawing and a song.
    expect(await ada.balances()).toMatchObject({ used_quota: 20_000 + 50_000 + 50_000 })
  })

  it('fails where a prompt says so, and gives back what it cost', async () => {
    const ada = await opened()
    await ask(weir, ada, 'POST', '/v1/videos', { model: 'sandbox-film', prompt: 'a river [[fail]]' })
    const [task] = await over(ada)
    expect(task).toMatchObject({ status: 'FAILURE', fail_reason: 'The sandbox was asked to fail' })
    expect(await ada.balances()).toMatchObject({ used_quota: 0, token_used: 0 })
  })

  it('shows a film to whom it belongs and to administrators, by their session', async () => {
    await weir.addChannel({ type: 1000, models: 'sandbox-film', base_url: '' })
    const [ada, bob] = [await weir.addVisitor({ quota: 10_000_000 }), await weir.addVisitor()]
    const token = await weir.addToken(ada.user)
    const film = await ask(weir, { key: `sk-${token.key}` }, 'POST', '/v1/videos', {
      model: 'sandbox-film',
      prompt: 'x',
    })
    expect(film.status, film.text).toBe(200)
    await over({ user: ada.user } as Caller)
    const [{ id } = { id: 0 }] = await tasksOf(weir, ada)
    const seen = async (who: { send: typeof ada.send }) => (await who.send('GET', `/pg/tasks/${id}/content`)).status
    expect([await seen(ada), await seen(weir.root), await seen(bob), await seen(weir.visitor())]).toEqual([
      200, 200, 404, 401,
    ])
  })
})
