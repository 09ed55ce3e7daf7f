// The services that vouch for people: where their buttons lead, on the login and among the bindings.
import { beforeEach, describe, expect, it } from 'vitest'
import { signInServices } from '../../core/settings/sign-in-services.ts'
import { reader, signedIn, status } from './sample-data.ts'
import { facts } from './screens/personal.ts'
import { useConsole } from './visit.ts'

const site = useConsole('/gate')
const unbound = { github_id: '', oidc_id: '', linux_do_id: '' }

describe.each(['github', 'oidc', 'linuxdo'] as const)('%s', (type) => {
  const { shown, name } = signInServices[type]
  const samples = facts.handlers!()
  const own = (samples['users.self']!({}) as { data: object }).data
  beforeEach(() =>
    site.server.use({
      ...samples,
      'users.self': () => ({ data: { ...own, ...unbound } }),
      'auth.bindings': () => ({ data: { has_password: true, services: [] } }),
      'site.status': () => ({ data: { ...status, [shown]: true } }),
      'auth.oauthStart': () => ({ data: { url: `${site.server.url}/about?at=${type}` } }),
    }),
  )

  it('is led to by its button on the login', async () => {
    await site.visit('/login', {}, async (page) => {
      const ways = page.getByRole('button', { name: /^Continue with / })
      await ways.first().waitFor()
      await expect.poll(() => ways.allInnerTexts()).toEqual([expect.stringContaining(name.en)])
      await ways.click()
      await page.waitForURL(`**/gate/about?at=${type}`)
      expect(site.inputs('auth.oauthStart')).toEqual([{ type }])
    })
  })

  it('is led to by its button among the bindings', async () => {
    await site.visit('/personal#bindings', { storage: signedIn(reader) }, async (page) => {
      await page.getByRole('button', { name: `Bind ${name.en}` }).click()
      await page.waitForURL(`**/gate/about?at=${type}`)
      expect(site.inputs('auth.oauthStart')).toEqual([{ type }])
    })
  })
})
