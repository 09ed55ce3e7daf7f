// Finds the account that a person names by id or by username.
import type { WeirClient } from '../core/contracts.ts'
import { Refusal } from './failure.ts'

/** The id of an account. @throws Refusal where nobody is called so */
export async function needUserId(weir: WeirClient, name: string): Promise<number> {
  if (/^\d+$/.test(name)) return Number(name)
  const { items } = await weir.users.search({ keyword: name, page_size: 100 })
  const found = items.find(({ username }) => username.toLowerCase() === name.toLowerCase())
  if (!found) throw new Refusal(`There is no user called "${name}": see \`weir users list\`.`, 'user.missing')
  return found.id
}
