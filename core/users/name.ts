// Refuses usernames that resemble another one by letters of other alphabets, or that contain hidden characters.
import { fail } from '../errors.ts'
import { CONFUSABLES } from './confusables.data.ts'
import { MAX_DISPLAY_NAME } from './user.ts'

/** Letters that resemble a Latin one in some fonts, in addition to those of Unicode. */
const ALSO = ['bʙ', 'eꞓҽ', 'hʜ', 'kĸ', 'mʍ', 'nπո', 'tᴛ', 'uц', 'wωш']

type Pairs = (readonly [sign: string, like: string])[]

const signs = CONFUSABLES.trim().split(/\s+/)
const DRAWN_LIKE = new Map(
  signs.flatMap((like, at): Pairs => (at % 2 === 1 ? [] : [...(signs[at + 1] ?? '')].map((sign) => [sign, like]))),
)
const IN_SOME_SHAPE = new Map(ALSO.flatMap(([like = '', ...others]): Pairs => others.map((sign) => [sign, like])))

/**
 * Returns a key that lookalike names share, whatever their width and alphabet. Latin letters that are hard to tell
 * apart (`l`, `i` and `1`, `rn` and `m`) have the same key.
 */
export function toLookalikeKey(name: string): string {
  return [...name.normalize('NFKD').replace(/\p{Default_Ignorable_Code_Point}/gu, '')]
    .flatMap((sign) => [...(DRAWN_LIKE.get(sign) ?? sign)])
    .map((sign) => IN_SOME_SHAPE.get(sign.toLowerCase()) ?? sign)
    .join('')
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[i1|]/g, 'l')
    .replaceAll('0', 'o')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
    .replace(/\s+/g, ' ')
}

/** Returns true for plain ASCII. Such names are compared only by their letters. */
const isPlain = (name: string): boolean => /^[ -~]*$/.test(name)

/** How a name looks in each of its writings. */
export const getLookalikeKeys = (name: string): string[] =>
  [name, name.toLowerCase(), name.toUpperCase()].map(toLookalikeKey)

/** Is one of two names that look alike taken for the other? */
export const isTakenFor = (one: string, other: string): boolean => !isPlain(one) || !isPlain(other)

/** @throws GatewayError user.display_name for a name to be shown that is too long, user.limits for one that hides something */
export function refuseDisplayName(name = ''): never {
  return name.trim().length > MAX_DISPLAY_NAME
    ? fail('user.display_name', { max: MAX_DISPLAY_NAME })
    : fail('user.limits')
}
