// The page that tells what somebody has used, in a frame elsewhere: by its token alone, without a script.
import { expect, it } from 'vitest'
import { buildEventLog } from '../../core/logs/log.ts'
import { describeWithOwnGateway, eventually } from '../support/gateway.ts'

describeWithOwnGateway('the widget of usage', (weir) => {
  it('tells what its owner has used, in dollars or units, in both languages and themes', async () => {
    const ada = await weir.addVisitor()
    const now = Math.floor(Date.now() / 1000)
    const call = { ...buildEventLog(ada.user, 2, now - 86_400, 'a call', 250_000), model_name: '<b>gpt</b>' }
    await weir.gateway.ports.storage.logs.insert([call, { ...call, created_at: now - 3 * 86_400, quota: 500_000 }])
    await weir.root.client.usage.rebuild({ from: String(now - 5 * 86_400), to: String(now + 3600) })
    await eventually(
      () => weir.root.client.usage.rebuildProgress(),
      ({ running }) => !running,
    )
    const { token } = await ada.client.users.createAccessToken({ name: 'widget', scope: 'usage' })
    const shown = await weir.visitor({}).send('GET', `/embed/usage?token=${token}&days=7&language=en`)
    expect(shown.status).toBe(200)
    expect(shown.text).toContain('<dt>Today</dt><dd>$0.00</dd><dd class="calls">0 calls</dd>')
    expect(shown.text).toContain('<dt>Last 7 days</dt><dd>$1.50</dd><dd class="calls">2 calls</dd>')
    expect(shown.text.match(/<rect /g)).toHaveLength(7)
    expect(shown.text).toContain('prefers-color-scheme: dark')
    expect(shown.text).not.toMatch(/<script|<img|<link|https?:/)
    expect(shown.headers['content-security-policy']).toMatch(/^default-src 'none'; .*frame-ancestors 'self'$/)
    expect(shown.headers['referrer-policy']).toBe('no-referrer')
    await weir.root.client.settings.update({
      options: [
        { key: 'FrameAncestors', value: '["https://portal.example"]' },
        { key: 'DisplayInCurrencyEnabled', value: 'false' },
        { key: 'SystemName', value: '<i>Weir & co</i>' },
      ],
    })
    const dark = await weir.visitor({}).send('GET', `/embed/usage?token=${token}&days=4&theme=dark&language=zh`)
    expect(dark.text).toContain('<dt>最近 4 天</dt><dd>750.0k</dd><dd class="calls">2 次调用</dd>')
    expect(dark.text).not.toContain('prefers-color-scheme')
    expect(dark.text).toContain('&lt;i&gt;Weir &amp; co&lt;/i&gt;')
    expect(dark.headers['content-security-policy']).toMatch(/frame-ancestors 'self' https:\/\/portal\.example$/)
  })

  it('tells nobody else anything, and its token opens nothing but usage', async () => {
    const ada = await weir.addVisitor()
    const { token } = await ada.client.users.createAccessToken({ name: 'widget', scope: 'usage' })
    for (const wrong of ['', 'x', `${token}x`]) {
      const refused = await weir.visitor({}).send('GET', `/embed/usage?token=${wrong}&language=en`)
      expect(refused.status).toBe(403)
      expect(refused.text).not.toContain('<dt>')
      expect(refused.text).toMatch(/<p>[A-Z][^<]+<\/p>/)
    }
    const machine = weir.visitor({ accessToken: token })
    for (const path of ['/api/user/self', '/api/log/self', '/api/token/'])
      expect((await machine.send('GET', path)).json.code).toBe('access.scope')
    const zone = await weir.visitor({}).send('GET', `/embed/usage?token=${token}&zone=Nowhere/Land`)
    expect(zone.status).toBe(400)
  })
})
