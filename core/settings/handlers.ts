// The settings endpoints.
import { isRoot } from '../users/user.ts'
import type { Caller } from '../auth/caller.ts'
import type { Handlers } from '../auth/handler.ts'
import { fail } from '../errors.ts'
import type { settings as contract } from './contract.ts'
import { declarationOf, declaredSettings, type Settings } from './index.ts'
import type { Setting } from './setting.ts'
import type { SettingsSnapshot } from './snapshot.ts'

export function createSettingsHandlers({ snapshot }: { snapshot: SettingsSnapshot }): Handlers<typeof contract> {
  return {
    list: async () =>
      Object.entries(declaredSettings as Record<string, Setting<unknown>>).map(([key, { value, secret }]) => {
        const current = snapshot.current()[key as keyof Settings]
        const text = value.encode(current)
        return secret ? { key, value: '', set: text !== '' } : { key, value: text }
      }),
    async update({ key, value, options = [] }, { caller }) {
      const changes = key === undefined ? options : [...options, { key, value: value ?? '' }]
      if (changes.length === 0) fail('request.invalid', { reason: 'no setting is named' })
      for (const change of changes) authorize(caller, change.key)
      // An empty secret means "keep": forms never get the stored one to send back.
      const kept = changes.filter((change) => !(declarationOf(change.key)?.secret && change.value === ''))
      if (kept.length > 0) await snapshot.change(kept)
      return null
    },
  }
}

function authorize(caller: Caller, key: string): void {
  const guarded = declarationOf(key)?.rootOnly || declarationOf(key)?.secret
  if (guarded && caller.via !== 'local' && !(caller.user && isRoot(caller.user))) fail('setting.root_only', { key })
}
