// What the commands of teams are given, and what they print with --quiet.
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Json } from '../support/json.ts'

/** Commands that make or change something: their words, and what --quiet prints. */
export type Changes = Record<string, { args: () => Promise<string[]>; quiet: (args: string[]) => RegExp }>

/** The id that was given. */
export const sameId = ([id]: string[]) => new RegExp(`^${id}\\n$`)

export function teamChanges(dataOf: (words: string[]) => Promise<Json>): Changes {
  let teams = 0
  /** Puts people into a team at once, as a state file does. */
  async function byFile(team: string, members: Record<string, object>): Promise<void> {
    const file = path.join(await mkdtemp(path.join(tmpdir(), 'weir-teams-')), 'teams.json')
    await writeFile(file, JSON.stringify({ weir: 1, teams: { [team]: { members } } }))
    await dataOf(['apply', file, '--yes'])
  }
  async function joinByFile(name: string): Promise<void> {
    await byFile(`team ${teams}`, { root: { role: 'owner' }, [name]: {} })
  }
  /** A team that is not root's, and asks for root. */
  async function invitedTo(): Promise<string> {
    const team = `team ${(teams += 1)}`
    await byFile(team, {})
    await dataOf(['teams', 'member', team, 'root'])
    return team
  }
  const newTeam = async () => String((await dataOf(['teams', 'add', `team ${(teams += 1)}`])).id)
  return {
    'teams add': { args: async () => [`team ${(teams += 1)}`], quiet: () => /^\d+\n$/ },
    'teams rename': {
      args: async () => [await newTeam(), `team ${(teams += 1)}`],
      quiet: sameId,
    },
    'teams rm': { args: async () => [await newTeam(), '--yes'], quiet: sameId },
    'teams member': { args: async () => [await newTeam(), 'root', '--day', '$5'], quiet: () => /^\d+\n$/ },
    'teams remove-member': {
      args: async () => {
        const [id, name] = [await newTeam(), `mate${teams}`]
        await dataOf(['users', 'create', name])
        await joinByFile(name)
        return [id, name, '--yes']
      },
      quiet: () => /^\d+\n$/,
    },
    'teams accept': { args: async () => [await invitedTo()], quiet: () => /^\d+\n$/ },
    'teams decline': { args: async () => [await invitedTo()], quiet: () => /^\d+\n$/ },
    'teams withdraw': {
      args: async () => {
        const id = await newTeam()
        await dataOf(['teams', 'member', id, 'somebody'])
        return [id, 'somebody']
      },
      quiet: () => /^\d+\n$/,
    },
    'teams topup': { args: async () => [await newTeam(), '$5', '--grant'], quiet: sameId },
  }
}
