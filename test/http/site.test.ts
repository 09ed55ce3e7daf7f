// The public endpoints of a site, and their replies.
import { expect, it } from 'vitest'
import { migrations } from '../../migrations/index.ts'
import { describeWithOwnGateway } from '../support/gateway.ts'

/** What everybody may know. */
const FIELDS = [
  ...['version', 'start_time', 'system_name', 'logo', 'footer_html', 'server_address', 'docs_link', 'top_up_link'],
  ...['email_verification', 'github_oauth', 'github_client_id', 'linuxdo_oauth', 'linuxdo_client_id', 'oidc_enabled'],
  ...['oidc_client_id', 'oidc_authorization_endpoint', 'telegram_oauth', 'telegram_bot_name', 'wechat_login'],
  ...['wechat_qrcode', 'turnstile_check', 'turnstile_site_key', 'price', 'min_topup', 'enable_online_topup'],
  ...['quota_per_unit', 'display_in_currency', 'enable_drawing', 'enable_task', 'enable_data_export'],
  ...['data_export_default_time', 'default_collapse_sidebar', 'mj_notify_enabled', 'chats', 'enable_batch_update'],
  ...['demo_site_enabled', 'self_use_mode_enabled', 'setup', 'quota_for_invitee'],
]

describeWithOwnGateway('the site', (weir, kind) => {
  const ask = async (path: string, who = weir.visitor()) => (await who.send('GET', path)).json

  it('tells everybody its status, whole', async () => {
    const { success, message, data } = await ask('/api/status/')
    expect([success, message]).toEqual([true, ''])
    for (const field of FIELDS) expect(data[field], field).toBeDefined()
    expect(data).toMatchObject({ setup: true, quota_per_unit: 500_000, price: 7.3, min_topup: 1 })
    expect(await ask('/api/setup')).toMatchObject({ data: { status: true, root_init: false, database_type: '' } })
  })

  it('tells its texts, with and without a slash at the end', async () => {
    const pages = { Notice: 'notice', About: 'about', HomePageContent: 'home_page_content' }
    for (const [key, path] of Object.entries(pages)) {
      await weir.set(key, `<b>${key}</b>`)
      for (const slash of ['', '/']) expect((await ask(`/api/${path}${slash}`)).data).toBe(`<b>${key}</b>`)
    }
  })

  it('tells which groups anybody may choose, and nothing of the others', async () => {
    await weir.set('GroupRatio', { default: 1, vip: 0.5, staff: 0 })
    await weir.set('UserUsableGroups', { default: 'Everybody', vip: 'Better' })
    const everybody = { default: { desc: 'Everybody', ratio: 1 }, vip: { desc: 'Better', ratio: 0.5 } }
    expect((await ask('/api/user/groups')).data).toEqual(everybody)
    const ada = await weir.addVisitor({ patch: { group: 'staff' } })
    expect((await ask('/api/user/self/groups', ada)).data).toEqual({ ...everybody, staff: { desc: 'staff', ratio: 0 } })
  })

  it(`tells an administrator that ${kind} answers`, async () => {
    expect(await ask('/api/status/test', weir.root)).toMatchObject({ success: true, message: '' })
    expect((await ask('/api/status/test', await weir.addVisitor())).code).toBe('access.forbidden')
  })

  it('tells administrators how the gateway and its database are', async () => {
    const { data } = await ask('/api/status/gateway', weir.root)
    expect(data).toEqual({
      ...{ database: kind, database_version: expect.stringMatching(/^\d+\./), database_bytes: expect.any(Number) },
      ...{ schema: migrations.at(-1)?.name, processes: 1, open_holds: 0, owed_charges: 0, proxies: [] },
    })
    expect(data.database_bytes).toBeGreaterThan(100_000)
    expect((await ask('/api/status/gateway', await weir.addVisitor())).code).toBe('access.forbidden')
  })

  it('looks for releases at public addresses only', async () => {
    await weir.set('general_setting.release_url', weir.upstream.url)
    const { json } = await weir.root.send('GET', '/api/site/release')
    expect(json).toMatchObject({ success: false, code: 'release.failed' })
    expect(weir.upstream.requests).toEqual([])
  })
})
