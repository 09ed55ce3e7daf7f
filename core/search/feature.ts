// A search over all kinds of objects.
import type { Feature } from '../feature.ts'
import { searchContract, type SearchResultRow } from './contract.ts'
import { type ContractHandlers, hasAccess, requireUser } from '../auth/caller.ts'
import type { ChannelIndex } from '../channels/channel-index.ts'
import { listUsableGroups } from '../groups/group.ts'
import type { Storage } from '../ports/storage.ts'
import { findProvider } from '../providers/index.ts'
import { getCallerId } from '../quota/ledger-entry.ts'
import type { Settings } from '../settings/index.ts'
import { toFullKey } from '../tokens/token.ts'

// The search over everything: each kind is looked up at once, and only where the caller may see it.

interface SearchPorts {
  storage: Storage
  index: ChannelIndex
  settings(): Settings
}

type HitKind = SearchResultRow['kind']

/** Maximum length of a line in characters. */
const LONGEST_LINE = 120

function createSearchHandlers({ storage, index, settings }: SearchPorts): ContractHandlers<typeof searchContract> {
  /** Finds models, with their providers or groups. */
  function models(text: string, limit: number, groups: string[] | null): SearchResultRow[] {
    const query = text.toLowerCase()
    const ranked = (groups ? index.models(groups) : index.allModels())
      .map((name) => ({ name, rank: getRank(name.toLowerCase(), query) }))
      .filter(({ rank }) => rank >= 0)
      .sort((one, other) => one.rank - other.rank)
    return ranked.slice(0, limit).map(({ name, rank }) => {
      const where = groups
        ? groups.filter((group) => index.candidates(group, name).length > 0)
        : index.naming(name).map((channel) => channel.name)
      return hit('model', name, name, rank, where)
    })
  }

  /** Finds a call by its request id, or by its charge if its row was removed. */
  async function calls(text: string, userId: number | null): Promise<SearchResultRow[]> {
    const isVisible = (id: number) => userId === null || id === userId
    const row = (await storage.logs.ofRequests([text])).find(({ user_id }) => isVisible(user_id))
    if (row) return [hit('call', text, row.model_name, 0, [row.username, row.token_name, formatTime(row.created_at)])]
    const entry = (await storage.entries.listByRequest(text)).find((each) => isVisible(getCallerId(each)))
    return entry ? [hit('call', text, '', 0, [formatTime(entry.created_at)])] : []
  }

  return {
    async find({ text, limit }, { caller }) {
      const user = requireUser(caller)
      if (text === '') return []
      const all = hasAccess(caller, 'admin')
      const userId = all ? null : user.id
      const groups = all ? null : Object.keys(listUsableGroups(user.group, settings()))
      const [users, channels, tokens, teams, called] = await Promise.all([
        all ? storage.search.users(text, limit) : [],
        all ? storage.search.channels(text, limit) : [],
        storage.search.tokens(text, limit, userId),
        storage.search.teams(text, limit, userId),
        calls(text, userId),
      ])
      return [
        ...users.map(({ id, name, rank, more }) =>
          hit('user', id, name, rank, [more.display_name, more.email, more.group]),
        ),
        ...channels.map(({ id, name, rank, more }) =>
          hit('channel', id, name, rank, [findProvider(Number(more.type))?.name ?? '', more.models]),
        ),
        ...tokens.map(({ id, name, rank, more }) =>
          hit('token', id, name, rank, [
            `${toFullKey(more.key_prefix.slice(0, 3))}***`,
            all ? more.username : '',
            more.group,
          ]),
        ),
        ...teams.map(({ id, name, rank }) => hit('team', id, name, rank, [])),
        ...models(text, limit, groups),
        ...called,
      ]
    },
  }
}

function hit(kind: HitKind, id: number | string, name: string, rank: number, parts: string[]): SearchResultRow {
  const line = parts.filter((part) => part !== '' && part !== name).join(' · ')
  return { kind, id: String(id), name, rank, line: [...line].slice(0, LONGEST_LINE).join('') }
}

/** Below 0 where the text is not in the name. */
function getRank(name: string, text: string): number {
  const at = name.indexOf(text)
  return name === text ? 0 : at === 0 ? 1 : at > 0 ? 2 : -1
}

const formatTime = (seconds: number): string => new Date(seconds * 1000).toISOString()

export const searchFeature: Feature<SearchPorts, typeof searchContract> = {
  contract: searchContract,
  handlers: createSearchHandlers,
}
