// How the terminal shows teams and their members, and finds a team by its name.
import type { WeirClient } from '../../core/contracts.ts'
import { words } from '../../core/errors.ts'
import { Refusal } from '../failure.ts'

const MOST = 100

/** The id of a team: an own one, or for administrators anybody's. @throws Refusal where none is called so */
export async function needTeamId(weir: WeirClient, name: string): Promise<number> {
  if (/^\d+$/.test(name)) return Number(name)
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const { items, total } = await teamsOf(weir, { p: page, page_size: MOST })
    const found = items.find((team) => team.name.toLowerCase() === name.toLowerCase())
    if (found) return found.id
    pages = Math.ceil(total / MOST)
  }
  throw new Refusal(
    words(`There is no team called "${name}": see \`weir teams\`.`, `没有名为 "${name}" 的团队：见 \`weir teams\`。`),
    'team.missing',
  )
}

/** Everybody's teams where the caller may see them, and otherwise their own. */
export const teamsOf = (weir: WeirClient, slice: { p: number; page_size: number }) =>
  weir.teams.list({ all: 'true', ...slice }).catch((error: unknown) => {
    if (error instanceof Refusal && error.code === 'access.forbidden') return weir.teams.list(slice)
    throw error
  })
