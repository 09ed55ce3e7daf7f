// Something in every column that the master secret takes part in.
import type { Gateway } from '../../core/gateway.ts'
import { declaredSettings } from '../../core/settings/index.ts'
import type { Setting } from '../../core/settings/setting.ts'
import { newChannel, newToken } from './samples.ts'

export const CHANNEL_SETTING = '{"headers": {"x-key": "planted header"}}'
const LATER = 4_000_000_000

export const secretSettings = Object.entries(declaredSettings as Record<string, Setting<unknown>>)
  .filter(([, { secret }]) => secret)
  .map(([key]) => ({ key, value: `planted ${key}`, secret: true }))

/** Something in every column that a secret takes part in. */
const plantedRule: Parameters<Gateway['ports']['storage']['alerts']['insert']>[0] = {
  ...{ name: 'planted', kind: 'disk', enabled: true, threshold: 1, minutes: 60, least: 0, model: '', channel: 0 },
  ...{
    group: '',
    root: false,
    mails: '',
    webhook_format: 'weir',
    webhook_url: 'https://a.example',
    webhook_secret: 'planted alert',
  },
  ...{ language: 'both', quiet_minutes: 0, created_time: 1 },
}

export async function plant({ client, ports: { storage, secrets } }: Gateway) {
  await client.site.setup({ username: 'root', password: 'a password', confirmPassword: 'a password' })
  const webhook = { notify_type: 'webhook', quota_warning_threshold: 1, webhook_url: 'https://a.example' }
  await client.users.setting({ ...webhook, webhook_secret: 'planted webhook' })
  const user_id = (await storage.users.findRoot())!.id
  const access = { name: 'planted', scope: 'read', created_time: 1, expired_time: -1 } as const
  await storage.accessTokens.insert({ ...access, user_id, token_hash: secrets.hash('planted access token') })
  await storage.tokens.insert(newToken({ user_id, key: 'planted token' }))
  for (const text of ['sk-planted-elsewhere', 'sk-planted-nowhere'])
    await storage.tokens.insert(newToken({ user_id, key: '', key_digest: secrets.digest(text) }))
  await storage.channels.insert([newChannel({ key: 'planted channel', setting: CHANNEL_SETTING })])
  await storage.redemptions.insert([{ user_id, name: 'c', quota: 1, created_time: 1, key: 'planted code' }])
  await storage.alerts.insert(plantedRule)
  await storage.settings.save([...secretSettings, { key: 'SystemName', value: 'plain', secret: false }])
  await storage.secondFactors.begin(user_id, 'planted factor')
  await storage.secondFactors.confirm(user_id, 1, [secrets.hash('planted backup')])
  const provider = { id: 'acme', name: 'Acme', well_known: 'https://acme.example', client_id: 'c', scopes: '' }
  await storage.loginServices.insert({ ...provider, enabled: true, client_secret: 'planted provider' })
  await storage.verifications.put('email', 'a@example.com', 'planted mail code', LATER)
  await storage.browsers.remember(user_id, { before: '', hash: secrets.hash('planted browser') }, 1)
  const times = { created_time: 1, used_time: 1, proven_time: 1, expires_time: LATER }
  await storage.sessions.insert({
    id_hash: secrets.hash('planted session'),
    user_id,
    ip: '',
    user_agent: '',
    ...times,
  })
  const request = { name: 'a program', scope: 'read', ip: '', created_time: 1, expires_time: LATER } as const
  await storage.devices.insert({
    ...request,
    ...{ expired_time: LATER, interval: 1, user_code: 'PLANTED', device_hash: secrets.hash('planted device') },
  })
  const kept = { user_id, token_id: 1, model: 'm', channel_id: 1, key: '', created_at: LATER * 1000 }
  await storage.keptResponses.keep([
    {
      ...kept,
      id_hash: secrets.hash('planted answer'),
      sealed: secrets.encrypt('planted conversation', ['kept_responses.sealed', secrets.hash('planted answer')]),
    },
  ])
  return { user_id, receiptKey: await storage.receiptKey.getOrCreate(() => secrets.createSigningKey()) }
}
