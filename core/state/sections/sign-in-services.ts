// The sign-in services of the state that the operator added.
import { z } from 'zod'
import { LoginServiceForm, LoginServiceId, LoginServicePatch } from '../../auth/login-service.ts'
import { parseInput } from '../../contract/validation.ts'
import { fail, words } from '../../errors.ts'
import { type StoredSection, writeSectionAudit } from '../section.ts'
import type { StateEntry } from '../state.ts'

export const signInServicesSection: StoredSection = {
  in: 'stores',
  name: 'sign_in_services',
  comment: words('Additional OpenID Connect services, by the id in their addresses'),
  entry: z.strictObject(LoginServicePatch.shape) as z.ZodType<StateEntry>,
  key: LoginServiceId,
  defaults: { scopes: 'openid profile email', enabled: true, client_secret: '' },
  secrets: (_key, entry) => ((entry as z.infer<typeof LoginServicePatch>).client_secret ? [['client_secret']] : []),
  async read({ loginServices }) {
    const all = await loginServices.list()
    const whole = await Promise.all(
      all.map(async ({ id }) => (await loginServices.find(id)) ?? fail('provider.missing')),
    )
    const entries = whole.map(({ id, version: _version, ...entry }) => [id, entry as StateEntry] as const)
    return { entries: new Map(entries), initial: new Map() }
  },
  async writer({ within, caller, clock }) {
    const record = writeSectionAudit('provider', { within, caller, clock })
    return async ({ key: id, target, action }) => {
      if (target === null) await within.loginServices.delete(id)
      else if (action === 'create') await within.loginServices.insert({ id, ...parseInput(LoginServiceForm, target) })
      else {
        const known = (await within.loginServices.find(id)) ?? fail('provider.missing')
        const { client_secret, ...patch } = parseInput(LoginServicePatch, target)
        const isMoved = patch.well_known !== undefined && patch.well_known !== known.well_known
        // The old secret is not sent to another server.
        const secret = client_secret !== undefined ? { client_secret } : isMoved ? { client_secret: '' } : {}
        await within.loginServices.update(id, { ...patch, ...secret }, { version: known.version, raises: true })
      }
      await record(VERBS[action], id)
    }
  },
}

const VERBS = { create: 'create', change: 'update', remove: 'delete' } as const
