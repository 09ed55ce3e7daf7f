// The operator's settings.
import type { Feature } from '../feature.ts'
import { DiscoveryDocument, settingsContract } from './contract.ts'
import { toAuditAuthor } from '../audit/audit.ts'
import type { Caller, ContractHandlers } from '../auth/caller.ts'
import { requireRecentAuthentication } from '../auth/second-factors.ts'
import { EmailAddress } from '../auth/email-address.ts'
import { fail, fillTemplate, type GatewayError, words } from '../errors.ts'
import type { SendMail } from '../notify/email.ts'
import { testMail } from '../notify/message.ts'
import { parseJsonBody, type WebClient } from '../ports/web.ts'
import { type Clock, seconds } from '../ports/clock.ts'
import { isRoot } from '../users/user.ts'
import { declaredSettings, findDeclaration, type Settings } from './index.ts'
import type { Setting } from './setting.ts'
import type { SettingsSnapshot } from './snapshot.ts'

interface SettingsPorts {
  snapshot: SettingsSnapshot
  clock: Clock
  web: WebClient
  sendMail: SendMail
}

function createSettingsHandlers({
  snapshot,
  clock,
  web,
  sendMail,
}: SettingsPorts): ContractHandlers<typeof settingsContract> {
  return {
    list: async () =>
      Object.entries(declaredSettings as Record<string, Setting<unknown>>).map(([key, { value, secret }]) => {
        const current = snapshot.stored()[key as keyof Settings]
        const text = value.encode(current)
        return secret ? { key, value: '', set: text !== '' } : { key, value: text }
      }),
    async update({ key, value, was, options = [] }, context) {
      const { caller } = context
      const changes = key === undefined ? options : [...options, { key, value: value === undefined ? '' : value, was }]
      if (changes.length === 0) fail('request.nothing')
      for (const change of changes) authorize(caller, change.key)
      // An empty secret means "keep": forms never get the stored one to send back.
      const effective = changes.filter((change) => !(findDeclaration(change.key)?.secret && change.value === ''))
      if (effective.some((change) => asksProof(change.key))) {
        requireRecentAuthentication(context, snapshot.current().StepUpMinutes, seconds(clock))
      }
      const warnings = effective.length > 0 ? await snapshot.change(effective, toAuditAuthor(caller)) : []
      return { data: null, message: formatWarnings(warnings, caller) }
    },
    async testMail({ email }, { caller: { language } }) {
      if (!EmailAddress.safeParse(email).success) fail('email.invalid')
      await sendMail(testMail({ to: email, language, system: snapshot.current().SystemName }))
      return null
    },
    async readWellKnown({ well_known }) {
      const url = well_known || snapshot.current()['oidc.well_known']
      if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) fail('setting.well_known')
      const reply = await web
        .send({ method: 'GET', url })
        .catch((cause: unknown) => fail('setting.discovery', {}, { cause }))
      const { success, data } = DiscoveryDocument.safeParse(parseJsonBody(reply))
      return reply.status === 200 && success ? data : fail('setting.discovery')
    },
    async resetPrices(_, { caller }) {
      await snapshot.change([{ key: 'ModelRatio', value: null }], toAuditAuthor(caller))
      return { data: null, message: words('model ratios reset')[caller.language] }
    },
  }
}

function authorize(caller: Caller, key: string): void {
  if (findDeclaration(key)?.writer !== 'root') return
  if (caller.via !== 'local' && !(caller.user && isRoot(caller.user))) fail('setting.root_only', { key })
}

/** Returns the message of a saved change: empty without warnings. */
function formatWarnings(warnings: readonly GatewayError[], { language }: Caller): string {
  if (warnings.length === 0) return ''
  const reasons = warnings.map((warning) => warning.explained(language)).join(words('; ')[language])
  return fillTemplate(SAVED_WITH_WARNING, { reasons })[language]
}

const SAVED_WITH_WARNING = words('Saved with a warning: {reasons}')

/** Returns true for settings that need reauthentication, so that an unattended session is not enough. */
const asksProof = (key: string): boolean => (findDeclaration(key)?.writer ?? 'admin') !== 'admin'

export const settingsFeature: Feature<SettingsPorts, typeof settingsContract> = {
  contract: settingsContract,
  handlers: createSettingsHandlers,
}
