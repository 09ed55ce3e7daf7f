// Finds the team that a person names by id or by name.
import type { WeirClient } from '../core/contracts.ts'
import { Refusal } from './failure.ts'

/** The id of a team: an own one, or for administrators anybody's. @throws Refusal where none is called so */
export async function needTeamId(weir: WeirClient, name: string): Promise<number> {
  if (/^\d+$/.test(name)) return Number(name)
  const { items } = await teamsOf(weir)
  const found = items.find((team) => team.name.toLowerCase() === name.toLowerCase())
  if (!found) throw new Refusal(`There is no team called "${name}": see \`weir teams list\`.`, 'team.missing')
  return found.id
}

/** Everybody's teams where the caller may see them, and otherwise their own. */
export function teamsOf(weir: WeirClient, p = 1, page_size = 100) {
  return weir.teams.list({ all: 'true', p, page_size }).catch((error: unknown) => {
    if (error instanceof Refusal && error.code === 'access.forbidden') return weir.teams.list({ p, page_size })
    throw error
  })
}
