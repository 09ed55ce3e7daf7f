// Names that nobody may have: that look like somebody else's, by letters of other alphabets that are drawn like Latin ones, or
// that hide something.
import { fail } from '../errors.ts'
import type { Storage } from '../ports/storage.ts'
import { MAX_DISPLAY_NAME } from './user.ts'

/** Small letters of Greek, Cyrillic, Armenian and others, each beside the Latin one it is drawn like. */
const ALIKE = new Map(
  [
    ...['aаαɑ', 'bьЬ', 'cсϲⅽ', 'dԁⅾ', 'eеєҽ', 'fϝ', 'gɡց', 'hһհ', 'iіɩıι', 'jјϳ', 'kкκ', 'lӏⅼ', 'mмⅿ', 'nпոη', 'oоοօσ'],
    ...['pрρ', 'qԛգ', 'rгᴦ', 'sѕ', 'tтτ', 'uυսц', 'vνѵⅴ', 'wԝшω', 'xхχⅹ', 'yуүγ', 'zᴢ', 'bвβ', 'hнη'],
  ].flatMap((letters) => [...letters].slice(1).map((letter) => [letter, letters[0] ?? ''] as const)),
)

/** The name as it looks to who reads over it, in Latin letters where it can be. */
export const looksLike = (name: string): string =>
  [...name.normalize('NFKC').toLowerCase()].map((letter) => ALIKE.get(letter) ?? letter).join('')

/** @throws GatewayError user.name_taken for a name that is drawn like one that somebody has */
export async function refuseLookalike({ users }: Pick<Storage, 'users'>, name: string): Promise<void> {
  const looks = looksLike(name)
  if (looks !== name.toLowerCase() && (await users.findByLogin(looks))) fail('user.name_taken')
}

/** @throws GatewayError user.display_name for a name to be shown that is too long, user.limits for one that hides something */
export function refuseDisplayName(name = ''): never {
  return name.trim().length > MAX_DISPLAY_NAME
    ? fail('user.display_name', { max: MAX_DISPLAY_NAME })
    : fail('user.limits')
}
