// The API tokens of the state, on request: by slug, each with its owner and its limits.
import { z } from 'zod'
import { SlugText } from '../../contract/slug.ts'
import { fail, words } from '../../errors.ts'
import { seconds } from '../../ports/clock.ts'
import type { ChangeStores } from '../../ports/storage.ts'
import { parseSeparatedList, MAX_TOKEN_NAME, NEVER_EXPIRES, TOKEN_STATUS, type Token } from '../../tokens/token.ts'
import { type SectionPorts, type StoredSection, writeSectionAudit } from '../section.ts'
import type { StateEntry } from '../state.ts'
import { listOrdinaryUsers } from './users.ts'

const whole = z.number().int().min(0)
const TokenEntry = z
  .strictObject({
    user: z.string(),
    name: z.string().trim().min(1).max(MAX_TOKEN_NAME),
    /** Without `sk-`. */
    key: z.string().regex(/^[0-9A-Za-z]{16,128}$/),
    enabled: z.boolean(),
    group: z.string(),
    /** Null for all. */
    models: z.array(z.string()).nullable(),
    allow_ips: z.array(z.string()),
    fallback_models: z.array(z.string()),
    /** Null for never. */
    expires: z.iso.datetime().nullable(),
    /** Quota units that it may spend in all, what it has spent included; null for no limit. */
    quota: whole.nullable(),
    budget_day: whole,
    budget_week: whole,
    budget_month: whole,
    time_zone: z.string(),
    requests_per_minute: whole,
    tokens_per_minute: whole,
    max_concurrent: whole,
  })
  .partial()
type TokenEntry = z.infer<typeof TokenEntry>

const MOST_OF_ONE = 1000

/**
 * Returns the tokens with the names of their owners. Tokens of a team's account belong to the team, and are in no file.
 */
async function everyToken(stores: ChangeStores): Promise<(Token & { user: string })[]> {
  const all: (Token & { user: string })[] = []
  for (const { id, username } of await listOrdinaryUsers(stores))
    for (let offset = 0; ;) {
      const { items, total } = await stores.tokens.listOfUser(id, {}, { offset, limit: MOST_OF_ONE })
      all.push(...items.filter(({ team_id }) => team_id === 0).map((token) => ({ ...token, user: username })))
      offset += items.length
      if (items.length === 0 || offset >= total) break
    }
  return all
}

/** Without a key where only its SHA-256 is known. */
const toEntry = (token: Token & { user: string }): TokenEntry => ({
  user: token.user,
  name: token.name,
  enabled: token.status !== TOKEN_STATUS.disabled,
  ...(token.key === '' ? {} : { key: token.key }),
  group: token.group,
  models: token.model_limits_enabled ? parseSeparatedList(token.model_limits) : null,
  allow_ips: parseSeparatedList(token.allow_ips),
  fallback_models: parseSeparatedList(token.fallback_models),
  expires: token.expired_time === NEVER_EXPIRES ? null : new Date(token.expired_time * 1000).toISOString(),
  quota: token.unlimited_quota ? null : Math.max(0, token.remain_quota + token.used_quota),
  budget_day: token.budget_day,
  budget_week: token.budget_week,
  budget_month: token.budget_month,
  time_zone: token.time_zone,
  requests_per_minute: token.requests_per_minute,
  tokens_per_minute: token.tokens_per_minute,
  max_concurrent: token.max_concurrent,
})

function toTokenFields(entry: TokenEntry) {
  const { user: _user, key: _key, quota: _quota, enabled, models, allow_ips, fallback_models, expires, ...same } = entry
  const maybe = <T, R>(name: string, value: T | undefined, made: (value: T) => R) =>
    value === undefined ? {} : { [name]: made(value) }
  return {
    ...same,
    ...maybe('status', enabled, (on) => (on ? TOKEN_STATUS.enabled : TOKEN_STATUS.disabled)),
    ...maybe('model_limits_enabled', models, (list) => list !== null),
    ...maybe('model_limits', models, (list) => (list ?? []).join(',')),
    ...maybe('allow_ips', allow_ips, (list) => list.join('\n')),
    ...maybe('fallback_models', fallback_models, (list) => list.join(',')),
    ...maybe('expired_time', expires, (time) => (time === null ? NEVER_EXPIRES : Math.floor(Date.parse(time) / 1000))),
  }
}

