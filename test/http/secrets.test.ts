// Planted secrets are looked for in answers to changes and of the relay, and in the files of the database. Every other reply is
// looked at in test/attacks/secrets-walk.test.ts.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { describeWithGateway, ROOT, UPSTREAM_KEY } from '../support/gateway.ts'
import { query } from '../support/postgres.ts'
import { send, type HttpAnswer } from '../support/server.ts'
import { chatReply, chatStream } from '../support/upstream.ts'

describeWithGateway('secrets', (weir, kind) => {
  /** Makes everything that holds a secret; gives each with the name under which it may not appear. */
  async function plant() {
    const channel = await weir.addChannel({ setting: '{"proxy":""}' })
    const ada = await weir.addCaller({ quota: 1_000_000, token: { name: 'the token of ada' } })
    const session = weir.visitor()
    await session.login(ada.user.username, ada.password)
    const accessToken = await session.client.users.accessToken()
    weir.upstream.reply({ status: 401, body: { error: { message: `bad key ${UPSTREAM_KEY}`, type: UPSTREAM_KEY } } })
    await ada.chat()
    weir.upstream.reply(chatReply('Hello', { prompt_tokens: 9, completion_tokens: 9 }))
    await ada.chat()
    const stored = await weir.gateway.ports.storage.users.findByLogin(ada.user.username)
    return {
      ids: { channel: channel.id, user: ada.user.id, token: ada.token.id },
      ada,
      session,
      secrets: {
        'a channel key': UPSTREAM_KEY,
        "somebody else's API key": ada.token.key,
        'a password hash': stored!.password_hash,
        'a password': ada.password,
        "root's password": ROOT.password,
        'an access token': accessToken,
        'a session id': /session=([\w-]+)/.exec(session.cookie())![1]!,
        'the name of a browser': /weir_known=([\w-]+)/.exec(session.cookie())![1]!,
        'the master secret': 'a secret for tests',
      },
    }
  }

  it('E1: show in no answer to a change either', async () => {
    const { ids, secrets, session } = await plant()
    const { root } = weir
    const answers: HttpAnswer[] = [
      await root.send('PUT', '/api/channel/', { body: { id: ids.channel, weight: 3 } }),
      await root.send('PUT', '/api/channel/', { body: { id: ids.channel, weight: 'x', key: UPSTREAM_KEY } }),
      await root.send('POST', '/api/channel/', { body: { name: 'again', type: 1, key: UPSTREAM_KEY, models: 'm' } }),
      await root.send('GET', `/api/channel/search?keyword=${UPSTREAM_KEY}`),
      await root.send('PUT', '/api/token/', { body: { id: ids.token, name: 'mine now' } }),
      await root.send('DELETE', `/api/token/${ids.token}`),
      await session.send('POST', '/api/user/login', { body: { username: 'x', password: secrets['a password'] } }),
    ]
    weir.upstream.reply({ status: 500, body: { error: { message: `tell me ${UPSTREAM_KEY}` } } })
    answers.push(await root.send('GET', `/api/channel/test/${ids.channel}`))
    for (const { text } of answers) for (const secret of Object.values(secrets)) expect(text).not.toContain(secret)
    expect(answers[3]?.json.data.map(({ id }: { id: number }) => id)).toContain(ids.channel)
  })

  it('E1: show in no answer of the relay', async () => {
    const { ada, secrets } = await plant()
    const { [`somebody else's API key`]: own, ...others } = secrets
    const tell = {
      error: { message: `the key ${UPSTREAM_KEY} of Bearer ${UPSTREAM_KEY}`, code: UPSTREAM_KEY, param: UPSTREAM_KEY },
    }
    const opened = chatStream(['Hello']).chunks!.slice(0, 2)
    for (const reply of [
      { status: 400, body: tell },
      { status: 200, body: tell },
      { status: 500, body: `no JSON but ${UPSTREAM_KEY}` },
      { status: 200, body: `no JSON but ${UPSTREAM_KEY}` },
      { chunks: [...opened, `data: ${JSON.stringify(tell)}\n\n`] },
      { chunks: [...opened, `event: error\ndata: the key ${UPSTREAM_KEY}\n\n`] },
    ]) {
      weir.upstream.reply(reply)
      for (const stream of [true, false]) {
        const { text } = await ada.chat({ stream })
        for (const secret of Object.values(others)) expect(text).not.toContain(secret)
        expect(text).not.toContain(own)
      }
    }
    const rows = JSON.stringify(await ada.logs())
    for (const secret of Object.values(others)) expect(rows).not.toContain(secret)
  })

  it('E2: lie in the database in no readable form', async () => {
    const { secrets } = await plant()
    const written: string[] = []
    if (kind === 'sqlite') {
      for (const file of await readdir(weir.config.data)) {
        if (file.startsWith('weir.db')) written.push(await readFile(join(weir.config.data, file), 'latin1'))
      }
    } else {
      const url = weir.config.database!
      const tables = await query<{ name: string }>(
        url,
        `select tablename as name from pg_tables where schemaname = 'public'`,
      )
      for (const { name } of tables) written.push(JSON.stringify(await query(url, `select * from "${name}"`)))
    }
    expect(written.join().length).toBeGreaterThan(1000)
    const { 'a password hash': _kept, ...clear } = secrets
    for (const [what, secret] of Object.entries(clear)) {
      for (const text of written) expect(text.includes(secret), what).toBe(false)
    }
  })

  it('are never asked of the relay by cookie', async () => {
    const { session } = await plant()
    const { status } = await send('GET', `${weir.url}/v1/models`, { headers: { cookie: session.cookie() } })
    expect(status).toBe(401)
  })
})
