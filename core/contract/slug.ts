// The name that files and scripts know a thing by: it stays when the thing is called something else.
import { z } from 'zod'

/** Longest slug. */
export const MAX_SLUG_LENGTH = 64
/** Room for what makes it the only one of its kind. */
const FROM_NAME = 48

/** Lower-case letters, digits and single hyphens. */
export const SlugText = z
  .string()
  .max(MAX_SLUG_LENGTH)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/)

/** Returns a slug that resembles the name; `otherwise` if no character of the name is allowed in one. */
export function toSlug(name: string, otherwise: string): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, FROM_NAME)
    .replace(/^-+|-+$/g, '')
  return plain === '' ? otherwise : plain
}

/** Returns the slug, or the first free one with a number appended. */
export function findFreeSlug(slug: string, isTaken: (slug: string) => boolean): string {
  if (!isTaken(slug)) return slug
  for (let count = 2; ; count++) if (!isTaken(`${slug}-${count}`)) return `${slug}-${count}`
}