const KEY_LENGTH = 48

/** Returns the entry in the form of `entryOf`: without duplicates, and times to the second. */
function normalizeEntry(entry: TokenEntry): TokenEntry {
  const { models, allow_ips, fallback_models, expires } = entry
  const unique = (list: string[]) => parseSeparatedList(list.join('\n'))
  const toSecond = (time: string) => new Date(Math.floor(Date.parse(time) / 1000) * 1000).toISOString()
  return {
    ...entry,
    ...(models ? { models: unique(models) } : {}),
    ...(allow_ips ? { allow_ips: unique(allow_ips) } : {}),
    ...(fallback_models ? { fallback_models: unique(fallback_models) } : {}),
    ...(expires ? { expires: toSecond(expires) } : {}),
  }
}

export const tokensStateSection: StoredSection = {
  in: 'stores',
  name: 'tokens',
  comment: words('API tokens of users by slug: quota is the total that a token may spend, null for no limit'),
  entry: TokenEntry as z.ZodType<StateEntry>,
  key: SlugText,
  sets: ['models', 'allow_ips'],
  normal: (_slug, entry) => entry && (normalizeEntry(entry as TokenEntry) as StateEntry),
  defaults: {
    enabled: true,
    group: '',
    models: null,
    allow_ips: [],
    fallback_models: [],
    expires: null,
    quota: 0,
    budget_day: 0,
    budget_week: 0,
    budget_month: 0,
    time_zone: '',
    requests_per_minute: 0,
    tokens_per_minute: 0,
    max_concurrent: 0,
  },
  onRequest: true,
  secrets: (_key, entry) => ((entry as TokenEntry).key ? [['key']] : []),
  async read(stores) {
    const all = await everyToken(stores)
    return { entries: new Map(all.map((token) => [token.slug, toEntry(token) as StateEntry])), initial: new Map() }
  },
  async writer(to) {
    const known = new Map((await everyToken(to.within)).map((token) => [token.slug, token]))
    const record = writeSectionAudit('token', to)
    return async ({ key: slug, target }) => {
      const before = known.get(slug)
      if (target === null) {
        if (before) await to.within.tokens.delete(before.id)
        return record('delete', before?.id ?? 0, { slug })
      }
      const entry = target as TokenEntry
      // A key is found by what was written with it: another key is another token.
      if (before && entry.key !== undefined && entry.key !== before.key) fail('state.token_key', { slug })
      if (before && entry.user !== undefined && entry.user !== before.user) fail('state.token_key', { slug })
      const id = before?.id ?? (await made(slug, entry, to))
      if (before) await to.within.tokens.update(id, toTokenFields(entry), { version: before.version, raises: true })
      const { key: _key, ...audited } = entry
      await record(before ? 'update' : 'create', id, null, { slug, ...audited })
      if (entry.quota === undefined) return
      const used = before?.used_quota ?? 0
      const budget = entry.quota === null ? { unlimited_quota: true } : limited(entry.quota - used)
      to.afterwards.push(() => to.ledger.setBudget({ id, ...budget }))
    }
  },
}

const limited = (remain_quota: number) => ({ unlimited_quota: false, remain_quota })

async function made(slug: string, entry: TokenEntry, { within, clock, random }: SectionPorts): Promise<number> {
  const { user: username = '', key = random.text(KEY_LENGTH) } = entry
  const owner = (await within.users.findByLogin(username))?.user ?? fail('state.no_user', { username })
  if (await within.tokens.findByKey(key)) fail('state.key_taken', { slug })
  const blank = { model_limits_enabled: false, model_limits: '', allow_ips: '', group: '', fallback_models: '' }
  const fresh = {
    ...blank,
    status: TOKEN_STATUS.enabled,
    expired_time: NEVER_EXPIRES,
    name: slug.slice(0, MAX_TOKEN_NAME),
  }
  const row = { ...fresh, ...toTokenFields(entry), slug, key, user_id: owner.id, created_time: seconds(clock) }
  return (await within.tokens.insert(row)).id
}
