// The endpoints of second factors, passkeys, reauthentication, and the sign-in services that the operator added.
import { toAuditAuthor } from '../audit/audit.ts'
import { fail } from '../errors.ts'
import { seconds } from '../ports/clock.ts'
import type { Storage, WriteTransaction } from '../ports/storage.ts'
import { type HandlerContext, type ContractHandlers, requireUser } from './caller.ts'
import type { SecondFactorPorts } from './second-factors.ts'
import {
  addPasskey,
  beginPasskey,
  beginTotp,
  confirmTotp,
  createPasskeyChallenge,
  findPasskeyOwner,
  reauthenticateSession,
  removeTotp,
  renewBackupCodes,
} from './second-factors.ts'
import type { LoginService } from './methods/oidc.ts'
import type { secondFactorContract } from './second-factor-contract.ts'
import { finishSignIn, startSession, requireCodeUser } from './sign-in.ts'

/** The services to sign in with that the operator added and enabled. */
export const listOfferedServices = async ({ loginServices }: Pick<Storage, 'loginServices'>): Promise<LoginService[]> =>
  (await loginServices.list()).filter(({ enabled }) => enabled)

export function createProofHandlers(ports: SecondFactorPorts): ContractHandlers<typeof secondFactorContract> {
  const { storage, clock } = ports
  /** Changes a provider, with its row of the audit. */
  const recorded = (
    { caller }: HandlerContext,
    action: string,
    target: string,
    change: (within: WriteTransaction) => Promise<unknown>,
  ) =>
    storage.transaction(async (within) => {
      await change(within)
      const row = { action, target, before: '', after: '' }
      await within.audit.insert([{ ...toAuditAuthor(caller), created_at: seconds(clock), ...row }])
    })

  return {
    async loginCode({ code }, context) {
      const user = await requireCodeUser(ports, context)
      return finishSignIn(ports, user, code, context)
    },
    async stepUp(proof, context) {
      await reauthenticateSession(ports, requireUser(context.caller), proof, context)
      return null
    },
    stepUpPasskey: (_, context) => createPasskeyChallenge(ports, requireUser(context.caller), context),
    async totp(_, { caller }) {
      const { id } = requireUser(caller)
      const factor = await storage.secondFactors.find(id)
      return {
        enabled: Boolean(factor?.confirmed_time),
        backup_codes_left: await storage.secondFactors.countBackups(id),
      }
    },
    totpBegin: (_, { caller }) => beginTotp(ports, requireUser(caller)),
    totpConfirm: async ({ code }, context) => ({
      backup_codes: await confirmTotp(ports, requireUser(context.caller), code, context),
    }),
    totpBackups: async ({ code }, context) => ({
      backup_codes: await renewBackupCodes(ports, requireUser(context.caller), code, context),
    }),
    async totpRemove({ code }, context) {
      await removeTotp(ports, requireUser(context.caller), code, context)
      return null
    },
    passkeys: (_, { caller }) => storage.passkeys.listOfUser(requireUser(caller).id),
    passkeyBegin: (_, { caller }) => beginPasskey(ports, requireUser(caller)),
    async passkeyAdd({ name, passkey }, { caller }) {
      return { id: await addPasskey(ports, requireUser(caller), { name, answer: passkey }) }
    },
    async passkeyRemove({ passkey_id }, { caller }) {
      if (!(await storage.passkeys.delete(requireUser(caller).id, passkey_id))) fail('passkey.missing')
      return null
    },
    passkeyAsk: (_, context) => createPasskeyChallenge(ports, null, context),
    async passkeyLogin({ passkey }, context) {
      const user = await findPasskeyOwner(ports, passkey, context)
      await startSession(ports, user, context)
      return user
    },
    providers: () => listOfferedServices(storage),
    providerList: () => storage.loginServices.list(),
    async providerCreate(provider, context) {
      await recorded(context, 'provider.create', provider.id, (within) => within.loginServices.insert(provider))
      return { ...provider, version: 1 }
    },
    async providerUpdate({ id, client_secret, version, ...fields }, context) {
      const known = (await storage.loginServices.find(id)) ?? fail('provider.missing')
      // An empty secret keeps the stored one, but not for another server, which must not receive it.
      const keepsSecret = client_secret === '' && fields.well_known === known.well_known
      const patch = keepsSecret ? fields : { ...fields, client_secret }
      const raises = Object.entries(patch).some(([name, value]) => known[name as keyof LoginService] !== value)
      await recorded(context, 'provider.update', id, (within) =>
        within.loginServices.update(id, patch, { version, raises }),
      )
      return null
    },
    async providerDelete({ provider_id }, context) {
      await recorded(context, 'provider.delete', provider_id, async (within) => {
        if (!(await within.loginServices.delete(provider_id))) fail('provider.missing')
      })
      return null
    },
  }
}
