// Alert rules as administrators keep them, and their preview on calls that were made.
import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import { expect, it } from 'vitest'
import type { WebhookFormat } from '../../core/notify/robots.ts'
import { SLOT_SECONDS, SUMMED_MEASURES, getSlotStart } from '../../core/usage/sums.ts'
import { describeWithOwnGateway } from '../support/gateway.ts'

describeWithOwnGateway('alert rules', (weir) => {
  const alerts = () => weir.root.client.alerts
  const form = { name: 'Errors', kind: 'error_rate' as const, threshold: 20, root: false }

  it('are made, changed, listed and deleted; a secret is in no answer and not in the audit', async () => {
    const hook = { webhook_url: 'https://hook.example/with-a-key', webhook_secret: 'hush hush' }
    const made = await alerts().create({ ...form, ...hook, mails: 'a@example.com, b@example.com' })
    expect(made).toMatchObject({ ...form, has_secret: true, minutes: 60, quiet_minutes: 240, alerts: [], unknown: '' })
    const changed = await alerts().update({ id: made.id, version: made.version, threshold: 30 })
    expect(changed).toMatchObject({
      threshold: 30,
      has_secret: true,
      mails: 'a@example.com, b@example.com',
      version: 2,
    })
    expect(await alerts().list()).toEqual([changed])
    const { items } = await weir.root.client.audit.list({ action: 'alert' })
    expect(items.map(({ action }) => action)).toEqual(['alert.update', 'alert.create'])
    expect(JSON.stringify([items, changed])).not.toContain('hush hush')
    expect(JSON.stringify(items)).not.toContain('with-a-key')
    await expect(alerts().update({ id: made.id, version: 1, threshold: 40 })).rejects.toMatchObject({
      code: 'edit.conflict',
    })
    const { alerts: store } = weir.gateway.ports.storage
    await store.begin({ rule_id: made.id, subject: '', began_at: 1_700_000_000, value: 30, worst: 40 })
    expect(await alerts().history({})).toMatchObject([{ began_at: 1_700_000_000, worst: 40 }])
    await alerts().delete({ id: made.id })
    expect(await alerts().list()).toEqual([])
    expect(await alerts().history({})).toEqual([])
    await expect(alerts().delete({ id: made.id })).rejects.toMatchObject({ code: 'alert.missing' })
  })

  it.each([
    [{ mails: 'nobody' }, 'alert.mail'],
    [{ mails: Array.from({ length: 21 }, (_, n) => `a${n}@example.com`).join(',') }, 'alert.mail'],
    [{ webhook_url: 'ftp://a.example' }, 'alert.webhook'],
    [{ threshold: -1 }, 'request.invalid'],
    [{ minutes: 1 }, 'request.invalid'],
    [{ name: ' ' }, 'request.invalid'],
  ])('%j is refused: %s', async (change, code) => {
    await expect(alerts().create({ ...form, ...change })).rejects.toMatchObject({ code })
    expect(await alerts().list()).toEqual([])
  })

  it('are previewed on what was: when it would have told somebody, and what was worst', async () => {
    const { usage } = weir.gateway.ports.storage
    const now = getSlotStart(Math.floor(Date.now() / 1000))
    const of = { user_id: 1, token_id: 1, channel_id: 1, group: 'default', model_name: 'm' }
    const quarter = (ago: number, calls: number, failed: number) => {
      const counts = SUMMED_MEASURES.map(() => 0)
      counts[SUMMED_MEASURES.indexOf('calls')] = calls
      counts[SUMMED_MEASURES.indexOf('error_server')] = failed
      return { ...of, slot: now - ago * SLOT_SECONDS, counts }
    }
    await usage.add([
      quarter(300, 100, 50),
      quarter(200, 100, 90),
      quarter(199, 100, 95),
      quarter(100, 100, 5),
      quarter(50, 1, 1),
    ])
    const watched = { kind: 'error_rate' as const, threshold: 20, minutes: 15, least: 10 }
    const found = await alerts().preview({ ...watched, days: 7 })
    expect(found).toMatchObject({ times: 2, worst: 95, known_from: now - 300 * SLOT_SECONDS })
    expect(found.fired).toEqual([
      { subject: '', from: now - 300 * SLOT_SECONDS, to: now - 299 * SLOT_SECONDS, worst: 50 },
      { subject: '', from: now - 200 * SLOT_SECONDS, to: now - 198 * SLOT_SECONDS, worst: 95 },
    ])
    expect(await alerts().preview({ ...watched, days: 1 })).toMatchObject({ times: 0, fired: [], worst: null })
    expect(await alerts().preview({ ...watched, model: 'n', days: 7 })).toMatchObject({ times: 0, worst: null })
    expect(await alerts().preview({ ...watched, minutes: 120, days: 7 })).toMatchObject({ times: 2, worst: 95 })
  })

  it('are tested: everybody whom one names is told at once, and who could not be told is said', async () => {
    const got: string[] = []
    const hook = createServer((request, reply) => {
      got.push(request.headers['x-webhook-signature'] as string)
      request.resume().on('end', () => reply.end())
    })
    await new Promise<void>((done) => hook.listen(0, '127.0.0.1', done))
    const { port } = hook.address() as { port: number }
    const webhook_url = `http://127.0.0.1:${port}/`
    const { id } = await alerts().create({ ...form, webhook_url, webhook_secret: 's', mails: 'a@example.com' })
    expect(await alerts().test({ id })).toMatchObject({ told: 0, failure: expect.stringContaining('not a public one') })
    await weir.set('AllowedNetworks', '["127.0.0.0/8"]')
    expect(await alerts().test({ id })).toEqual({ told: 1, failure: 'a@example.com: No mail server is configured' })
    expect(got).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)])
    await new Promise((done) => hook.close(done))
    await alerts().update({ id, webhook_url: '', mails: '' })
    await expect(alerts().test({ id })).rejects.toMatchObject({ code: 'alert.nobody' })
  })

  it('are posted to robots as each service requires, and a refusal in the body is a failure', async () => {
    const got: { url: URL; body: Record<string, unknown> }[] = []
    let reply: object | string = {}
    const hook = createServer((request, response) => {
      const parts: Buffer[] = []
      request.on('data', (part: Buffer) => parts.push(part))
      request.on('end', () => {
        const body = JSON.parse(Buffer.concat(parts).toString()) as Record<string, unknown>
        got.push({ url: new URL(request.url!, 'http://hook'), body })
        response.end(typeof reply === 'string' ? reply : JSON.stringify(reply))
      })
    })
    await new Promise<void>((done) => hook.listen(0, '127.0.0.1', done))
    const { port } = hook.address() as { port: number }
    await weir.set('AllowedNetworks', '["127.0.0.0/8"]')
    const place = { name: 'A <b> & c', webhook_url: `http://127.0.0.1:${port}/send?token=t`, webhook_secret: 'shh' }
    const { id } = await alerts().create({ ...form, ...place, mails: '', root: false, language: 'en' })
    const sent = async (webhook_format: WebhookFormat, answer: object | string) => {
      reply = answer
      await alerts().update({ id, webhook_format })
      const { failure } = await alerts().test({ id })
      return { ...got.at(-1)!, failure }
    }
    const title = 'Test of the alert A <b> & c'
    const text = `${title}\nThis is a test: notifications of this rule arrive here.`
    const sign = (key: string, signed: string) => createHmac('sha256', key).update(signed).digest('base64')

    const feishu = await sent('feishu', { code: 0, msg: 'success' })
    const { timestamp } = feishu.body as { timestamp: string }
    expect(Math.abs(Number(timestamp) - Date.now() / 1000)).toBeLessThan(60)
    const signed = { timestamp, sign: sign(`${timestamp}\nshh`, '') }
    expect(feishu).toMatchObject({ failure: '', body: { ...signed, msg_type: 'text', content: { text } } })

    const dingtalk = await sent('dingtalk', { errcode: 0, errmsg: 'ok' })
    expect(dingtalk).toMatchObject({ failure: '', body: { msgtype: 'text', text: { content: text } } })
    const at = dingtalk.url.searchParams.get('timestamp')
    expect(String(at)).toMatch(/^\d{13}$/)
    expect(dingtalk.url.searchParams.get('sign')).toBe(sign('shh', `${at}\nshh`))
    expect(dingtalk.url.searchParams.get('token')).toBe('t')

    const wecom = await sent('wecom', { errcode: 0, errmsg: 'ok' })
    expect(wecom).toMatchObject({ failure: '', body: { msgtype: 'text', text: { content: text } } })
    expect((await sent('slack', 'ok')).body).toEqual({
      text: '*Test of the alert A &lt;b&gt; &amp; c*\nThis is a test: notifications of this rule arrive here.',
    })
    const discord = await sent('discord', '')
    expect(discord.body).toMatchObject({ allowed_mentions: { parse: [] }, content: expect.stringContaining(title) })
    expect([discord.failure, Object.keys(discord.body)]).toEqual(['', ['content', 'allowed_mentions']])

    expect((await sent('dingtalk', { errcode: 310000, errmsg: 'sign not match' })).failure).toContain('sign not match')
    expect((await sent('feishu', { code: 19021, msg: 'sign match fail' })).failure).toContain('19021')
    expect((await sent('wecom', 'nothing')).failure).toContain('refused')
    expect(await alerts().list()).toContainEqual(
      expect.objectContaining({ id, webhook_format: 'wecom', has_secret: true }),
    )
    await alerts().delete({ id })
    await new Promise((done) => hook.close(done))
  })

  it('are of administrators alone', async () => {
    const bob = await weir.addVisitor()
    const { json } = await bob.send('GET', '/api/alert/')
    expect(json).toMatchObject({ success: false })
  })
})
