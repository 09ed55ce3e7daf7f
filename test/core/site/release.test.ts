// The version check, and what everybody may know of the site.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isNewer } from '../../../core/site/feature.ts'
import { openMemoryGateway, type MemoryGateway } from '../gateway.ts'
import { nobody } from '../../support/signed-in.ts'

let gateway: MemoryGateway
beforeEach(async () => {
  gateway = await openMemoryGateway()
})
afterEach(() => gateway.close())

test.each([
  ['v1.2.4', '1.2.3', true],
  ['1.10', '1.9.9', true],
  ['v1.2.3', '1.2.3', false],
  ['v1.2', '1.2.0', false],
  ['v0.9', '1.0', false],
  ['1.0.0', '1.0.0-rc.1', true],
  ['nonsense', '0.1.0', false],
])('%s after %s: %s', (tag, current, newer) => expect(isNewer(tag, current)).toBe(newer))

test('the latest release is read where the operator says, the guarded way', async () => {
  const root = await gateway.as('root')
  expect(await gateway.refusal(root, 'site.release')).toBe('release.unset')
  const url = 'https://releases.example/latest'
  await gateway.ask(root, 'settings.update', { key: 'general_setting.release_url', value: url })
  expect(await gateway.refusal(root, 'site.release')).toBe('release.failed')
  gateway.web.answer(() => ({ body: { tag_name: 'v1.3.0', body: 'What is new' } }))
  expect(await gateway.ask(root, 'site.release')).toEqual({
    ...{ current: '1.2.3', tag_name: 'v1.3.0', body: 'What is new', newer: true },
  })
  expect(gateway.web.requests.at(-1)).toMatchObject({ method: 'GET', url })
  gateway.web.answer(() => ({ status: 404, body: { tag_name: 'v9' } }))
  expect(await gateway.refusal(root, 'site.release')).toBe('release.failed')
})

test('the status says which ways in and which payments there are, and no secret', async () => {
  const root = await gateway.as('root')
  const values = {
    ServerAddress: 'https://weir.example',
    GitHubClientId: 'our-app',
    GitHubClientSecret: 'planted-1',
    GitHubOAuthEnabled: 'true',
    PayAddress: 'https://pay.example',
    EpayId: '7',
    EpayKey: 'planted-2',
    'stripe.secret_key': 'planted-3',
  }
  const options = Object.entries(values).map(([key, value]) => ({ key, value }))
  await gateway.ask(root, 'settings.update', { options })
  const status = await gateway.ask(nobody, 'site.status')
  expect(status).toMatchObject({
    ...{ github_oauth: true, github_client_id: 'our-app', enable_online_topup: true, enable_stripe_topup: false },
    ...{ price: 7.3, min_topup: 1, linuxdo_oauth: false, turnstile_check: false },
  })
  for (const name of ['site.status', 'settings.list', 'audit.list']) {
    expect(JSON.stringify(await gateway.ask(root, name)), name).not.toContain('planted')
  }
})
