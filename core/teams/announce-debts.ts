// Makes every process reload the users who are liable for an account: its user, or the owners of its team.
import type { Storage } from '../ports/storage.ts'

/** Reports accounts whose balance fell below zero or rose above it again. */
export async function announceDebts(
  { teams, announce }: Pick<Storage, 'teams' | 'announce'>,
  accountIds: readonly number[],
): Promise<void> {
  for (const id of accountIds) {
    const owners = await teams.ownerIds(id)
    for (const user of owners.length > 0 ? owners : [id]) await announce({ topic: 'users', id: user })
  }
}
